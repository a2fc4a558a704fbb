import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import {
  begunFlow,
  ended,
  intentOf,
  loadedFlow,
  returnedFlow,
  scripted,
  submission,
  viewOf,
} from './test-support.ts';

const { IDLE, REQUESTED, LOADED, PAID, FAILED, BEING_CONFIRMED } = BulkStatus;
const lost = new ApiError(0, 'client.unreachable', 'The server could not be reached');
const fault = new ApiError(500, 'server.fault', 'x');
const refused = (status: number, code: string, text: string) => new ApiError(status, code as never, text);

describe('a bulk payment begins', () => {
  it('requested with a random id, then loaded with what the server priced [payments.bulk.{constant.status-1,status-1-set,constant.status-2}]', async () => {
    const { flow, seen, requests } = await loadedFlow();
    expect(seen.statuses).toEqual([REQUESTED, LOADED]);
    expect(seen.creates).toEqual([{ invoiceIds: ['i-1', 'i-2', 'i-3'], id: 'id-1' }]);
    expect(flow.view().info).toMatchObject({ total: 2362.91, adjustmentsTotal: 20 });
    expect(requests.find('id-1')?.sessionId).toBe(intentOf().sessionId);
  });
  it('idle without a matching id: everything is reset, and nobody is asked [payments.bulk.constant.status-0, payments.bulk.no-matching-id]', async () => {
    const { requests, paymentOf } = scripted({});
    const id = requests.begin(['i-1']);
    const { flow, seen } = paymentOf('another');
    await flow.start();
    expect(requests.find(id)).toBeUndefined();
    expect(viewOf(flow)).toMatchObject({ status: IDLE, state: 'invalid' });
    expect(seen.creates).toEqual([]);
  });
  it('again after a reload, from the session the server knows', async () => {
    const { flow, seen } = await begunFlow({ read: [intentOf()] }, 'session-0123456789abcdef');
    expect(seen.creates).toEqual([]);
    expect(seen.reads).toEqual(['session-0123456789abcdef']);
    expect(viewOf(flow).status).toBe(LOADED);
  });
  it('not when the intent is invalid: idle, the reason is kept, the id matches no more [payments.bulk.invalid-intent, payments.bulk.status-0-redirects]', async () => {
    const { flow, requests, id } = await begunFlow({
      create: [refused(409, 'payment.alreadyPaid', 'It is paid')],
    });
    expect(viewOf(flow)).toMatchObject({
      status: IDLE,
      state: 'invalid',
      failure: { message: 'It is paid' },
    });
    expect(requests.find(id)).toBeUndefined();
  });
  it('not with the answer to somebody else’s id, nor when nothing of it is left to pay', async () => {
    for (const answer of [intentOf({ id: 'foreign' }), intentOf({ status: IDLE })]) {
      const { flow } = await begunFlow({ create: [answer] });
      expect(viewOf(flow)).toMatchObject({ status: IDLE, state: 'invalid' });
    }
  });
  it('later when the server cannot be reached: it stays requested, and can be asked again', async () => {
    const { flow } = await begunFlow({ create: [lost, intentOf()] });
    expect(viewOf(flow)).toMatchObject({ status: REQUESTED, state: 'loadFailed' });
    expect(flow.view().failure).toBeDefined();
    await flow.retry();
    expect(viewOf(flow)).toMatchObject({ status: LOADED, failure: undefined });
  });
});

