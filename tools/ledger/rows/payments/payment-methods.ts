import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'payments.methods', source: 'payments §2 Payment methods' }, [
  screen('page', '/payment-types shows the saved payment methods.'),
  rule('not-enabled', 'If the payments section is not enabled, the user is redirected to /dashboard.', {
    source: 'payments §2 Payment methods, §6; decisions §1',
  }),
  control('loader', 'A loader shows while loading.'),
  control('loader-adding', 'A loader shows while a card is being added.'),
  screen('cards', 'The page has a card list.'),
  screen('direct-debit', 'The page has a direct-debit list.'),
  text('title.direct-debit', 'The title of the direct-debit list.', 'Direct Debit'),
  text('title.ach', 'The title of the direct-debit list for ACH.', 'ACH'),
  text('title.bacs', 'The title of the direct-debit list for BACS.', 'BACS'),
  text('title.sepa', 'The title of the direct-debit list for SEPA.', 'SEPA'),
  screen('auto-pay', 'The page has an Auto-Pay area.', 'Auto-Pay'),
  screen('modal.add-card', 'A modal adds a card.'),
  screen('modal.edit-card', 'A modal edits a card.'),
  screen('modal.remove', 'A modal removes a payment method.'),
  screen('modal.add-bank', 'A modal adds a bank account.'),
  screen('modal.edit-direct', 'A modal edits a direct method.'),
  screen('modal.allow-charge', 'A modal confirms that the reseller may charge.'),
  rule('disclaimer', 'A payment-type disclaimer (paymentTypeDisclaimer) is shown for some providers.'),
  rule('closing-clears', 'Closing any modal clears its form.'),
  rule('default-unless-expired', 'A card can be set as default unless expired.', {
    source: 'payments §2 Payment methods, §5',
  }),
  text('empty.name', 'What stands for an empty name on detail views.', {
    text: 'No name provided',
    source: 'portal §8; payments §2 Payment methods',
  }),
  text('empty.address-1', 'What stands for an empty first address line on detail views.', {
    text: 'No Address 1 provided',
    source: 'portal §8; payments §2 Payment methods',
  }),
  text('empty.other', 'Other empty fields on detail views show similar texts.', {
    source: 'portal §8; payments §2 Payment methods',
  }),
  constant('split-inputs', 'A reseller with id 8266 uses separate card-number and expiry inputs.', {
    source: 'portal §6, §9; payments §2 Payment methods, §9',
  }),
  rule('keep', 'A customer can keep saved cards and direct-debit bank accounts.', { source: 'payments §1' }),
]);

const menu = section({ prefix: 'payments.methods.menu', source: 'payments §6; decisions §1' }, [
  rule('payments-off', 'With payments.enabled false the Payment Types menu is hidden.', {
    source: 'decisions §1',
  }),
  rule('code-0', 'With code 0 the Payment Types menu is hidden.', { source: 'decisions §1' }),
  rule('route-to-dashboard', 'Where the menu is hidden for these reasons, the route leads to /dashboard.', {
    source: 'decisions §1',
  }),
  rule('codes', 'The menu is shown for the codes 1, 2, 4, 5, 6, 8, 10 and 12.', {
    source: 'payments §1, §6; decisions §1',
  }),
  rule('reseller-charge', 'The menu is shown if the reseller-charge setting does not hide payment types.'),
  rule('super-user', 'The menu is shown for a super user.', {
    source: 'portal §6; payments §6; decisions §1',
  }),
]);

