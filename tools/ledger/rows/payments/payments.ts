import { constant, field, type Row, rule, section } from '../../row.ts';

const answers = section({ prefix: 'decisions.3', source: 'decisions §3' }, [
  rule('paying-200', 'The paying calls answer HTTP 200.'),
  field('paying.status', 'The paying calls answer status.'),
  field('paying.redirectToUrl', 'The paying calls may answer redirectToUrl.'),
  field('paying.message', 'The paying calls may answer message.'),
  field('paying.expected', 'The paying calls may answer expected.'),
  constant('status-succeeded', 'A status is succeeded.', 'succeeded'),
  constant('status-requires-action', 'A status is requires_action.', 'requires_action'),
  constant('status-processing', 'A status is processing.', 'processing'),
  constant('expected-seconds', 'processing has expected seconds while being confirmed.', 'seconds'),
  constant('expected-days', 'processing has expected days for a bank debit on its way.', {
    text: 'days',
  }),
  constant('status-failed', 'A status is failed.', 'failed'),
  rule('failed-only-certain', 'failed is answered only when certainly nothing was taken.'),
  rule('second-try', "A second try while one is open answers the open one's status."),
  rule('paying-4xx', 'The paying calls answer 4xx only for invalid input.'),
]);

const engine = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  rule('part-payment-ledger', 'The ledger always takes part payments.'),
  rule('part-payment-offered', 'Part payment is offered to customers where the brand says so.'),
  rule('amount-refused', 'Otherwise an amount other than due + fee is refused.'),
  rule('paid', 'An invoice is paid if and only if payments + credits − reversals ≥ total.'),
  rule('refund-not-due', 'A refund does not by itself make an invoice due again.'),
  rule('end-never-changes', "An attempt's end never changes."),
  rule('late-bank-return', 'A bank return is a new ledger entry that reopens the invoice.'),
  rule('late-chargeback', 'A chargeback is a new ledger entry that reopens the invoice.'),
  rule('late-failure', 'A late failure is a new ledger entry that reopens the invoice.'),
  rule('abandoned-new-attempt', 'A new attempt by the payer first cancels the open one at the gateway.'),
  constant('abandoned-reconciler', 'The reconciler cancels an abandoned attempt after 30 minutes.'),
  rule('abandoned-cannot-cancel', 'Where the gateway cannot cancel, it is asked until its documented end.'),
  rule('receipt-typed', 'A receipt goes to the typed e-mail.'),
  rule('receipt-on-file', "Else it goes to the customer's e-mail where emailReceipt is on."),
  rule('receipt-once', 'There is one receipt per payment.'),
  rule('receipt-bank', 'For a bank debit the receipt is sent when it is confirmed.'),
  field('Idempotency-Key', 'The header Idempotency-Key is optional on paying calls.'),
  rule('no-idempotency-key', 'Without the header the one open attempt of the session or invoice decides.'),
]);

const afterTheWalk = section({ prefix: 'decisions.11', source: 'decisions §11' }, [
  rule('captured-payer', 'The payer is told what was captured.'),
  rule('captured-mail', 'The mail tells what was captured.'),
  rule('captured-receipt', 'The receipt tells what was captured.'),
  rule('captured-statement', 'The statement tells what was captured.'),
  rule('captured-webhooks', 'Webhooks tell what was captured.'),
  rule('refund-fee', 'A refund of a part gives back the fee in proportion, rounded half up.'),
  rule('refund-fee-last', 'The last refund takes what is left of the fee.'),
  rule('refund-fee-told', 'Every place that tells of a refund says of which fee.'),
]);

/** The payment engine: answers of paying calls, attempts, ledger, receipts. */
export const rows: readonly Row[] = [...answers, ...engine, ...afterTheWalk];
