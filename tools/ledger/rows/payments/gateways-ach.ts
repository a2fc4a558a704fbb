import { call, constant, error, field, type Row, rule, section } from '../../row.ts';

const authorize = section({ prefix: 'payments.authorize', source: 'payments §3' }, [
  field('authorizeCard.brand', 'authorizeCard has brand.'),
  field('authorizeCard.last4', 'authorizeCard has last4.'),
  field('ach.nameOnAccount', 'Authorize ACH has nameOnAccount.'),
  field('ach.accountNumber', 'Authorize ACH has accountNumber.'),
  field('ach.routingNumber', 'Authorize ACH has routingNumber.'),
  field('ach.bankName', 'Authorize ACH has bankName.'),
  field('ach.accountType', 'Authorize ACH has accountType, checking or savings.'),
]);

const authorizeRules = section({ prefix: 'payments.authorize', source: 'payments §5' }, [
  rule('no-required-fields', 'Adding an Authorize card has no client-side required fields.'),
  rule('edit-country', 'Editing an Authorize card needs a country.'),
  constant('account-name-max', 'An Authorize account name has at most 22 characters.', {
    source: 'payments §5, §9',
  }),
  rule('all-fields', 'Authorize bank accounts need all fields.'),
  rule('account-type', 'Authorize bank accounts need an account type.'),
]);

const authorizeCalls = section({ prefix: 'payments.authorize', source: 'payments §7' }, [
  call('ach', 'GET /v1/ec/autorize/ach lists bank accounts (type 2).'),
  call('cards', 'GET /v1/ec/autorize/cards lists cards (type 2).'),
  call('add-card', 'POST /v1/ec/autorize/cards adds a card.'),
  field('add-card.cardNumber', 'Adding an Authorize card sends cardNumber.'),
  field('add-card.expirationDate', 'Adding an Authorize card sends expirationDate (YYYY-MM).'),
  field('add-card.company', 'Adding an Authorize card sends company.'),
  field('add-card.address', 'Adding an Authorize card sends address.'),
  field('add-card.city', 'Adding an Authorize card sends city.'),
  field('add-card.state', 'Adding an Authorize card sends state.'),
  field('add-card.zip', 'Adding an Authorize card sends zip.'),
  field('add-card.country', 'Adding an Authorize card sends country.'),
  field('add-card.addressCountry', 'Adding an Authorize card sends addressCountry.'),
  call('add-ach', 'POST /v1/ec/autorize/ach adds a bank account.'),
  field('add-ach.routingNumber', 'Adding an Authorize bank account sends routingNumber.'),
  field('add-ach.accountNumber', 'Adding an Authorize bank account sends accountNumber.'),
  field('add-ach.nameOnAccount', 'Adding an Authorize bank account sends nameOnAccount.'),
  field('add-ach.bankName', 'Adding an Authorize bank account sends bankName.'),
  field('add-ach.accountType', 'Adding an Authorize bank account sends accountType.'),
  call('update-ach', 'PUT to the autorize ACH path updates a bank account.'),
  call('delete', 'DELETE on /v1/ec/autorize/cards with {id} removes a card.'),
  call('default', 'PUT /v1/ec/autorize/customer-default-source with {id} sets the default.', {
    source: 'payments §7; decisions §2',
  }),
]);

const nexio = section({ prefix: 'payments.nexio', source: 'payments §3' }, [
  field('nexioCard.cardType', 'nexioCard has cardType.'),
  field('nexioCard.lastFour', 'nexioCard has lastFour.'),
  field('nexioCard.expirationMonth', 'nexioCard has expirationMonth.'),
  field('nexioCard.expirationYear', 'nexioCard has expirationYear.'),
  field('nexioCard.customer', 'nexioCard has customer.'),
  field('customer.billingAddress', 'A Nexio customer has billingAddress.'),
  field('customer.billingAddress2', 'A Nexio customer has billingAddress2.'),
  field('customer.billingPhone', 'A Nexio customer has billingPhone.'),
  field('customer.shippingAddress', 'A Nexio customer has shippingAddress.'),
  field('customer.shippingPhone', 'A Nexio customer has shippingPhone.'),
  field('customer.country', 'A Nexio customer has country.'),
  field('customer.state', 'A Nexio customer has state.'),
  field('customer.zip', 'A Nexio customer has zip.'),
  field('customer.email', 'A Nexio customer has email.'),
  field('customer.payerFirstName', 'A Nexio customer has payerFirstName.'),
  field('customer.payerLastName', 'A Nexio customer has payerLastName.'),
  field('ach.accountHolderName', 'Nexio ACH has accountHolderName.'),
  field('ach.routingNumber', 'Nexio ACH has routingNumber.'),
  field('ach.accountAddress', 'Nexio ACH has accountAddress.'),
  field('ach.accountEmail', 'Nexio ACH has accountEmail.'),
  field('ach.lastFour', 'Nexio ACH has lastFour.'),
]);

