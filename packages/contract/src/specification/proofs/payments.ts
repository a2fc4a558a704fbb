import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const pay = (...titles: string[]) => by('apps/api/src/features/public-pay/routes.test.ts', ...titles);
const challenge = (...titles: string[]) =>
  by('apps/api/src/features/public-pay/challenge.test.ts', ...titles);
const byLink = (...titles: string[]) =>
  by('apps/api/src/features/public-pay/part-payment.test.ts', ...titles);
const engine = (...titles: string[]) => by('apps/api/src/features/payments/engine.test.ts', ...titles);
const reversals = (...titles: string[]) => by('apps/api/src/features/payments/reversals.test.ts', ...titles);
const faults = by('apps/api/test/payments-faults.test.ts', 'afterwards the journal and the books agree');
const simulation = by(
  'apps/api/test/payments-simulation.test.ts',
  'payments under random trouble: each charge booked once, each invoice charged once',
);

const taken = pay('takes the amount due and the fee once and marks the invoice paid');
const refused = pay(
  'tells a decline as failed, with the gateway’s words, and lets the payer try another card',
);
const unknown = pay('never says failed when the outcome is unknown; the reconciler finds the charge');
const sent = challenge('sends the browser to the bank and believes the gateway, not the return address');
const answers = (...titles: string[]) => by('apps/api/test/paying-answers.test.ts', ...titles);
const receipt = answers('goes %s');

/** Tests that prove rows of payments: row id to file and title. */
export const proofs: Proofs = {
  'decisions.3.paying-200': answers('answers %s with HTTP 200'),
  'decisions.3.field.paying.status': taken,
  'decisions.3.field.paying.redirectToUrl': sent,
  'decisions.3.field.paying.message': refused,
  'decisions.3.field.paying.expected': unknown,
  'decisions.3.constant.status-succeeded': taken,
  'decisions.3.constant.status-requires-action': sent,
  'decisions.3.constant.status-processing': unknown,
  'decisions.3.constant.expected-seconds': unknown,
  'decisions.3.constant.status-failed': refused,
  'decisions.3.failed-only-certain': [
    ...unknown,
    ...engine('because %s, the payer is told it is being confirmed, and it is'),
    ...faults,
    ...simulation,
  ],
  'decisions.3.second-try': [
    ...answers('that finds an open one answers its status, with HTTP 200 and no second charge'),
    ...challenge('answers the same request again with the open one'),
  ],
  'decisions.3.paying-4xx': pay('refuses %s without calling the gateway'),
  'decisions.6.part-payment-ledger': challenge(
    'takes what was captured, not what was asked: the invoice stays open for the rest',
  ),
  'decisions.6.part-payment-offered': [
    ...byLink('takes the amount and the fee of that amount, then the rest, and the invoice is paid'),
    ...byLink('refuses %s where the brand does not offer it'),
    ...by(
      'apps/api/src/features/bulk-pay/part-payment.test.ts',
      'two parts pay the invoice, each with the fee of its amount',
      'is refused where the brand does not offer it; all that is due is not a part',
    ),
    ...by(
      'e2e/part-payment.spec.ts',
      'a part is paid by link with the fee of that part, then the rest; the invoice is then paid',
      'signed in: a part of one invoice is priced anew, and cannot be paid before that',
    ),
  ],
  'decisions.6.amount-refused': pay('refuses %s without calling the gateway'),
  'decisions.6.paid': [
    ...by('packages/domain/src/invoice.test.ts', 'is paid or credited exactly when payments + credits'),
    ...faults,
    ...simulation,
  ],
  'decisions.6.refund-not-due': reversals('does not make the invoice due again'),
  'decisions.6.end-never-changes': [
    ...challenge('books money for an ended attempt as the customer’s credit'),
    ...reversals('reopens the invoice once; the fee is not owed again; the attempt keeps its end'),
  ],
  'decisions.6.late-bank-return': reversals('reopens the invoice, and sent again closes it'),
  'decisions.6.late-chargeback': reversals('reopens the invoice once; the fee is not owed again'),
  'decisions.6.late-failure': reversals('reopens the invoice, and sent again closes it'),
  'decisions.6.abandoned-new-attempt': [
    ...challenge('cancels an abandoned one at the gateway before another card is charged'),
    ...by(
      'apps/api/src/features/bulk-pay/abandoned.test.ts',
      'begun as %s: an intent leaves that alone, paying it ends that first, and one charge is made',
    ),
    ...by(
      'e2e/bulk-pay-doubt.spec.ts',
      'an abandoned step at the bank waits in the list: Pay begins anew, and its old page charges nothing',
    ),
  ],
  'decisions.6.constant.abandoned-reconciler': answers(
    'is left alone for 30 minutes and then closed by the reconciler',
  ),
  'decisions.3.constant.expected-days': by(
    'apps/api/src/features/bulk-pay/pay.test.ts',
    'tells a bank debit as submitted, is paid when the bank has confirmed, and sends the receipt then',
  ),
  'decisions.6.receipt-typed': receipt,
  'decisions.6.receipt-on-file': receipt,
  'decisions.6.receipt-bank': by(
    'apps/api/src/features/payments/receipt.test.ts',
    'of a bank debit comes when the bank has confirmed it, not before',
  ),
  'decisions.6.receipt-once': [
    ...answers('is one for a payment, however often it is asked about'),
    ...by(
      'apps/api/src/features/payments/engine-money.test.ts',
      'is sent again with the same id when the process died before it was marked as sent',
    ),
  ],
  'decisions.6.field.Idempotency-Key': pay('answers the same Idempotency-Key with the same attempt'),
  'decisions.6.no-idempotency-key': pay('answers fifty parallel tries with one charge'),
};
