import { inBrowser, type Proof, type Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const routes = 'apps/api/src/features/public-pay/routes.test.ts';
const priced = by(
  'apps/api/test/paying-answers.test.ts',
  'prices by the fee of this brand and of a card, which is no part of the amount due',
);

const flow = (...titles: string[]) => by('apps/web/src/lib/bulk-pay/bulk-flow.test.ts', ...titles);
const lines = (...titles: string[]) => by('apps/web/src/lib/bulk-pay/intent-rows.test.ts', ...titles);
const ends = (...titles: string[]) => by('apps/web/src/lib/bulk-pay/outcome-screens.test.tsx', ...titles);
const begun = (...titles: string[]) => by('apps/web/src/lib/bulk-pay/bulk-requests.test.ts', ...titles);
const page = (...titles: string[]) => by('apps/web/src/features/bulk-pay/checkout.test.tsx', ...titles);
const button = (...titles: string[]) => by('apps/web/src/features/bulk-pay/pay-act.test.ts', ...titles);
const card = (...titles: string[]) => by('apps/web/src/features/bulk-pay/new-card.test.tsx', ...titles);
const e2e = (...titles: string[]) => by('e2e/bulk-pay.spec.ts', ...titles);

const summary = page('shows the summary: invoices with amounts, adjustments, a bold total, the company');
const offered = page('offers saved cards, bank methods and a new one, and none is chosen');
const adjusted = lines('have adjustments as a deduction when they are above 0');
const fees = lines('have the fee of a card, or that of a bank account, never both');
const summed = lines('is without a fee until a method is chosen, then with that of its kind');
const paid = ends('a payment that went through: what was paid to whom, and where the receipt goes');
const failed = ends('a failed one: the error, that nothing was charged, and whom to ask');
const keyboard = e2e('by keyboard alone: three invoices are chosen and paid with a saved card, once');
const newCard = e2e('a new card asks its bank, which sends the payer back to the result');
const declined = e2e('a declined card: nothing was charged, and the next try begins anew');
const fields = card('has card holder, receipt and, where the brand asks for it, all of the billing address');
const requested = flow('requested with a random id, then loaded with what the server priced');
const paying = flow('sends uid, method and type with a key of its own, ends paid and refreshes the intent');
const failing = flow('fails with the message of the answer, which is kept, and the session is over');
const idle = flow('idle without a matching id: everything is reset, and nobody is asked');
const invalid = flow('not when the intent is invalid: idle, the reason is kept, the id matches no more');
const unknown = e2e('an unknown id leads to the invoices; a reload keeps a known one');

const intents = (...titles: string[]) => by('apps/api/src/features/bulk-pay/intents.test.ts', ...titles);
const pays = (...titles: string[]) => by('apps/api/src/features/bulk-pay/pay.test.ts', ...titles);
const refusals = (...titles: string[]) => by('apps/api/src/features/bulk-pay/refusals.test.ts', ...titles);
const credits = (...titles: string[]) => by('apps/api/src/features/bulk-pay/credit.test.ts', ...titles);
const server = intents(
  'prices the customer’s invoices in their order, with both fee lines and a total without fee',
);
const chosen = pays('takes the total and the fee once by %s');
const token = pays('takes a new card by its one-time token, which is stored nowhere, and says what it was');
const refused = refusals('%s is refused without calling the gateway');
const receipt = pays('sends one receipt, to the typed address, else the customer’s');
const challenge = pays('sends the browser to the bank and back to /payment-result at the brand’s host');
const deducted = intents('deducts the customer’s unapplied credit of that currency, never below 0');
const again = pays('is failed with the gateway’s words, and may be tried again with another card');
const each = (names: readonly string[], proof: readonly Proof[]): Proofs =>
  Object.fromEntries(names.map((name) => [`payments.bulk.${name}`, proof]));

/** What the server prices, takes and answers. */
const served: Proofs = {
  ...each(
    [
      ...['id', 'sessionId', 'status', 'companyName', 'total', 'adjustmentsTotal', 'invoices'].map(
        (name) => `field.intent.${name}`,
      ),
      ...['field.intent.invoiceNumber', 'field.intent.invoiceAmount'],
      ...['constant.fee-card-number', 'constant.fee-bank-number', 'call.intents', 'field.intents.invoiceIds'],
      ...['invoices', 'total', 'adjustmentsTotal', 'sessionId', 'companyName', 'status'].map(
        (name) => `field.intents.answer.${name}`,
      ),
    ],
    server,
  ),
  'payments.bulk.field.intent.error': again,
  ...each(['call.pay', 'field.pay.uid', 'field.pay.cardId', 'field.pay.answer.status'], chosen),
  ...each(['field.pay.cardHolder', 'field.pay.billingAddress'], [...token, ...refused]),
  'payments.bulk.field.pay.type': refused,
  'payments.bulk.field.pay.email': receipt,
  'payments.bulk.field.pay.answer.redirectToUrl': challenge,
  'decisions.6.fee-both': server,
  'decisions.6.total-without-fee': [...server, ...chosen],
  'decisions.6.adjustments-credit': [
    ...deducted,
    ...credits('pays a part: the gateway takes the rest and the fee on it, the ledger has both'),
  ],
  'decisions.6.adjustments-total': deducted,
  'decisions.6.adjustments-floor': deducted,
  'decisions.6.adjustments-settle': credits('pays all without gateway, fee and method, once, with a receipt'),
};

/** Tests that prove rows of bulk-pay: row id to file and title. */
export const proofs: Proofs = {
  ...served,
  'payments.bulk.screen.page': keyboard,
  'payments.bulk.text.summary': [...summary, inBrowser('bulk-pay', 'by keyboard alone: three invoices')],
  'payments.bulk.summary-invoices': [...summary, ...lines('are each invoice number with its amount')],
  'payments.bulk.summary-fees': fees,
  'payments.bulk.text.adjustments': [...adjusted, inBrowser('bulk-pay', 'credit that covers all settles it')],
  'payments.bulk.adjustments-above-0': adjusted,
  'payments.bulk.text.total': [...summary, ...keyboard],
  'payments.bulk.control.method': [...offered, inBrowser('bulk-pay', 'by keyboard alone: three invoices')],
  'payments.bulk.control.new-method': [...offered, inBrowser('bulk-pay', 'a new card asks its bank')],
  'payments.bulk.new-method-when': page('offers a new method only where the provider allows it inline'),
  'payments.bulk.control.pay': [
    ...button("reads 'Pay' when saved methods exist, otherwise 'Continue'"),
    inBrowser('bulk-pay', 'by keyboard alone: three invoices'),
  ],
  'payments.bulk.control.continue': [
    ...button("reads 'Pay' when saved methods exist, otherwise 'Continue'"),
    inBrowser('bulk-pay', 'without a saved method Continue leads to the form'),
  ],
  'payments.bulk.button-disabled': [
    ...button('is disabled until a method is chosen when methods exist, and says why'),
    ...keyboard,
  ],
  'payments.bulk.button-above-0': page(
    'shows Pay only when the total is above 0; credit has a button of its own',
  ),
  'payments.bulk.error.no-method': page(
    'says how to configure a method where none is saved and one is required',
  ),
  'payments.bulk.invalid-intent': [...invalid, ...unknown],
  'payments.bulk.screen.success': [...paid, ...keyboard],
  'payments.bulk.text.success.title': [...paid, inBrowser('bulk-pay', 'by keyboard alone: three invoices')],
  'payments.bulk.text.success.amount': [...paid, inBrowser('bulk-pay', 'by keyboard alone: three invoices')],
  'payments.bulk.text.success.receipt': [
    ...paid,
    ...ends('no receipt where none was asked for'),
    inBrowser('bulk-pay', 'by keyboard alone: three invoices'),
  ],
  'payments.bulk.screen.failure': [...failed, ...declined],
  'payments.bulk.text.failure.title': [
    ...failed,
    inBrowser('bulk-pay', 'a declined card: nothing was charged'),
  ],
  'payments.bulk.failure.error': failed,
  'payments.bulk.text.failure.advice': [
    ...failed,
    inBrowser('bulk-pay', 'a declined card: nothing was charged'),
  ],
  'payments.bulk.new-card.field.number': newCard,
  'payments.bulk.new-card.field.expiry': newCard,
  'payments.bulk.new-card.field.cvc': newCard,
  'payments.bulk.new-card.field.holder': fields,
  'payments.bulk.new-card.holder-required': card(
    'the card holder name is required and marked, whatever the brand says',
  ),
  'payments.bulk.new-card.field.email': fields,
  'payments.bulk.new-card.field.address': fields,
  'payments.bulk.new-card.field.city': fields,
  'payments.bulk.new-card.field.state': fields,
  'payments.bulk.new-card.field.zip': fields,
  'payments.bulk.new-card.field.country': fields,
  'payments.bulk.new-card.address-required': fields,
  'payments.bulk.new-card.control.confirm': [
    ...button("is 'Confirm and Pay' of the form for a new card, and names what is missing"),
    inBrowser('bulk-pay', 'a new card asks its bank'),
  ],
  'payments.bulk.new-card.red-border': newCard,
  'payments.bulk.constant.status-0': idle,
  'payments.bulk.status-0-redirects': [...invalid, ...unknown],
  'payments.bulk.constant.status-1': requested,
  'payments.bulk.status-1-set': [...requested, ...keyboard],
  'payments.bulk.status-1-id': begun('has an id of its own, and outlives a reload with its session'),
  'payments.bulk.constant.status-2': requested,
  'payments.bulk.constant.status-3': paying,
  'payments.bulk.status-3-cleared': paying,
  'payments.bulk.constant.status-4': failing,
  'payments.bulk.status-4-message': failing,
  'payments.bulk.status-4-cleared': failing,
  'payments.bulk.constant.status-5': flow('resolves by itself, whether it ends well or not'),
  'payments.bulk.no-matching-id': [...idle, ...unknown],
  'payments.bulk.flow-form': newCard,
  'payments.bulk.flow-loader': page('while paying nothing can be changed'),
  'payments.bulk.flow-requires-action': [
    ...flow('goes to redirectToUrl when the answer requires action, and stays loaded'),
    ...newCard,
  ],
  'payments.bulk.flow-ends': paying,
  'payments.bulk.flow-refreshed': paying,
  'payments.bulk.flow-error': flow(
    'shows the response message of a refusal, else Oops, something went wrong',
  ),
  'payments.bulk.error.flow-default': flow(
    'shows the response message of a refusal, else Oops, something went wrong',
  ),
  'payments.bulk.fee-bank': fees,
  'payments.bulk.fee-card': [...fees, ...keyboard],
  'payments.bulk.fee-added': summed,
  'decisions.6.fee-per-brand': priced,
  'decisions.6.fee-parts': by(
    'packages/domain/src/fee.test.ts',
    'due %i at %i bp + %i, cap %s: %i',
    'never falls below 0, never exceeds the cap',
  ),
  'decisions.6.fee-once': by(routes, 'takes the amount due and the fee once and marks the invoice paid'),
  'decisions.6.fee-not-due': [
    ...priced,
    ...by(
      'apps/api/src/features/invoices/figures.test.ts',
      'amount is the total, the fee is no part of what is due',
    ),
  ],
};