const nexioRules = section({ prefix: 'payments.nexio', source: 'payments §5' }, [
  rule('holder-required', 'Adding a Nexio card needs the cardholder name.'),
  rule('first-name-required', 'Adding a Nexio card needs the payer first name.'),
  rule('last-name-required', 'Adding a Nexio card needs the payer last name.'),
  rule('shipping-required', 'Adding a Nexio card needs the shipping address.'),
  rule('encryption-required', 'Adding a Nexio card needs that encryption succeeds.'),
  constant('routing-number', 'A Nexio routing number has 9 characters.', { source: 'payments §5, §9' }),
  rule('debit-routing', 'Nexio direct debit needs a routing number longer than 5.'),
  rule('debit-account', 'Nexio direct debit needs an account number longer than 5.'),
  rule('debit-holder', 'Nexio direct debit needs a holder name.'),
  error(
    'encryption',
    'Encryption with the Nexio-type gateway fails; the two sources differ in the apostrophe.',
    {
      text: "The payment gateway isn't configured properly. Please contact support if the issue persists.",
      source: 'payments §8',
    },
  ),
]);

const nexioCalls = section({ prefix: 'payments.nexio', source: 'payments §7' }, [
  call('ach', 'GET /v1/ec/nexio/ach lists bank accounts (type 8).'),
  call('cards', 'GET /v1/ec/nexio/cards lists cards (type 8).'),
  call('add-card', 'POST /v1/ec/nexio/cards adds a card.'),
  field('add-card.firstSix', 'Adding a Nexio card sends firstSix.'),
  field('add-card.lastFour', 'Adding a Nexio card sends lastFour.'),
  field('add-card.cvv', 'Adding a Nexio card sends cvv.'),
  field('add-card.cardType', 'Adding a Nexio card sends cardType.'),
  field('add-card.expirationMonth', 'Adding a Nexio card sends expirationMonth.'),
  field('add-card.expirationYear', 'Adding a Nexio card sends expirationYear.'),
  field('add-card.encryptedNumber', 'Adding a Nexio card sends encryptedNumber.'),
  field('add-card.cardHolderName', 'Adding a Nexio card sends cardHolderName.'),
  field('add-card.customer', 'Adding a Nexio card sends customer.'),
  call('add-ach', 'POST /v1/ec/nexio/ach adds a bank account.'),
  field('add-ach.routingNumber', 'Adding a Nexio bank account sends routingNumber.'),
  field(
    'add-ach.encryptedBankAccountNumber',
    'Adding a Nexio bank account sends encryptedBankAccountNumber.',
  ),
  field('add-ach.accountHolderName', 'Adding a Nexio bank account sends accountHolderName.'),
  field('add-ach.email', 'Adding a Nexio bank account sends email.'),
  field('add-ach.billingAddress', 'Adding a Nexio bank account sends billingAddress.'),
  field('add-ach.lastFour', 'Adding a Nexio bank account sends lastFour.'),
  call('update-card', 'PUT to the nexio cards path updates a card.'),
  call('delete', 'DELETE on /v1/ec/nexio/cards with {id} removes a card.'),
  call('default', 'PUT /v1/ec/nexio/customer-default-source with {id} sets the default.', {
    source: 'payments §7; decisions §2',
  }),
]);

/** Authorize.Net and Nexio. */
export const rows: readonly Row[] = [
  ...authorize,
  ...authorizeRules,
  ...authorizeCalls,
  ...nexio,
  ...nexioRules,
  ...nexioCalls,
];