describe('paying', () => {
  it('sends uid, method and type with a key of its own, ends paid and refreshes the intent [payments.bulk.{constant.status-3,status-3-cleared,flow-ends,flow-refreshed}]', async () => {
    const { flow, seen, requests } = await loadedFlow({
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [ended('succeeded')],
    });
    await flow.submit(submission);
    expect(seen.pays).toEqual([
      { body: { uid: intentOf().sessionId, cardId: 'c-1', type: 1 }, key: 'key-1' },
    ]);
    expect(seen.reads).toHaveLength(1);
    expect(viewOf(flow)).toMatchObject({ status: PAID, state: 'success' });
    expect(flow.view().outcome).toMatchObject({ reference: 'REF1', amount: '2398.35' });
    expect(requests.find('id-1')).toBeUndefined();
  });
  it('invalidates what is cached and broadcasts paymentWatch once it is paid [decisions.1.cache-payment]', async () => {
    const { flow, seen } = await loadedFlow({ pay: [{ status: 'succeeded' }], read: [ended('succeeded')] });
    expect([seen.changes, seen.announced]).toEqual([0, 0]);
    await flow.submit(submission);
    expect([seen.changes, seen.announced]).toEqual([1, 1]);
  });
  it('once for a double click', async () => {
    const { flow, seen } = await loadedFlow({ pay: [{ status: 'succeeded' }], read: [ended('succeeded')] });
    await Promise.all([flow.submit(submission), flow.submit(submission)]);
    await flow.submit(submission);
    expect(seen.pays).toHaveLength(1);
  });
  it('fails with the message of the answer, which is kept, and the session is over [payments.bulk.{constant.status-4,status-4-message,status-4-cleared}]', async () => {
    const { flow, seen, requests } = await loadedFlow({
      pay: [{ status: 'failed', message: 'Your card was declined', reference: 'REF1' }],
      read: [ended('failed', { message: 'Your card was declined' })],
    });
    await flow.submit(submission);
    expect(viewOf(flow)).toMatchObject({ status: FAILED, outcome: { message: 'Your card was declined' } });
    expect(requests.find('id-1')).toBeUndefined();
    expect(seen.announced).toBe(0);
  });
  it('shows the response message of a refusal, else Oops, something went wrong [payments.bulk.flow-error, payments.bulk.error.flow-default]', async () => {
    for (const [text, shown] of [
      ['This payment method has expired', 'This payment method has expired'],
      ['', 'Oops, something went wrong'],
    ] as const) {
      const { flow } = await loadedFlow({ pay: [refused(409, 'paymentMethod.expired', text)] });
      await flow.submit(submission);
      expect(viewOf(flow)).toMatchObject({ status: FAILED, outcome: { message: shown } });
    }
  });
  it('fails at once while payments are paused, and is not sent again', async () => {
    const paused = refused(503, 'payments.paused', 'Payments are paused');
    const { flow, seen } = await loadedFlow({ pay: [paused] });
    await flow.submit(submission);
    expect(viewOf(flow)).toMatchObject({ status: FAILED, outcome: { message: 'Payments are paused' } });
    expect(seen.pays).toHaveLength(1);
  });
  it('goes to redirectToUrl when the answer requires action, and stays loaded [payments.bulk.flow-requires-action]', async () => {
    const { flow, seen } = await loadedFlow({
      pay: [{ status: 'requires_action', redirectToUrl: 'https://bank.example/3ds' }],
    });
    await flow.submit(submission);
    expect(seen.went).toEqual(['https://bank.example/3ds']);
    expect(viewOf(flow)).toMatchObject({ status: LOADED, state: 'requiresAction', isLeaving: true });
  });
  it('follows no address that is not of the web', async () => {
    const { flow, seen } = await loadedFlow({
      pay: [{ status: 'requires_action', redirectToUrl: 'javascript:alert(1)' }],
      read: [ended('requires_action', { redirectToUrl: 'javascript:alert(1)' })],
    });
    await flow.submit(submission);
    expect(seen.went).toEqual([]);
  });
  it('with another amount than shown: nothing is paid, the new one stands there', async () => {
    const { flow, seen } = await loadedFlow({
      pay: [refused(409, 'payment.quoteChanged', 'The amount has changed')],
      read: [intentOf({ total: 2000 })],
    });
    await flow.submit(submission);
    expect(viewOf(flow)).toMatchObject({ status: LOADED, isDueChanged: true });
    expect(flow.view().info?.total).toBe(2000);
    expect(seen.pays).toHaveLength(1);
  });
  it('says where the receipt goes: the typed address before the customer’s', async () => {
    const intent = intentOf({ email: 'accounts@x.example' });
    const script = { create: [intent], pay: [{ status: 'succeeded' as const }], read: [intent] };
    const { flow } = await loadedFlow(script);
    await flow.submit(submission);
    expect(flow.view().receiptTo).toBe('accounts@x.example');
    const { flow: typed } = await loadedFlow(script);
    await typed.submit({ ...submission, fields: { ...submission.fields, email: 'me@x.example' } });
    expect(typed.view().receiptTo).toBe('me@x.example');
  });
});

