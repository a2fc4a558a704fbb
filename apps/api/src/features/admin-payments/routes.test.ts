import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import { fixture, inconclusive, rows, setUp } from '../../../test/fixtures/paying/engine-fixture.ts';
import { orders, paid } from '../../../test/fixtures/paying/refund-fixture.ts';
import { programKey } from '../../../test/fixtures/program.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

/** The calls of a program of this reseller. */
async function program(resellerId: number) {
  const key = await programKey(fixture, resellerId, 'erp');
  const call = async (
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fixture.app.inject({
      method,
      url: `/v1/admin/payments${url}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, ...answer.json() };
  };
  return {
    get: (url = '') => call('GET', url),
    post: (url: string, payload?: object, headers?: Readonly<Record<string, string>>) =>
      call('POST', url, payload, headers),
  };
}

const trail = (customerId: string) =>
  rows<{ action: string; actor: string; detail: object }>(
    "select action, actor, detail from audit_event where customer_id = $1 and action like 'payment.%' order by id",
    [customerId],
  );

/** A payment whose end nobody can find out. */
async function held() {
  const one = await setUp();
  fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
  fixture.gateway.onLookup = async () => inconclusive;
  await one.pay();
  fixture.clock.advance(2 * 3_600_000);
  await reconcile(fixture.engine);
  const { id, ref } = await one.attempt();
  return { ...one, id, ref, ...(await program(one.reseller.id)) };
}

describe('GET /v1/admin/payments', () => {
  it('pages through payments and refunds, the newest first, and finds them by each filter', async () => {
    const one = await paid();
    const { get } = await program(one.reseller.id);
    await one.back(1_000n);
    await one.back(500n);
    const [charge] = await rows<{ id: string; ref: string }>(
      "select id, ref from attempt where customer_id = $1 and direction = 'charge'",
      [one.customer.id],
    );
    const seen: { id: string; amount: string }[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(seen.map(({ amount }) => amount)).toEqual(['5.00', '10.00', '110.00']);
    const found = async (query: string) =>
      (await get(`?${query}`)).data.map(({ amount }: { amount: string }) => amount);
    const all = ['5.00', '10.00', '110.00'];
    for (const [query, amounts] of [
      [`customer=${one.customer.id}`, all],
      ['customer=unknown', []],
      ['gateway=scripted', all],
      ['gateway=stripe', []],
      ['direction=charge', ['110.00']],
      ['state=succeeded', all],
      ['state=declined', []],
      [`invoice=${one.invoice.number}`, ['110.00']],
      [`reference=${charge?.ref.toLowerCase()}`, ['110.00']],
      ['waiting=true', []],
      ['until=2020-01-01T00:00:00Z', []],
      ['since=2020-01-01T00:00:00%2B01:00', all],
    ] as const)
      expect([query, await found(query)]).toEqual([query, amounts]);
  });
});

describe('GET /v1/admin/payments/{id}', () => {
  it('tells its story in the order of time, with refunds and what the gateway said', async () => {
    const one = await paid();
    const { get } = await program(one.reseller.id);
    const refund = await one.back(1_000n);
    const { id } = (await get('?direction=charge')).data[0];
    const { status, data } = await get(`/${id}`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      id,
      customer: one.customer.label,
      invoices: [one.invoice.number],
      capture: { amount: '110.00', refunded: '10.00', lost: '0.00' },
      agreement: null,
    });
    expect(data.story.map(({ what, to }: { what: string; to: string }) => `${what} ${to}`)).toEqual([
      'state sending',
      'state succeeded',
      'refund succeeded',
      'reversal refund',
    ]);
    expect(data.story[1].evidence).toMatchObject({ is: 'succeeded', minor: '11000' });
    expect(data.story[2]).toMatchObject({ reference: refund.ref, paymentId: refund.id, amount: '10.00' });
    expect((await get(`/${refund.id}`)).data).toMatchObject({ direction: 'refund', of: data.reference });
  });
});

describe('POST /v1/admin/payments/{id}/refunds', () => {
  it('refunds once for each key or amount, and says by whom and why', async () => {
    const one = await paid();
    const { get, post } = await program(one.reseller.id);
    const { id } = (await get()).data[0];
    const note = 'billed twice';
    const first = await post(`/${id}/refunds`, { amount: '10.00', note });
    expect(first).toMatchObject({
      status: 201,
      data: { direction: 'refund', state: 'succeeded', amount: '10.00' },
    });
    expect(await post(`/${id}/refunds`, { amount: '10.00', note })).toMatchObject({
      status: 200,
      data: { id: first.data.id },
    });
    const again = { amount: '10.00', note, again: first.data.reference.toLowerCase() };
    expect(await post(`/${id}/refunds`, again)).toMatchObject({ status: 201 });
    const keyed = { 'idempotency-key': 'credit-7' };
    expect(await post(`/${id}/refunds`, { amount: '10.00', note }, keyed)).toMatchObject({ status: 201 });
    expect(await post(`/${id}/refunds`, { amount: '10.00', note }, keyed)).toMatchObject({ status: 200 });
    expect(orders.map(({ amount }) => amount.minor)).toEqual([1_000n, 1_000n, 1_000n]);
    const [line] = await trail(one.customer.id);
    expect(line).toMatchObject({
      action: 'payment.refunded',
      actor: 'key:erp',
      detail: { amount: '10.00', note, refund: first.data.reference },
    });
    expect((await get(`/${first.data.id}`)).data.story[0].evidence).toMatchObject({ by: 'key:erp', note });
  });

  it.each([
    [{ amount: '110.01' }, 409, 'refund.tooLarge'],
    [{ amount: '0.00' }, 400, 'refund.amount'],
    [{ amount: '1.001' }, 400, 'refund.amount'],
    [{ amount: '1.00', again: 'NONE' }, 409, 'refund.notAgain'],
    [{ again: 'NONE' }, 400, 'request.invalid'],
    [{ amount: '-1.00' }, 400, 'request.invalid'],
    [{ note: ' ' }, 400, 'request.invalid'],
  ])('refuses %j, and asks the gateway nothing', async (body, status, code) => {
    const one = await paid();
    const { get, post } = await program(one.reseller.id);
    const { id } = (await get()).data[0];
    expect(await post(`/${id}/refunds`, { note: 'why', ...body })).toMatchObject({ status, code });
    expect(orders).toEqual([]);
  });

  it('answers before the gateway does, and books what comes later', async () => {
    const one = await paid();
    const { get, post } = await program(one.reseller.id);
    const { id } = (await get()).data[0];
    const late = Promise.withResolvers<void>();
    fixture.gateway.onRefund = async (order) => {
      await late.promise;
      return { is: 'succeeded', remote: remoteId(`b_${order.ref}`), captured: order.amount, state: {} };
    };
    const { status, data } = await post(`/${id}/refunds`, { note: 'why' });
    expect([status, data.state]).toEqual([201, 'sending']);
    late.resolve();
    await expect.poll(async () => (await get(`/${data.id}`)).data.state).toBe('succeeded');
  });
});

describe('POST /v1/admin/payments/{id}/resolve', () => {
  it('ends what needs review by the operator’s word, once', async () => {
    const one = await held();
    const note = 'seen in the list';
    const said = { outcome: 'captured', gatewayId: 'ch_1', note };
    expect(await one.post(`/${one.id}/resolve`, said)).toMatchObject({
      status: 200,
      data: { state: 'succeeded', capture: { amount: '110.00' } },
    });
    expect(await one.post(`/${one.id}/resolve`, { outcome: 'absent', note })).toMatchObject({
      status: 409,
      code: 'payment.ended',
    });
    expect(await one.post(`/${one.id}/resolve`, { outcome: 'lossSeen', note })).toMatchObject({
      status: 409,
      code: 'payment.nothingLost',
    });
    expect(await trail(one.customer.id)).toEqual([
      {
        action: 'payment.resolved',
        actor: 'key:erp',
        detail: {
          payment: one.ref,
          note,
          gatewayId: 'ch_1',
          'before.state': 'needsReview',
          'after.state': 'succeeded',
        },
      },
    ]);
  });

  it('refuses what is on its way at the bank, and a gateway’s id for what did not move', async () => {
    const one = await setUp();
    fixture.gateway.onCharge = async () => ({
      is: 'pending',
      because: 'bank',
      remote: remoteId('p_1'),
      state: {},
    });
    await one.pay();
    const { id } = await one.attempt();
    const { post } = await program(one.reseller.id);
    expect(await post(`/${id}/resolve`, { outcome: 'absent', note: 'x' })).toMatchObject({
      status: 409,
      code: 'payment.notHeld',
    });
    const odd = { outcome: 'absent', gatewayId: 'ch_1', note: 'x' };
    expect(await post(`/${id}/resolve`, odd)).toMatchObject({ status: 400, code: 'request.invalid' });
  });
});

describe('POST /v1/admin/payments/{id}/look-up', () => {
  it('asks the gateway before the schedule does, never sending again', async () => {
    const one = await held();
    const before = (await one.attempt()).lookups;
    const { gateway } = fixture;
    const asked: string[] = [];
    gateway.onLookup = async (charge, strategy) => {
      asked.push(strategy?.by ?? '');
      return gateway.take(charge);
    };
    const { status, data } = await one.post(`/${one.id}/look-up`);
    expect([status, data.state]).toEqual([200, 'succeeded']);
    expect(data.story.at(-1)).toMatchObject({ from: 'needsReview', cause: 'operator' });
    expect(asked).toEqual(['ref']);
    expect((await one.attempt()).lookups).toEqual(before);
  });

  it('has a worker ask soon what became of one that succeeded, and leaves an ended refund alone', async () => {
    const one = await paid();
    const { get, post } = await program(one.reseller.id);
    const refund = await one.back(100n);
    const { id } = (await get('?direction=charge')).data[0];
    expect(await post(`/${id}/look-up`)).toMatchObject({ status: 200, data: { state: 'succeeded' } });
    expect(
      await rows('select task from after_end_task where attempt_id = $1 and next_at <= $2', [
        id,
        fixture.clock.now(),
      ]),
    ).toEqual([{ task: 'recheck' }]);
    expect(await post(`/${refund.id}/look-up`)).toMatchObject({ status: 200, data: { state: 'succeeded' } });
  });
});
