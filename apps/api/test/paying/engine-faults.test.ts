import type { Capabilities } from '@counterfoil/gateways/port/gateway.ts';
import { manifest } from '@counterfoil/gateways/stripe/manifest.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import { type Fault, savable } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { SEED } from '../simulation/seeded.ts';

/**
 * What people and slow lines do beside the faults of payments-faults.test.ts and operations-faults.test.ts: a saved card
 * is changed while what became of its charge is not known, and a call answers after its time. The journal is the judge.
 */
// Less than the line's own limit, so that a call's own answer comes after its time.
const sandbox = useSandboxFixture({}, { callWithinMs: 100 });
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const capabilities = manifest.capabilities as { lookup: Capabilities['lookup'] };
const strategies = capabilities.lookup;
const charge = (mode: string, more: Partial<Fault> = {}): Fault => ({ operation: 'charge', mode, ...more });
const lost = charge('webhook-lost', { times: 8 });

async function order(...faults: readonly Fault[]): Promise<void> {
  for (const fault of faults) await sandbox.control('POST', 'faults', { gateway: 'stripe', ...fault });
}

async function atRest(): Promise<void> {
  await run.untilEnded();
  await sandbox.control('DELETE', 'faults');
  await sandbox.advance(60_000);
  await sandbox.webhooksDelivered();
  await run.judge();
}

const endOf = (customerId: string) =>
  run.rows<{ state: string; captured: number; due: number; held: number }>(
    `select min(a.state) as state, coalesce(sum(c.amount_minor), 0)::int as captured,
            (select sum(due_minor) from invoice where customer_id = $1)::int as due,
            (select sum(held_minor) from invoice where customer_id = $1)::int as held
       from attempt a left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
      where a.customer_id = $1`,
    [customerId],
  );

afterEach(async () => {
  capabilities.lookup = strategies;
  await sandbox.control('DELETE', 'faults');
});

describe.each([
  ['where the reference is the key', strategies, 200],
  [
    'where the contents are the key',
    strategies.map((strategy) => ({ ...strategy, methodUnchanged: true as const })),
    409,
  ],
])('a saved card is changed while an answer is lost, %s', (_where, find, allowed) => {
  it.each([
    charge('timeout-after'),
    charge('timeout-before'),
    charge('error-500-after'),
    charge('late'),
    charge('slow', { ms: 500 }),
    charge('replay-500', { executed: false }),
  ])('$mode', async (fault) => {
    const ready = await operations.bulkSaved(savable.good);
    capabilities.lookup = find;
    await order(fault, lost);
    await ready.press();
    const { headers, body } = ready.request ?? { headers: {}, body: {} };
    const edited = await sandbox.fixture.app.inject({
      method: 'PUT',
      url: '/v1/ec/payments/cards',
      headers,
      payload: { id: (body as { cardId: string }).cardId, expMonth: 9, expYear: 2033 },
    });
    const [open] = await run.rows('select 1 from attempt where is_open');
    if (open !== undefined) expect(edited.statusCode, edited.body).toBe(allowed);
    run.count(`change answered ${edited.statusCode}`);
    await ready.press();
    await atRest();
    const [end] = await endOf(ready.customerId);
    expect(end?.captured).toBeLessThanOrEqual(ready.mostMinor);
    expect(end?.held).toBe(0);
  });
});

describe('a call answers after its time', () => {
  it('that nothing was sent: the payment ends, and the invoice can be paid', async () => {
    const ready = await operations.publicPay(savable.good);
    const body = { ...ready.request.body, cardToken: 'tok_1NeverMadeByAnybody000000' };
    await order({ operation: 'save', mode: 'slow', ms: 200 });
    const first = await sandbox.fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
    expect(first.json().data).toMatchObject({ status: 'processing' });
    await vi.waitFor(async () => {
      const end = await endOf(ready.customerId);
      expect(end).toMatchObject([{ state: 'notAttempted', captured: 0, held: 0 }]);
    }, 10_000);
    expect(await ready.press()).toBe('succeeded');
    run.count('late: not attempted');
    await atRest();
  });

  it('that it was taken: it is booked once', async () => {
    const ready = await operations.publicPay(savable.good);
    await order(charge('slow', { ms: 200 }), lost);
    expect(await ready.press()).toBe('processing');
    await atRest();
    expect(await endOf(ready.customerId)).toMatchObject([
      { state: 'succeeded', captured: ready.mostMinor, due: 0 },
    ]);
    run.count('late: taken');
  });
});

it('afterwards the journal and the books agree, and nobody was told failed about money that was taken', async () => {
  await run.judge();
  process.stdout.write(`engine faults, seed ${SEED}: ${JSON.stringify(run.counts)}\n`);
});
