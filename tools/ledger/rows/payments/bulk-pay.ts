import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'payments.bulk', source: 'payments §2 Bulk pay' }, [
  screen('page', '/bulk-pay pays several invoices at once.', { source: 'payments §1, §2 Bulk pay' }),
  text('summary', 'The title of the summary.', 'Payment Summary'),
  rule('summary-invoices', 'The summary shows each invoice number with its amount.'),
  rule('summary-fees', 'The summary shows the fee lines.'),
  text('adjustments', 'The line of adjustments.', 'Adjustments:'),
  rule('adjustments-above-0', 'The adjustments line is shown when adjustments are above 0.'),
  text('total', 'The line of the total, in bold.', 'Total: '),
  control('method', 'A radio list offers the saved cards and bank methods.', 'Select Payment Method'),
  control('new-method', 'The list also offers a new method.', 'New Payment Method'),
  rule(
    'new-method-when',
    'A new method is offered only for the card provider that allows new methods inline.',
  ),
  control('pay', 'The button when saved methods exist.', 'Pay'),
  control('continue', 'The button when no saved methods exist.', 'Continue'),
  rule('button-disabled', 'The button is disabled until a method is chosen when methods exist.'),
  rule('button-above-0', 'The button is shown only when the total is above 0.'),
  error('no-method', 'No saved method exists for a provider that requires one.', {
    text: 'You cannot pay invoices because no default payment method is configured. To configure a payment method, go to Settings → Payment Methods',
  }),
  rule('invalid-intent', 'An invalid payment intent redirects to the invoices list.'),
  screen('success', 'A success screen ends a bulk payment.'),
  text('success.title', 'The title of the success screen.', 'Payment Successful'),
  text('success.amount', 'The amount on the success screen.', {
    text: 'You paid {currency symbol}{amount to 2 decimals} to {company name}',
  }),
  text('success.receipt', 'Shown if an e-mail was given.', 'Receipt will be delivered to {email}'),
  screen('failure', 'A failure screen ends a bulk payment.'),
  text('failure.title', 'The title of the failure screen.', 'Payment Failed'),
  rule('failure.error', 'The failure screen shows the error if any.'),
  text('failure.advice', 'The advice on the failure screen.', {
    text: 'Please try again later. If the problem persists, contact support',
  }),
  screen('frame', 'The IPpay provider shows an embedded payment button in a frame.'),
]);

const form = section({ prefix: 'payments.bulk.new-card', source: 'payments §2 Bulk pay' }, [
  field('number', 'The new-card form has a card number.'),
  field('expiry', 'The new-card form has an expiry date.'),
  field('cvc', 'The new-card form has a CVC.'),
  field('holder', 'The new-card form has a card holder name.', 'Card Holder Name'),
  rule('holder-required', 'The card holder name is required and marked.'),
  field('email', 'The new-card form has an optional e-mail for the receipt.', 'Email Receipt'),
  field('address', 'The new-card form has an optional billing address.'),
  field('city', 'The new-card form has an optional billing city.'),
  field('state', 'The new-card form has an optional billing state.'),
  field('zip', 'The new-card form has an optional billing zip.'),
  field('country', 'The new-card form has an optional billing country.'),
  rule('address-required', 'All billing address fields are required when enabled.'),
  control('confirm', 'The form has a button that pays.', 'Confirm and Pay'),
  rule('red-border', 'Card fields get a red border on error.'),
]);

const intent = section({ prefix: 'payments.bulk', source: 'payments §3' }, [
  field('intent.id', 'A bulk payment intent has id.'),
  field('intent.sessionId', 'A bulk payment intent has sessionId.'),
  field('intent.status', 'A bulk payment intent has a numeric status.'),
  field('intent.error', 'A bulk payment intent has error.'),
  field('intent.companyName', 'A bulk payment intent has companyName.'),
  field('intent.total', 'A bulk payment intent has total.'),
  field('intent.adjustmentsTotal', 'A bulk payment intent has adjustmentsTotal.'),
  field('intent.invoices', 'A bulk payment intent has invoices.'),
  field('intent.invoiceNumber', 'Each of its invoices has invoiceNumber.'),
  field('intent.invoiceAmount', 'Each of its invoices has invoiceAmount.'),
]);