describe('when the answer is lost', () => {
  it('the server is asked for the intent before anything is called failed', async () => {
    const { flow, seen } = await loadedFlow({ pay: [lost], read: [ended('succeeded')] });
    await flow.submit(submission);
    expect(seen.statuses).toEqual([REQUESTED, LOADED, BEING_CONFIRMED, PAID]);
    expect(seen.pays).toHaveLength(1);
  });
  it('a server fault is no failure either', async () => {
    const { flow, seen } = await loadedFlow({ pay: [fault], read: [ended('succeeded')] });
    await flow.submit(submission);
    expect(seen.statuses).not.toContain(FAILED);
    expect(viewOf(flow).status).toBe(PAID);
  });
  it('and the server knows nothing of it, the same is sent again under the same key', async () => {
    const { flow, seen } = await loadedFlow({
      pay: [lost, { status: 'succeeded' }],
      read: [intentOf(), ended('succeeded')],
    });
    await flow.submit(submission);
    expect(seen.pays.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
    expect(viewOf(flow).status).toBe(PAID);
  });
  it('and it certainly never arrived, it failed with nothing charged', async () => {
    const { flow } = await loadedFlow({ pay: [lost], read: [intentOf()] });
    await flow.submit(submission);
    expect(viewOf(flow)).toMatchObject({
      status: FAILED,
      outcome: { message: 'The payment did not reach us. Nothing was charged.' },
    });
  });
  it('a declined try from before is not taken for it', async () => {
    const declined = intentOf({ attempt: { ...ended('failed').attempt, reference: 'OLD' } as never });
    const { flow } = await loadedFlow({
      create: [declined],
      pay: [lost, lost],
      read: [declined, ended('succeeded', { reference: 'NEW' })],
    });
    await flow.submit(submission);
    expect(viewOf(flow)).toMatchObject({ status: PAID, outcome: { reference: 'NEW' } });
  });
});

describe('being confirmed', () => {
  it('resolves by itself, whether it ends well or not [payments.bulk.constant.status-5]', async () => {
    for (const [end, status] of [
      ['succeeded', PAID],
      ['failed', FAILED],
    ] as const) {
      const { flow, seen } = await loadedFlow({
        pay: [{ status: 'processing', expected: 'seconds', reference: 'REF1' }],
        read: [ended('processing'), ended('processing'), lost, ended(end)],
      });
      await flow.submit(submission);
      expect(seen.statuses).toEqual([REQUESTED, LOADED, BEING_CONFIRMED, status]);
    }
  });
  it('takes days for a bank debit: submitted, and asked about seldom', async () => {
    const { flow, seen } = await loadedFlow({
      pay: [{ status: 'processing', expected: 'days', reference: 'REF1' }],
      read: [
        ended('processing', { expected: 'days' }),
        ended('processing', { expected: 'days' }),
        ended('succeeded'),
      ],
    });
    await flow.submit(submission);
    expect(Math.min(...seen.waits)).toBe(60_000);
    expect(viewOf(flow).status).toBe(PAID);
  });
  it('asks less and less often', async () => {
    const read = [...Array.from({ length: 60 }, () => ended('processing')), ended('succeeded')];
    const { flow, seen } = await loadedFlow({ pay: [{ status: 'processing', reference: 'REF1' }], read });
    await flow.submit(submission);
    expect([seen.waits[0], seen.waits[20], seen.waits[50]]).toEqual([2_000, 5_000, 15_000]);
  });
});

describe('the way back from the bank', () => {
  const returned = { reqUid: 'session-0123456789abcdef', paymentIntent: 'pi_1', sourceType: 'card' };
  it('sends what the address brought, and shows how it ended [payments.result.sends, payments.result.field.confirmation.{paymentIntent,sourceType,reqUid}]', async () => {
    for (const [end, status] of [
      ['succeeded', PAID],
      ['failed', FAILED],
    ] as const) {
      const { flow, seen } = returnedFlow({
        confirm: [{ status: end, reference: 'REF1' }],
        read: [ended(end)],
      });
      await flow.startReturned(returned);
      expect(seen.confirms).toEqual([returned]);
      expect(viewOf(flow).status).toBe(status);
    }
  });
  it('being confirmed resolves by itself [decisions.1.confirming-refreshes]', async () => {
    const { flow, seen } = returnedFlow({
      confirm: [{ status: 'processing', expected: 'seconds', reference: 'REF1' }],
      read: [ended('processing'), ended('succeeded')],
    });
    await flow.startReturned(returned);
    expect(seen.statuses).toEqual([REQUESTED, BEING_CONFIRMED, PAID]);
  });
  it('a network fault is not a failure: it is asked again [payments.result.error.call-failed]', async () => {
    const { flow, seen } = returnedFlow({
      confirm: [lost, fault, { status: 'succeeded', reference: 'REF1' }],
      read: [lost, lost, ended('succeeded')],
    });
    await flow.startReturned(returned);
    expect(seen.confirms).toHaveLength(3);
    expect(seen.statuses).toEqual([REQUESTED, BEING_CONFIRMED, PAID]);
  });
  it('an end that the session tells is taken while the question itself fails', async () => {
    for (const [end, status] of [
      ['succeeded', PAID],
      ['failed', FAILED],
    ] as const) {
      const { flow, seen } = returnedFlow({ confirm: [fault], read: [ended('processing'), ended(end)] });
      await flow.startReturned(returned);
      expect(seen.statuses).toEqual([REQUESTED, BEING_CONFIRMED, status]);
    }
  });
  it('an open step leads only to a web address', async () => {
    const redirectToUrl = 'javascript:alert(1)';
    const { flow, seen } = returnedFlow({
      confirm: [{ status: 'requires_action', redirectToUrl, reference: 'REF1' }],
      read: [ended('requires_action', { redirectToUrl })],
    });
    await flow.startReturned(returned);
    await flow.resume();
    expect([flow.view().state, seen.went]).toEqual(['requiresAction', []]);
  });
  it('a definite error of the server is Payment Failed, with its message [payments.result.error.call-failed]', async () => {
    const unknown = refused(404, 'payment.unknownIntent', 'There is no such payment');
    const { flow } = returnedFlow({ confirm: [unknown], read: [unknown] });
    await flow.startReturned(returned);
    expect(viewOf(flow)).toMatchObject({ status: FAILED, failure: { message: 'There is no such payment' } });
  });
  it('a step that was not taken can be taken: it is asked how it stands first', async () => {
    const open = ended('requires_action', { redirectToUrl: 'https://bank.example/3ds' });
    const { flow, seen } = returnedFlow({
      confirm: [{ status: 'requires_action', redirectToUrl: 'https://bank.example/3ds', reference: 'REF1' }],
      read: [open],
    });
    await flow.startReturned(returned);
    expect(flow.view().state).toBe('requiresAction');
    await flow.resume();
    expect(seen.went).toEqual(['https://bank.example/3ds']);
  });
  it('after a reload in between, an open step is found again, or given up for another method', async () => {
    const { flow } = await begunFlow(
      { read: [ended('requires_action', { redirectToUrl: 'https://bank.example/3ds' })] },
      'session-0123456789abcdef',
    );
    expect(viewOf(flow)).toMatchObject({ status: LOADED, state: 'requiresAction' });
    flow.startOver();
    expect(viewOf(flow)).toMatchObject({ status: LOADED, state: 'form' });
  });
});

describe('another tab', () => {
  it('has paid these invoices: there is nothing left to pay here', async () => {
    const { flow } = await loadedFlow({ read: [intentOf({ status: IDLE, invoices: [], total: 0 })] });
    await flow.recheck();
    expect(viewOf(flow)).toMatchObject({ status: IDLE, state: 'invalid' });
  });
  it('has paid one of them: the amount has changed', async () => {
    const { flow } = await loadedFlow({ read: [intentOf({ total: 1098.75 })] });
    await flow.recheck();
    expect(viewOf(flow)).toMatchObject({ status: LOADED, isDueChanged: true });
  });
  it('has paid something else: nothing changes here', async () => {
    const { flow } = await loadedFlow({ read: [intentOf()] });
    await flow.recheck();
    expect(viewOf(flow)).toMatchObject({ status: LOADED, isDueChanged: false });
  });
});
