import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { wholePrice } from './form/part-price.ts';
import { attemptOf, bankOf, entered, enteredBank, flowOf, infoOf, type Script } from './test-support.ts';

const unreachable = new ApiError(0, 'client.unreachable', 'The server could not be reached');

async function formOf(script: Script) {
  const made = flowOf({ details: [infoOf()], ...script });
  await made.flow.start();
  expect(made.flow.view().state).toBe('form');
  return made;
}

describe('opening the page', () => {
  it.each([
    ['form', infoOf()],
    ['misconfigured', infoOf({ apiStatus: false, brandSettings: null })],
    [
      'misconfigured',
      infoOf({ brandSettings: { ...infoOf().brandSettings, integrationType: 'Other' } as never }),
    ],
    ['credited', infoOf({ isCredited: true, invoiceStatus: 12 })],
    ['paid', infoOf({ invoiceStatus: 11 })],
    ['notPayable', infoOf({ invoiceStatus: 13 })],
    ['notPayable', infoOf({ invoiceStatus: 14, apiStatus: false })],
    ['paid', infoOf({ invoiceAmount: '0.00' })],
    ['paid', infoOf({ invoiceStatus: 11, attempt: attemptOf('succeeded') })],
    ['requiresAction', infoOf({ attempt: attemptOf('requires_action') })],
    ['form', infoOf({ attempt: attemptOf('failed', { message: 'Your card was declined' }) })],
  ])(
    'is loading until apiStatus is known, then shows %s [payments.public.state.screen.{loading,misconfigured,credited,paid,form}]',
    async (state, info) => {
      const { flow, seen } = flowOf({ details: [info] });
      expect(flow.view().state).toBe('loading');
      await flow.start();
      expect(flow.view().state).toBe(state);
      expect(seen.pays).toEqual([]);
    },
  );

  it('tells of an open attempt before anything else, and offers no second form', async () => {
    const held = infoOf({ invoiceAmount: '0.00', total: '0.00', attempt: attemptOf('processing') });
    const { flow, seen } = flowOf({
      details: [held, held, infoOf({ invoiceStatus: 11, attempt: attemptOf('succeeded') })],
    });
    await flow.start();
    expect(seen.states).toEqual(['loading', 'confirming', 'success']);
    await flow.submit(entered);
    expect(seen.pays).toEqual([]);
  });

  it('says that a bank debit was submitted and keeps looking slowly', async () => {
    const debit = infoOf({ attempt: attemptOf('processing', { expected: 'days' }) });
    const { flow, seen } = flowOf({ details: [debit, infoOf({ attempt: attemptOf('succeeded') })] });
    await flow.start();
    expect(seen.states).toEqual(['loading', 'submitted', 'success']);
    expect(seen.waits).toEqual([60_000]);
  });

  it('shows a failed load with its message and loads again on request', async () => {
    const message = 'Our server returned error, try again later';
    const fault = new ApiError(500, 'server.fault', message, { requestId: 'r-1' });
    const { flow } = flowOf({ details: [fault, infoOf()] });
    await flow.start();
    expect(flow.view()).toMatchObject({ state: 'loadFailed', failure: { message, requestId: 'r-1' } });
    await flow.retry();
    expect(flow.view()).toMatchObject({ state: 'form', failure: undefined });
  });
});

