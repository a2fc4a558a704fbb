import { describe, expect, it } from 'vitest';
import {
  bulkPayer,
  challenge,
  fixture,
  ids,
  PATH,
  rows,
  token,
} from '../../../../test/fixtures/paying/bulk-fixture.ts';

const RESULT = `${PATH}/confirmation/result`;
const anonymously = (payload: object, headers: Record<string, string> = {}) =>
  fixture.app.inject({ method: 'POST', url: RESULT, payload, headers });

async function challenged() {
  const payer = await bulkPayer();
  const intent = await payer.intent(ids(await payer.invoices(2)));
  fixture.gateway.onCharge = challenge;
  const asked = await payer.paid(intent.sessionId, token);
  return { payer, reqUid: intent.sessionId, attemptId: asked.attemptId ?? '' };
}

describe('confirmation/result', () => {
  it('needs only reqUid of a signed-in customer: the session’s, or an attempt’s of theirs [decisions.6.confirmation-req-uid]', async () => {
    const { payer, reqUid, attemptId } = await challenged();
    for (const id of [reqUid, attemptId]) {
      const answer = await payer.call('POST', RESULT, { reqUid: id });
      expect(answer.json().data).toMatchObject({ status: 'failed', attemptId });
    }
  });

  it('takes what the return address did not bring as null', async () => {
    const { reqUid } = await challenged();
    fixture.gateway.onLookup = async () => challenge();
    const body = {
      reqUid,
      uid: null,
      paymentIntent: null,
      paymentIntentClientSecret: null,
      sourceType: null,
    };
    expect((await anonymously(body)).json()).toEqual({ data: { status: 'requires_action' } });
  });

  it('asks the gateway, whatever the return address says [payments.result.call.confirmation]', async () => {
    const { payer, reqUid } = await challenged();
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    const body = {
      reqUid,
      paymentIntent: 'pi_1',
      paymentIntentClientSecret: 'pi_1_secret',
      sourceType: 'card',
    };
    const first = await payer.call('POST', RESULT, body);
    expect(first.json().data).toMatchObject({ status: 'succeeded', reference: expect.any(String) });
    const again = await payer.call('POST', RESULT, body);
    expect(again.json().data).toEqual(first.json().data);
    expect(await payer.money()).toMatchObject({ paid: 22_000, due: 0 });
  });

  it('tells anybody who has the session’s id how it stands, and nothing more [payments.result.call.confirmation, decisions.6.confirmation-req-uid]', async () => {
    const { reqUid } = await challenged();
    fixture.gateway.onLookup = async () => challenge();
    expect((await anonymously({ reqUid })).json()).toEqual({ data: { status: 'requires_action' } });
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    expect((await anonymously({ reqUid })).json()).toEqual({ data: { status: 'succeeded' } });
  });

  it('tells another customer no more than anybody', async () => {
    const { reqUid, attemptId } = await challenged();
    const other = await bulkPayer();
    fixture.gateway.onLookup = async () => challenge();
    expect((await other.call('POST', RESULT, { reqUid })).json()).toEqual({
      data: { status: 'requires_action' },
    });
    const foreign = await other.call('POST', RESULT, { reqUid: attemptId });
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'payment.unknownAttempt']);
  });

  it('tells nobody by an attempt’s id, our own session id, or one that nothing has', async () => {
    const { payer, attemptId } = await challenged();
    const [row] = await rows<{ id: string }>('select id from pay_session where customer_id = $1', [
      payer.customerId,
    ]);
    for (const reqUid of [attemptId, row?.id ?? '', 'x'.repeat(24), '']) {
      const answer = await anonymously({ reqUid });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'payment.unknownAttempt']);
    }
  });

  it('a session without an attempt has no status', async () => {
    const payer = await bulkPayer();
    const { sessionId: reqUid } = await payer.intent(ids(await payer.invoices(1)));
    for (const answer of [await anonymously({ reqUid }), await payer.call('POST', RESULT, { reqUid })])
      expect(answer.json().code).toBe('payment.unknownAttempt');
  });

  it('tells of a session that credit has paid', async () => {
    const payer = await bulkPayer();
    await payer.credit(11_000n);
    const { sessionId: reqUid } = await payer.intent(ids(await payer.invoices(1)));
    await payer.paid(reqUid);
    expect((await anonymously({ reqUid })).json()).toEqual({ data: { status: 'succeeded' } });
    expect((await payer.call('POST', RESULT, { reqUid })).json().data).toMatchObject({
      status: 'succeeded',
      reference: expect.any(String),
    });
  });

  it('a sign-in that has ended is refused as everywhere, so that the portal renews it', async () => {
    const { reqUid } = await challenged();
    const answer = await anonymously({ reqUid }, { authorization: 'Bearer x.y.z' });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'session.ended']);
  });

  it('random ids: 24 letters, of public payments too', async () => {
    const { payer } = await challenged();
    const [invoice] = await payer.invoices(1);
    await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: {
        uid: invoice?.token,
        invoiceAmount: '110.00',
        invoiceNumber: invoice?.number,
        cardToken: 'tok_visa',
      },
    });
    const found = await rows<{ public_id: string; customer_id: string }>(
      `select s.public_id, r.customer_id from pay_session s left join pay_session_ref r on r.public_id = s.public_id
        where s.customer_id = $1`,
      [payer.customerId],
    );
    expect(found).toHaveLength(2);
    for (const { public_id, customer_id } of found) {
      expect(public_id).toMatch(/^[A-Za-z]{24}$/);
      expect(customer_id).toBe(payer.customerId);
    }
  });
});