const states = section({ prefix: 'payments.methods', source: 'payments §4' }, [
  rule('add-updates-list', 'A successful add updates the list and closes the popup for most types.'),
  // Which types: those that save in a frame of their own (IPpay). The page of the others reads its list again.
  rule('add-reloads', 'A successful add reloads the page for some types.'),
  rule('add-requires-action', 'If the server answers requires_action, the browser goes to redirectToUrl.'),
  error('add-other', "A failed add shows the response error, the server's message.", {
    source: 'payments §4, §8',
  }),
  error('add-500', 'A failed add with status 500.', {
    text: 'Your card was declined',
    source: 'payments §4, §8',
  }),
  rule('add-failure-loader', 'The loader stops when an add fails.'),
  rule('update-success', 'A successful update updates the list or reloads.'),
  rule('update-failure-closes', 'A failed update closes the popup.'),
  error('update-failure', 'A failed update is logged only.', { source: 'payments §4, §8' }),
  rule('delete-default', 'Deleting a default card makes the first remaining card default.'),
  rule('default-updates', 'Setting a default updates the flags.'),
  // The same types, and all others too: the page reads its list from the server again.
  rule('default-reloads', 'Setting a default reloads the page for some provider types.'),
  error('default-failure', 'A failed change of the default shows the message of the response.', {
    source: 'payments §8',
  }),
  error('default-expired', "A message with 'The credit card has expired' is shown in other words.", {
    text: 'Your credit card has expired. Please add a new one and try again',
    source: 'payments §8',
  }),
  error('expired', 'What is said of an expired card.', {
    text: 'Your credit card has expired. Please add a new one and try again',
    source: 'payments §5, §8',
  }),
]);

const calls = section({ prefix: 'payments.methods', source: 'payments §7' }, [
  call('list', 'GET /v1/ec/payments/payment-methods lists bank methods for types 0 and 1.'),
  call('cards', 'GET /v1/ec/payments/cards lists cards for types 0, 1 and 6.'),
  call('details', 'GET /v1/ec/payments/details answers what the gateway can do and the payment settings.'),
  call('add', 'POST to the cards paths adds a card.'),
  field('add.token', 'The add payload carries a token (card id or token).'),
  field('add.email', 'The add payload carries email.'),
  field('add.cardholder', 'The add payload carries the cardholder for type 6.'),
  field('add.form', 'The add payload carries the whole form for types 2 and 8.'),
  field('add.provider-type', 'The add payload carries the provider type.'),
  call('update', 'PUT to the payments cards path updates a card.'),
  call('delete-card', 'DELETE on the cards path of the provider with {id} removes a card.'),
  call('detach', 'DELETE on /v1/ec/payments/payment-methods/{id}/detach removes a bank method.'),
]);

const defaults = section({ prefix: 'decisions.2', source: 'payments §7; decisions §2' }, [
  call(
    'default-source',
    'PUT /v1/ec/payments/customer-default-source sets the default for types 0, 1, 6 and 12.',
  ),
  field('default-source.id', 'Setting the default sends {id}.'),
  rule('bank-accounts', "Bank accounts are listed on the list path of that provider's bank accounts.", {
    source: 'decisions §2',
  }),
]);

const settings = section({ prefix: 'payments.settings', source: 'payments §3' }, [
  field('paymentType', 'Payment settings have a numeric paymentType.'),
  field('publishableKey', 'Payment settings have publishableKey.'),
  field('paymentTypeDisclaimer', 'Payment settings have paymentTypeDisclaimer.'),
  field('directDebitPaymentMethodId', 'Payment settings have directDebitPaymentMethodId.'),
  constant('direct-debit-other', 'For other providers than Stripe 1 enables direct debit.'),
  constant('direct-debit-ach', 'For providers 2 and 8 it means ACH.'),
  field('paymentEmailReceipt', 'Payment settings have paymentEmailReceipt.'),
  field('paymentBillingAddressRequired', 'Payment settings have paymentBillingAddressRequired.'),
]);

const decided = section({ prefix: 'decisions.4', source: 'decisions §4' }, [
  rule('one-gateway', 'A reseller has one gateway at a time.'),
  rule('old-methods-kept', 'After a change of gateway old methods are kept.'),
  rule('old-methods-not-offered', 'After a change of gateway old methods are not offered.'),
  rule('first-remaining', 'The first remaining method is the oldest, cards before bank accounts.', {
    source: 'payments §4; decisions §4',
  }),
  rule('last4-as-given', 'last4 and the like are shown as the gateway gives them, two to four digits.', {
    source: 'decisions §6',
  }),
]);

/** Payment methods: screen, menu, states, calls, settings. */
export const rows: readonly Row[] = [
  ...page,
  ...menu,
  ...states,
  ...calls,
  ...defaults,
  ...settings,
  ...decided,
];
