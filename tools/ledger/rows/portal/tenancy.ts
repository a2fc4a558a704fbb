import { constant, type Row, rule, section } from '../../row.ts';

const decided = section({ prefix: 'decisions.4', source: 'decisions §4' }, [
  rule('one-reseller', 'A user belongs to one reseller.'),
  rule('many-customers', 'A user belongs to any number of customers of the reseller.'),
  rule('user-name-email', 'User names are e-mail addresses.'),
  rule('user-name-unique', 'User names are unique per installation.'),
  rule('user-name-case', 'User names are case-insensitive.'),
  rule('user-name-any-host', 'User names are valid at any host.'),
  rule('uuid-v7', 'Ids are UUIDv7 made by our code.'),
  rule('external-ref', 'external_ref is unique per customer.'),
  constant('reference-length', 'Our payment reference has at most 18 characters.'),
  constant('reference-characters', 'Our payment reference consists of A–Z0–9.'),
  rule('class-named', 'Each table has a class, and a test names it for every table.'),
  rule(
    'class-distributed',
    'A distributed table has customer_id in primary key, foreign keys and unique indexes.',
  ),
  rule(
    'class-reference',
    'Reseller, brand, service, record type, gateway settings, user, membership are reference.',
  ),
  rule(
    'class-look-up',
    'Pay link, gateway reference, session, one-time tokens are looked up by their own key.',
  ),
  rule('look-up-answers', 'A look-up table answers a customer_id.'),
]);

/** People and tenancy. */
export const rows: readonly Row[] = decided;