describe('paying', () => {
  it('by bank account sends its own total, keeps nothing of it, and tells other tabs at once', async () => {
    const info = infoOf({ bank: bankOf() });
    const answer = { status: 'processing', expected: 'days', attemptId: 'a' } as const;
    const { flow, seen, drafts } = flowOf({ details: [info, new Error('later')], pay: [answer] });
    await flow.start();
    void flow.submit({ ...enteredBank, price: wholePrice(info, 'bank') });
    await vi.waitFor(() => expect(flow.view().state).toBe('submitted'));
    expect(seen.pays[0]?.body).toEqual({
      uid: 'link',
      invoiceNumber: 'INV-20431',
      invoiceAmount: '1284.56',
      ...enteredBank,
    });
    expect(seen.announced).toBe(1);
    expect(drafts.load()).toBeUndefined();
  });

  it('sends the shown total, link, number and fields with a key of its own, and broadcasts paymentWatch [payments.public.state.broadcast, payments.public.field.pay.{invoiceAmount,uid,invoiceNumber,cardHolder,email,stripe.cardToken}]', async () => {
    const { flow, seen, drafts } = await formOf({
      pay: [{ status: 'succeeded', attemptId: 'a', reference: 'REF' }],
    });
    const first = flow.submit(entered);
    await Promise.all([first, flow.submit(entered)]);
    expect(seen.pays).toEqual([
      {
        key: 'key-1',
        body: {
          uid: 'link',
          invoiceAmount: '1303.42',
          invoiceNumber: 'INV-20431',
          cardToken: 'tok_1',
          cardHolder: 'Ada',
          email: 'ada@x.example',
        },
      },
    ]);
    expect(flow.view()).toMatchObject({
      state: 'success',
      receiptTo: 'ada@x.example',
      outcome: { reference: 'REF', amount: '1303.42' },
    });
    expect(seen.announced).toBe(1);
    expect(drafts.load()).toBeUndefined();
  });

  it('clears the overlay 1.5 s after submitting when the payment has already failed [payments.public.state.screen.submitting, payments.public.state.constant.overlay]', async () => {
    const { flow, seen, drafts } = await formOf({
      pay: [{ status: 'failed', message: 'Your card was declined' }],
    });
    await flow.submit(entered);
    expect(seen.waits).toEqual([1_500]);
    expect(seen.states).toEqual(['loading', 'form', 'submitting', 'failed']);
    expect(flow.view().outcome?.message).toBe('Your card was declined');
    expect([seen.announced, drafts.load()]).toEqual([0, entered.draft]);
  });

  it('takes a new key after a definite failure', async () => {
    const { flow, seen } = await formOf({ pay: [{ status: 'failed' }, { status: 'succeeded' }] });
    await flow.submit(entered);
    await flow.retry();
    await flow.submit(entered);
    expect(seen.pays.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  it('goes to the bank, and only to a web address', async () => {
    const to = (redirectToUrl: string) => formOf({ pay: [{ status: 'requires_action', redirectToUrl }] });
    const good = await to('https://bank.example/3ds');
    await good.flow.submit(entered);
    expect([good.flow.view().state, good.flow.view().isLeaving, good.seen.went]).toEqual([
      'requiresAction',
      true,
      ['https://bank.example/3ds'],
    ]);
    const bad = await to('javascript:alert(1)');
    await bad.flow.submit(entered);
    expect([bad.flow.view().isLeaving, bad.seen.went]).toEqual([false, []]);
  });

  it.each([
    ['payment.alreadyPaid', 'paid'],
    ['payment.credited', 'credited'],
    ['payment.notPayable', 'notPayable'],
    ['gateway.misconfigured', 'misconfigured'],
    ['payment.amountChanged', 'failed'],
  ] as const)('takes the refusal %s as %s', async (code, state) => {
    const { flow } = await formOf({ pay: [new ApiError(409, code, 'why')] });
    await flow.submit(entered);
    expect(flow.view().state).toBe(state);
  });
});

describe('an answer that was lost', () => {
  it('is looked for before anything is called failed', async () => {
    const { flow, seen } = await formOf({
      details: [infoOf(), infoOf({ invoiceStatus: 11, attempt: attemptOf('succeeded') })],
      pay: [unreachable],
    });
    await flow.submit(entered);
    expect(seen.states).toEqual(['loading', 'form', 'submitting', 'confirming', 'success']);
    expect(seen.pays).toHaveLength(1);
    expect(flow.view().outcome?.reference).toBe('REF1');
  });

  it('does not take the attempt before it for its own', async () => {
    const before = infoOf({ attempt: attemptOf('failed') });
    const { flow, seen } = await formOf({
      details: [before, before, infoOf({ attempt: attemptOf('succeeded', { id: 'attempt-2' }) })],
      pay: [unreachable],
    });
    await flow.submit(entered);
    expect(flow.view().state).toBe('success');
    expect(new Set(seen.pays.map(({ key }) => key))).toEqual(new Set(['key-1']));
  });

  it('is sent once more with the same key when there is no trace of it, and then never arrived', async () => {
    const { flow, seen } = await formOf({ pay: [unreachable] });
    await flow.submit(entered);
    expect(seen.pays.map(({ key }) => key)).toEqual(['key-1', 'key-1']);
    expect(flow.view()).toMatchObject({
      state: 'failed',
      outcome: { message: 'The payment did not reach us. Nothing was charged.' },
    });
  });

  it('waits for as long as nobody can be asked', async () => {
    const { flow, seen } = await formOf({ details: [infoOf(), unreachable], pay: [unreachable] });
    void flow.submit(entered);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(flow.view()).toMatchObject({ state: 'confirming', isOffline: true });
    expect(seen.pays).toHaveLength(1);
    expect(seen.waits.slice(0, 16)).toEqual([...Array.from({ length: 15 }, () => 2_000), 5_000]);
  });

  it('a server fault and a proxy time-out say nothing about the money', async () => {
    for (const status of [500, 503, 408]) {
      const { flow, seen } = await formOf({
        details: [infoOf(), infoOf({ attempt: attemptOf('succeeded') })],
        pay: [new ApiError(status, 'server.fault', '')],
      });
      await flow.submit(entered);
      expect(seen.states.slice(-2)).toEqual(['confirming', 'success']);
    }
  });
});

describe('coming back from the bank', () => {
  const returned = { reqUid: 'attempt-1', uid: 'link', paymentIntent: 'pi_1' };

  it('asks what has become of the attempt [decisions.6.anonymous-return]', async () => {
    const paid = infoOf({ invoiceStatus: 11, invoiceAmount: '0.00', attempt: attemptOf('succeeded') });
    const { flow, seen } = flowOf({
      details: [paid],
      confirm: [{ status: 'succeeded', attemptId: 'attempt-1' }],
    });
    await flow.startReturned(returned);
    expect(seen.confirms).toEqual([returned]);
    expect(flow.view()).toMatchObject({
      state: 'success',
      outcome: { amount: '1303.42', reference: 'REF1' },
    });
  });

  it('does not lead there again by itself', async () => {
    const open = infoOf({ attempt: attemptOf('requires_action') });
    const answer = {
      status: 'requires_action',
      attemptId: 'attempt-1',
      redirectToUrl: 'https://bank.example',
    } as const;
    const { flow, seen } = flowOf({ details: [open], confirm: [answer] });
    await flow.startReturned(returned);
    expect([flow.view().state, seen.went]).toEqual(['requiresAction', []]);
    await flow.resume();
    expect(seen.went).toEqual(['https://bank.example']);
  });

  it('never says failed when nobody can be asked', async () => {
    const { flow } = flowOf({ details: [unreachable], confirm: [unreachable] });
    void flow.startReturned(returned);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(flow.view()).toMatchObject({ state: 'confirming', isOffline: true });
  });

  const over = new ApiError(410, 'payLink.expired', 'This link has expired');
  const taken = { status: 'succeeded', attemptId: 'attempt-1', reference: 'REF1' } as const;

  it('with a link that is over meanwhile: paid is paid', async () => {
    const { flow, seen } = flowOf({ details: [over], confirm: [taken] });
    await flow.startReturned(returned);
    await flow.recheck();
    expect(seen.states).toEqual(['loading', 'success']);
    expect(flow.view()).toMatchObject({ failure: undefined, outcome: { reference: 'REF1' } });
  });

  it('with a link that is over meanwhile: the attempt is asked about until it ends', async () => {
    const waits = { status: 'processing', attemptId: 'attempt-1', reference: 'REF1' } as const;
    const { flow, seen } = flowOf({ details: [over], confirm: [waits, waits, unreachable, taken] });
    await flow.startReturned(returned);
    expect(seen.states).toEqual(['loading', 'confirming', 'success']);
    expect(seen.confirms).toHaveLength(4);
    expect(flow.view()).toMatchObject({ isOffline: false, outcome: { reference: 'REF1' } });
  });

  it('with a link that is over meanwhile: a step that is still open leads nowhere, and is not called paid', async () => {
    const open = { status: 'requires_action', attemptId: 'attempt-1' } as const;
    const { flow } = flowOf({ details: [over], confirm: [open] });
    await flow.startReturned(returned);
    expect(flow.view()).toMatchObject({ state: 'loadFailed', failure: { code: 'payLink.expired' } });
  });

  it('starting over shows the form', async () => {
    const { flow } = flowOf({ details: [infoOf({ attempt: attemptOf('requires_action') })] });
    await flow.start();
    flow.startOver();
    expect(flow.view().state).toBe('form');
  });
});

describe('another tab', () => {
  it('turns this one to paid, and leaves the form when another invoice was paid', async () => {
    const { flow } = flowOf({ details: [infoOf(), infoOf(), infoOf({ invoiceStatus: 11 })] });
    await flow.start();
    await flow.recheck();
    expect(flow.view().state).toBe('form');
    await flow.recheck();
    expect(flow.view().state).toBe('paid');
  });
});
