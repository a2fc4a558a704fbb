import { constant, error, field, type Row, rule, section, text } from '../../row.ts';

const source = section({ prefix: 'payments.source', source: 'payments §3' }, [
  field('id', 'A saved source has id or paymentSourceId.'),
  field('isDefault', 'A saved source has default or isDefault.'),
  field('brand', 'Common card data has brand or type.'),
  field('last4', 'Common card data has last4 or lastFour.'),
  // Stripe gives none; Moneris, Pinch, IPpay and BPOINT give a masked one.
  field('number', 'Common card data has number.'),
  field('expiry-month', 'Common card data has the expiry month.'),
  field('expiry-year', 'Common card data has the expiry year.'),
  field('cardHolderName', 'Common card data has cardHolderName or name.'),
  field('address.line1', 'Common card data has address.line1.'),
  field('address.line2', 'Common card data has address.line2.'),
  field('address.city', 'Common card data has address.city.'),
  field('address.state', 'Common card data has address.state.'),
  field('address.postalCode', 'Common card data has address.postalCode.'),
  field('address.country', 'Common card data has address.country.'),
  constant('short-years', 'Expiry years from short providers are prefixed with 20.'),
  field('billingDetails.name', 'A direct-debit source has billingDetails.name.'),
  field('billingDetails.email', 'A direct-debit source has billingDetails.email.'),
  field('billingDetails.phone', 'A direct-debit source has billingDetails.phone.'),
  field('billingDetails.address', 'A direct-debit source has billingDetails.address.'),
  // Of every bank account, beside its gateway's own object; null where the gateway does not tell.
  field('generic.routingNumber', 'A generic direct-debit source has routingNumber.'),
  field('generic.lastFour', 'A generic direct-debit source has lastFour.'),
]);

const newCard = section({ prefix: 'payments.new-card', source: 'payments §3' }, [
  field('cardHolder', 'The new-card payload has cardHolder.'),
  // Raw cards: taken where an account has chosen so, else refused by name (`payment.rawCard`).
  field('cardNumber', 'The new-card payload has cardNumber.'),
  rule('spaces-removed', 'Spaces are removed from the card number.'),
  field('expirationDate', 'The new-card payload has expirationDate (YYYY-MM).'),
  field('cvc', 'The new-card payload has cvc.'),
  field('email', 'The new-card payload has email.'),
  field('billingAddress.country', 'The new-card payload has billingAddress.country.'),
  field('billingAddress.state', 'The new-card payload has billingAddress.state.'),
  field('billingAddress.city', 'The new-card payload has billingAddress.city.'),
  field('billingAddress.address', 'The new-card payload has billingAddress.address.'),
  field('billingAddress.zip', 'The new-card payload has billingAddress.zip.'),
]);

const bank = section({ prefix: 'payments.bank-form', source: 'payments §3' }, [
  field('accountHolderName', 'The bank form has accountHolderName.'),
  field('routingNumber', 'The bank form has routingNumber.'),
  field('bankAccountNumber', 'The bank form has bankAccountNumber.'),
  field('accountType', 'The bank form has accountType.'),
  field('accountNumber', 'The bank form has accountNumber.'),
  field('nameOnAccount', 'The bank form has nameOnAccount.'),
  field('bankName', 'The bank form has bankName.'),
  field('address', 'The bank form has address fields.'),
  field('phone', 'The bank form has phone fields.'),
]);

const card = section({ prefix: 'payments.card', source: 'payments §5, §9' }, [
  constant('number-min', 'A card number has at least 16 characters.'),
  constant('number-max', 'A card number has at most 19 characters.'),
  constant('expiry-min', 'An expiry has at least 7 characters (MM / YY).'),
  constant('cvc-min', 'A CVC has at least 3 characters.'),
  constant('cvc-max', 'A CVC has at most 4 characters.'),
  rule('cvc-amex', 'A CVC has 4 digits for a 15-digit (Amex-style) number.', { source: 'payments §5' }),
  rule('cvc-other', 'A CVC has 3 digits for any other number.', { source: 'payments §5' }),
  rule('number-required', 'The number is required.', { source: 'payments §5' }),
  rule('expiry-required', 'The expiry is required.', { source: 'payments §5' }),
  rule('input-errors-block', 'Card validity errors from the card input block submission.', {
    source: 'payments §5',
  }),
  rule('submit-disabled', 'Submit is disabled when any required field is missing or invalid.', {
    source: 'payments §5',
  }),
  constant('expiry-sent', 'The expiry year sent is 20 followed by the two-digit year, as YYYY-MM.'),
]);

const holder = section({ prefix: 'payments.card', source: 'payments §5' }, [
  rule('holder-when-brand', 'The card holder is required when the brand requires it.'),
  rule('holder-nexio', 'The card holder is always required for the Nexio-type gateway.'),
  rule('address-address', 'The billing address is required when the brand requires it.'),
  rule('address-city', 'The billing city is required when the brand requires it.'),
  rule('address-state', 'The billing state is required when the brand requires it.'),
  rule('address-zip', 'The billing zip is required when the brand requires it.'),
  rule('address-country', 'The billing country is required when the brand requires it.'),
  rule('payer-first-name', 'The payer first name is required for the Nexio-type gateway.'),
  rule('payer-last-name', 'The payer last name is required for the Nexio-type gateway.'),
]);

const expiry = section({ prefix: 'payments.expiry', source: 'payments §5' }, [
  constant('month-range', 'The expiry month is 1 to 12.'),
  constant('month-digits', 'The expiry month has at most 2 digits.', { source: 'payments §9' }),
  constant('year-digits', 'The expiry year has 4 digits.', { source: 'payments §9' }),
  rule('year-not-past', 'The expiry year is not in the past.'),
  constant('year-max', 'The expiry year is not beyond 2070.', { source: 'payments §5, §9' }),
  rule('month-not-past', 'The expiry month is not before the current month in the current year.'),
  error('invalid', 'A bad expiry.', { text: 'Please provide valid date', source: 'payments §5, §8' }),
  rule('save-disabled', 'Save is disabled when the date is in the past.'),
]);

const accounts = section({ prefix: 'payments.bank', source: 'payments §5' }, [
  constant('account-min', 'An account number has at least 5 characters.', { source: 'payments §5, §9' }),
  constant('routing-min', 'A routing number has at least 5 characters.'),
]);

const words = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  text('bank-submitted', 'What is said of a pending bank debit.', {
    text: 'Payment submitted. Your bank usually confirms within {n} working days.',
  }),
]);

/** Fields and rules of cards and bank accounts, whatever the gateway. */
export const rows: readonly Row[] = [
  ...source,
  ...newCard,
  ...bank,
  ...card,
  ...holder,
  ...expiry,
  ...accounts,
  ...words,
];
