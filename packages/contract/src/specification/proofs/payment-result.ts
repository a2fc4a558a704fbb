import { inBrowser, type Proof, type Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const flow = (title: string) => by('apps/web/src/lib/bulk-pay/bulk-flow.test.ts', title);
const ends = (title: string) => by('apps/web/src/lib/bulk-pay/outcome-screens.test.tsx', title);
const e2e = (title: string) => by('e2e/bulk-pay.spec.ts', title);
const served = (...titles: string[]) => by('apps/api/src/features/bulk-pay/confirm.test.ts', ...titles);
const read = by(
  'apps/web/src/features/payment-result/returned.test.ts',
  'reads payment_intent, payment_intent_client_secret, source_type and req_uid',
);
const sent = flow('sends what the address brought, and shows how it ended');
const back = e2e('a new card asks its bank, which sends the payer back to the result');
const unknown = ends('one that cannot be found: failed, without a word about what was charged');
const nobody = by('e2e/bulk-pay-doubt.spec.ts', 'a payment nobody knows has failed, with whom to ask');

/** Tests that prove rows of payment-result: row id to file and title. */
export const proofs: Proofs = {
  'decisions.6.return-method': [
    {
      file: 'e2e/payment-methods.spec.ts',
      title: '3-D Secure: there and back, and the card is there; refused at the bank, it is not',
    },
  ],
  'payments.result.screen.page': back,
  'payments.result.field.query.payment_intent': read,
  'payments.result.field.query.payment_intent_client_secret': read,
  'payments.result.field.query.source_type': read,
  'payments.result.field.query.req_uid': read,
  'payments.result.sends': sent,
  'payments.result.control.loader': [
    ...by(
      'apps/web/src/features/payment-result/payment-result-page.test.tsx',
      'shows a loader until it is known how the payment ended',
    ),
    inBrowser('specified-screens', 'the result of a payment shows a loader'),
  ],
  'payments.result.text.success': [
    ...ends('a payment that went through: what was paid to whom, and where the receipt goes'),
    ...back,
  ],
  'payments.result.text.failure': [...unknown, ...nobody],
  'payments.result.text.advice': [...unknown, ...nobody],
  'payments.result.error.call-failed': [
    ...flow('a definite error of the server is Payment Failed, with its message'),
    ...flow('a network fault is not a failure: it is asked again'),
    ...nobody,
  ],
  'payments.result.call.confirmation': served(
    'asks the gateway, whatever the return address says',
    'tells anybody who has the session’s id how it stands, and nothing more',
  ),
  'decisions.6.confirmation-req-uid': served(
    'needs only reqUid of a signed-in customer: the session’s, or an attempt’s of theirs',
    'tells anybody who has the session’s id how it stands, and nothing more',
  ),
  'decisions.6.return-signed-in': by(
    'apps/api/src/features/bulk-pay/pay.test.ts',
    'sends the browser to the bank and back to /payment-result at the brand’s host',
  ),
  'payments.result.field.confirmation.paymentIntent': sent,
  'payments.result.field.confirmation.paymentIntentClientSecret': read,
  'payments.result.field.confirmation.sourceType': sent,
  'payments.result.field.confirmation.reqUid': sent,
};
