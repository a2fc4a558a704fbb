import { expect, it } from 'vitest';
import { keptSearch, returnedFrom } from './returned.ts';

it('reads payment_intent, payment_intent_client_secret, source_type and req_uid [payments.result.field.query.*, payments.result.field.confirmation.paymentIntentClientSecret]', () => {
  const search = '?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret&source_type=card&req_uid=s-1';
  expect(returnedFrom(search)).toEqual({
    paymentIntent: 'pi_1',
    paymentIntentClientSecret: 'pi_1_secret',
    sourceType: 'card',
    reqUid: 's-1',
  });
});

it('needs only req_uid, and keeps only that in the address', () => {
  expect(returnedFrom('?req_uid=s-1')).toEqual({ reqUid: 's-1' });
  expect(keptSearch({ reqUid: 's-1', paymentIntentClientSecret: 'pi_1_secret' })).toBe('?req_uid=s-1');
});

it('sends what there is even without req_uid: the server says what it thinks of it', () => {
  expect(returnedFrom('?payment_intent=pi_1')).toEqual({ reqUid: '', paymentIntent: 'pi_1' });
  expect(keptSearch({ reqUid: '' })).toBe('');
});

it('is undefined when the page was simply opened', () => {
  expect(returnedFrom('')).toBeUndefined();
  expect(returnedFrom('?other=1')).toBeUndefined();
});