const states = section({ prefix: 'payments.bulk', source: 'payments §4' }, [
  constant('status-0', 'Status 0 is idle or no valid intent.', { source: 'payments §4, §9' }),
  rule('status-0-redirects', 'Status 0 redirects to the invoices list.'),
  constant('status-1', 'Status 1 is requested.'),
  rule('status-1-set', 'Status 1 is set when Pay is clicked on the invoice list.'),
  rule('status-1-id', 'Status 1 comes with a random id.'),
  constant(
    'status-2',
    'Status 2 is loaded: invoices, total, adjustmentsTotal, sessionId, companyName received.',
  ),
  constant('status-3', 'Status 3 is paid and shows the success screen.', { source: 'payments §4, §9' }),
  rule('status-3-cleared', 'In status 3 the session id is cleared.'),
  constant('status-4', 'Status 4 is failed and shows the failure screen.', { source: 'payments §4, §9' }),
  rule('status-4-message', 'In status 4 the message is stored.'),
  rule('status-4-cleared', 'In status 4 the session id is cleared.'),
  constant('status-5', 'Status 5, ours, is being confirmed.', { source: 'decisions §6' }),
  rule('no-matching-id', 'Arriving at /bulk-pay without a matching id resets everything to idle.'),
  rule('flow-form', "Choosing a method or 'New Payment Method' shows the form, then pays."),
  rule('flow-loader', 'A loader shows while paying.'),
  rule(
    'flow-requires-action',
    'If the status is requires_action, the browser goes to the given redirectToUrl.',
  ),
  rule('flow-ends', 'Otherwise the paying state ends.'),
  rule('flow-refreshed', 'Otherwise the intent is refreshed.'),
  rule('flow-error', 'On error the response message is shown.', { source: 'payments §4, §8' }),
  error('flow-default', 'On error without a message.', {
    text: 'Oops, something went wrong',
    source: 'payments §4, §8',
  }),
  error('frame-error', 'The embedded button cannot be loaded.', {
    text: 'Oops, something went wrong',
    source: 'payments §8',
  }),
  rule('fee-bank', 'A bank-account method picks one fee line.'),
  rule('fee-card', 'A card picks another fee line.'),
  rule('fee-added', 'The fee is added to the total.'),
  constant('fee-card-number', 'The fee line of a card has the invoice number CARD_FEE.', {
    text: 'CARD_FEE',
    source: 'payments §4; decisions §6',
  }),
  constant('fee-bank-number', 'The fee line of a bank account has the invoice number BANK_FEE.', {
    text: 'BANK_FEE',
    source: 'payments §4; decisions §6',
  }),
]);

const calls = section({ prefix: 'payments.bulk', source: 'payments §7' }, [
  call('intents', 'POST /v1/ec/payments/intents makes a bulk payment intent.'),
  field('intents.invoiceIds', 'Making an intent sends invoiceIds.'),
  field('intents.answer.invoices', 'data.data of the intent has invoices.', {
    source: 'payments §7; decisions §3',
  }),
  field('intents.answer.total', 'data.data of the intent has total.', {
    source: 'payments §7; decisions §3',
  }),
  field('intents.answer.adjustmentsTotal', 'data.data of the intent has adjustmentsTotal.', {
    source: 'payments §7; decisions §3',
  }),
  field('intents.answer.sessionId', 'data.data of the intent has sessionId.', {
    source: 'payments §7; decisions §3',
  }),
  field('intents.answer.companyName', 'data.data of the intent has companyName.', {
    source: 'payments §7; decisions §3',
  }),
  field('intents.answer.status', 'data.data of the intent has status.', { source: 'decisions §3' }),
  call('pay', 'POST /v1/ec/payments/pay/bulk pays an intent.'),
  field('pay.uid', 'Paying in bulk sends uid.'),
  field('pay.cardId', 'Paying in bulk sends cardId.'),
  field('pay.cardHolder', 'Paying in bulk sends cardHolder.'),
  // Raw cards: taken where an account has chosen so, else refused by name (`payment.rawCard`).
  field('pay.cardNumber', 'Paying in bulk sends cardNumber.'),
  field('pay.expirationDate', 'Paying in bulk sends expirationDate.'),
  field('pay.cardCode', 'Paying in bulk sends cardCode.'),
  field('pay.email', 'Paying in bulk sends email.'),
  field('pay.billingAddress', 'Paying in bulk sends billingAddress.'),
  field('pay.type', 'Paying in bulk sends type.'),
  // Beside cardId, of what BPOINT's saved cards show as their token. Alone it is a new card's one-time token, at any gateway.
  field('pay.cardToken', 'Paying in bulk sends cardToken for type 10 only.'),
  field('pay.answer.status', 'Paying in bulk answers status.'),
  field('pay.answer.redirectToUrl', 'Paying in bulk answers redirectToUrl.'),
]);

const decided = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  rule('fee-both', 'Both fee lines stand in intents.invoices.'),
  rule('total-without-fee', "total is without fee; the chosen method's fee is added."),
  rule('fee-per-brand', 'Fees are set per brand and kind.'),
  rule('fee-parts', 'A fee is basis points plus a fixed amount, with a cap.'),
  rule('fee-once', 'A fee is taken once per payment.'),
  rule('fee-not-due', 'A fee is never part of amountDue.'),
  rule('adjustments-credit', 'Adjustments are unapplied credit used here, shown as a deduction.'),
  rule('adjustments-total', 'total is the sum of dues less adjustments.'),
  rule('adjustments-floor', 'total is never below 0.'),
  rule('adjustments-settle', 'At total 0 the credit settles it without a gateway.'),
]);

/** Bulk pay. */
export const rows: readonly Row[] = [...page, ...form, ...intent, ...states, ...calls, ...decided];
