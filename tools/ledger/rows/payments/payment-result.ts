import { call, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'payments.result', source: 'payments §2 Payment result' }, [
  screen('page', '/payment-result shows the result of a payment.', {
    source: 'payments §1, §2 Payment result',
  }),
  field('query.payment_intent', 'The page reads payment_intent from the query string.'),
  field(
    'query.payment_intent_client_secret',
    'The page reads payment_intent_client_secret from the query string.',
  ),
  field('query.source_type', 'The page reads source_type from the query string.'),
  field('query.req_uid', 'The page reads req_uid from the query string.'),
  rule('sends', 'The page sends what it read to the server.'),
  control('loader', 'The page shows a loader.'),
  text('success', 'The payment succeeded.', 'Payment Successful'),
  text('failure', 'The payment failed.', {
    text: 'Payment Failed',
    source: 'payments §2 Payment result, §8',
  }),
  text('advice', 'A failure shows the contact-support text.', {
    text: 'Please try again later. If the problem persists, contact support',
  }),
  error('call-failed', "An error of the payment result shows the 'Payment Failed' screen.", {
    source: 'payments §8',
  }),
]);

const calls = section({ prefix: 'payments.result', source: 'payments §7' }, [
  call('confirmation', 'POST /v1/ec/payments/confirmation/result confirms a payment.'),
  field('confirmation.paymentIntent', 'Confirming sends paymentIntent.'),
  field('confirmation.paymentIntentClientSecret', 'Confirming sends paymentIntentClientSecret.'),
  field('confirmation.sourceType', 'Confirming sends sourceType.'),
  field('confirmation.reqUid', 'Confirming sends reqUid.'),
]);

const decided = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  rule('confirmation-req-uid', 'confirmation/result needs only reqUid.'),
  rule('return-method', 'The return address of adding a method is /payment-types.'),
  rule('return-signed-in', 'The return address of a signed-in payment is /payment-result?req_uid=….'),
]);

/** The payment result page. */
export const rows: readonly Row[] = [...page, ...calls, ...decided];
