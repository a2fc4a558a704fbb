import { constant, error, type Row, rule, section } from '../../row.ts';

const decided = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('invoice-identity', 'The identity of an imported invoice is (supplier, kind, number).'),
  rule('invoice-same', 'The same content again changes nothing.'),
  error('invoice-differs', "Other content under the same identity is quarantined as 'differs'.", 'differs'),
  error('second-full-credit', 'A second full credit of one invoice is quarantined.'),
  rule(
    'cdr-identity',
    'A call record without a key is a hash of the row plus its ordinal among identical rows.',
  ),
  constant('cdr-repeats', 'Legitimate exact repeats are kept: the sample file holds eight.'),
  rule('ubl-reseller', 'The reseller of a UBL invoice comes from --reseller.'),
  rule('ubl-customer-endpoint', 'The customer of a UBL invoice is found by the buyer endpoint.'),
  rule('ubl-customer-legal-id', 'Else the customer is found by the legal id.'),
  rule('ubl-customer-name', 'Else the customer is found by name.'),
  rule('cdr-account', 'The customer of a call record is found by an account code known as a service item.'),
  rule('cdr-line', 'The customer of a call record is found by a line number known as a service item.'),
  rule('cdr-option', 'Else the customer of a call record comes from --customer.'),
  error('cdr-nobody', 'A call record that belongs to nobody is quarantined.'),
  rule('demo-default-reseller', 'With DEMO=1 the reseller defaults to the first demo reseller.'),
  rule('demo-default-customer', "With DEMO=1 the customer defaults to that reseller's customer."),
  rule('not-rated', 'Counterfoil does not rate: a record has the imported price or none.'),
  constant('no-price', 'A record without a price shows a dash.', '–'),
  rule('no-price-sums', 'A record without a price stands outside sums.'),
  rule('asterisk-units', 'The units of Asterisk records are billsec seconds.'),
]);

/** Import: identity, ownership, price. */
export const rows: readonly Row[] = decided;
