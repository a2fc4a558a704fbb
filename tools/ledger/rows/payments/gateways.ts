import { call, constant, control, error, field, type Row, rule, section } from '../../row.ts';

const codes = section({ prefix: 'payments.gateway', source: 'payments §1; decisions §1' }, [
  constant('code.0', 'Code 0 is none.'),
  constant('code.1', 'Code 1 is Stripe, the card provider with bank-debit variants.'),
  constant('code.2', 'Code 2 is Authorize.Net, an ACH and card provider.'),
  constant('code.4', 'Code 4 is IPpay, with an embedded hosted frame.'),
  constant('code.5', 'Code 5 is Moneris.'),
  constant('code.6', 'Code 6 is Pinch, which tokenises cards.'),
  constant('code.8', 'Code 8 is Nexio, with ACH.'),
  constant('code.10', 'Code 10 is BPOINT.'),
  constant('code.12', 'Code 12 is GoCardless, the further bank-payments provider.'),
  rule('adapts', 'The payments area adapts to the payment provider configured for the reseller.', {
    source: 'payments §1',
  }),
  rule('autorize-kept', "'autorize' in paths is kept as written.", {
    text: 'autorize',
    source: 'decisions §1',
  }),
]);

const stripe = section({ prefix: 'payments.stripe', source: 'payments §3' }, [
  field('stripeCard.brand', 'stripeCard has brand.'),
  field('stripeCard.last4', 'stripeCard has last4.'),
  field('stripeCard.name', 'stripeCard has name.'),
  field('stripeCard.expMonth', 'stripeCard has expMonth.'),
  field('stripeCard.year', 'stripeCard has year.'),
  field('aubecsDebit.bsbNumber', 'aubecsDebit has bsbNumber.'),
  field('aubecsDebit.last4', 'aubecsDebit has last4.'),
  field('bacsDebit.sort_code', 'bacsDebit has sort_code.'),
  field('bacsDebit.last4', 'bacsDebit has last4.'),
  field('sepaDebit.bank_code', 'sepaDebit has bank_code.'),
  field('sepaDebit.last4', 'sepaDebit has last4.'),
  field('sepaDebit.country', 'sepaDebit has country.'),
  field('usbankAccount.routing_number', 'usbankAccount has routing_number.'),
  field('usbankAccount.last4', 'usbankAccount has last4.'),
  constant('direct-debit-1', 'directDebitPaymentMethodId 1 is AU BECS.'),
  constant('direct-debit-2', 'directDebitPaymentMethodId 2 is US bank account.'),
  constant('direct-debit-3', 'directDebitPaymentMethodId 3 is BACS.'),
  constant('direct-debit-4', 'directDebitPaymentMethodId 4 is SEPA.'),
  rule('card-country', 'Adding a Stripe card needs a country.', { source: 'payments §5' }),
  constant('account-name-min', 'A Stripe account name has at least 4 characters.', { source: 'payments §5' }),
  rule('debit-name', 'Stripe direct debit needs a name.', { source: 'payments §5' }),
  rule('debit-email', 'Stripe direct debit needs an e-mail matching a simple address pattern.', {
    source: 'payments §5',
  }),
  control('debit-mandate', 'Stripe direct debit needs the mandate checkbox.', { source: 'payments §5' }),
  call('setup-intent-get', 'GET /v1/ec/payments/setup-intent answers a setup intent.', {
    source: 'payments §7',
  }),
  call('setup-intent-post', 'POST /v1/ec/payments/setup-intent answers data.data.', {
    source: 'payments §7',
  }),
  field('setup-intent.paymentMethodId', 'The POST of a setup intent sends paymentMethodId.', {
    source: 'payments §7',
  }),
  field('setup-intent.paymentMethodType', 'The POST of a setup intent sends paymentMethodType.', {
    source: 'payments §7',
  }),
  call('checkout-session', 'GET /v1/ec/payments/checkout-session/{id} answers a session id as data.data.', {
    source: 'payments §7; decisions §3',
  }),
  field('checkout-session.url', 'The url of the checkout session stands beside data.', {
    source: 'decisions §3',
  }),
  rule('checkout-redirect', "The session id is used to redirect to the payment provider's checkout.", {
    source: 'payments §7',
  }),
  error('card-area', "Stripe errors show the provider's message in the card error area.", {
    source: 'payments §8',
  }),
  constant('locale', 'Stripe elements have locale en.', { source: 'payments §9' }),
  constant('iban', 'The IBAN input supports SEPA countries.', { source: 'payments §9' }),
]);

const webhooks = section({ prefix: 'decisions.2', source: 'decisions §2' }, [
  call('webhooks', 'POST /v1/webhooks/{gateway}/{resellerId} takes the messages of a gateway.'),
  rule('webhook-signature', 'The signature is verified over the raw body before it is parsed.'),
  rule('webhook-hint', 'Without signatures a message is only a hint to ask the gateway.'),
]);

const entry = section({ prefix: 'decisions.9', source: 'decisions §9' }, [
  rule('tokenisation-default', "The provider's tokenisation is the default where its protocol is confirmed."),
  rule(
    'specified-payload',
    'The specified payload with a card number works where a reseller switches it on.',
  ),
]);

const told = section({ prefix: 'decisions.11', source: 'decisions §11' }, [
  rule('pinch-saves-cards', 'Pinch saves cards only.'),
  rule('pinch-charges-cards', 'Pinch charges cards only.'),
  rule(
    'codes-as-configured',
    "Gateway codes are told as configured, whether or not the gateway's account works.",
  ),
  rule('api-status-account', "apiStatus says that the gateway's account does not work."),
]);

/** Gateway codes, Stripe, webhooks. */
export const rows: readonly Row[] = [...codes, ...stripe, ...webhooks, ...entry, ...told];
