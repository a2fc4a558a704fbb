import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { reconcileMethods } from '../../src/features/payment-methods/tasks.ts';
import { operationsFixture, type Ready } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { killedFixture } from '../fixtures/paying/gateways/killed-fixture.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES, randomFrom, SEED, someOf } from '../simulation/seeded.ts';

/**
 * Processes are killed while they pay: before the gateway is called, before it acts, between its answer and our commit,
 * after it; for each operation, and at random while many are under way. The sandbox's journal says what was really
 * taken.
 */
const KILLS = PROVES ? 200 : 3;
/** Time of each call to the gateway; half before it acts, half before it answers: longer than a busy machine takes to kill. */
const GATEWAY_MS = PROVES ? 200 : 600;
const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const killed = killedFixture(sandbox, run, GATEWAY_MS);
const delay = (delayMs: number) => sandbox.control('POST', 'settings', { delayMs });
const random = randomFrom(SEED);

/** When the process dies, once its attempt is committed. */
const points: Readonly<Record<string, (customerId: string) => Promise<unknown>>> = {
  'before the call': async () => undefined,
  'before the gateway acts': () => sleep(GATEWAY_MS * 0.3),
  'before the gateway answers': (customerId) => killed.done(customerId),
  'about its answer': async (customerId) => {
    await killed.done(customerId);
    await sleep(GATEWAY_MS * (0.4 + random() * 0.3));
  },
};
const names = ['public', 'bulk', 'auto-pay', 'refund', 'setup'] as const;
type Name = (typeof names)[number];

/** Everything is made ready while the gateway is fast. */
async function prepare(name: Name): Promise<Ready> {
  await delay(0);
  const make: Record<Name, () => Promise<Ready>> = {
    public: () => operations.publicPay(cards.good),
    bulk: () => operations.bulkSaved(cards.good),
    'auto-pay': () => operations.autoPay(cards.good, 'later'),
    refund: () => operations.refund(),
    setup: () => operations.setup(cards.good),
  };
  const ready = await make[name]();
  await delay(GATEWAY_MS);
  return ready;
}

/** Begins the operation in a process. @returns how to kill that */
async function begin(name: Name, ready: Ready): Promise<() => Promise<void>> {
  if (name === 'refund') {
    const [paid] = await run.rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
      ready.customerId,
    ]);
    return killed.refund(paid?.ref ?? '').kill;
  }
  if (name === 'auto-pay') {
    await run.rows('update autopay_plan set charge_on = charge_on - 3 where customer_id = $1', [
      ready.customerId,
    ]);
    return killed.round().kill;
  }
  const server = await killed.serve();
  if (ready.request === undefined) throw new Error('there is nothing to ask');
  const answer = server.ask(ready.request);
  return async () => {
    await server.kill();
    await answer;
  };
}

beforeAll(async () => {
  await sandbox.control('DELETE', 'webhooks');
  // Where it is noon now: auto-pay has a day for its work.
  const ahead = 12 - new Date().getUTCHours();
  const zone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  await run.rows('update brand set time_zone = $1', [zone]);
});

const all = names.flatMap((name) => Object.keys(points).map((point) => ({ name, point })));
it.each(someOf(all, 6))('$name, killed $point', async ({ name, point }) => {
  const ready = await prepare(name);
  const kill = await begin(name, ready);
  await killed.written(ready.customerId);
  await points[point]?.(ready.customerId);
  await kill();
  run.count(name);
});

it(
  `${KILLS} servers killed at random while all operations are under way`,
  async () => {
    for (let n = 0; n < KILLS; n += 1) {
      const under: Name[] = ['public', 'public', 'bulk', 'setup'];
      const ready: Ready[] = [];
      for (const name of under) ready.push(await prepare(name));
      const others = n % 4 === 1 ? (['auto-pay', 'refund'] as const) : [];
      const kills: (() => Promise<void>)[] = [];
      for (const name of others) kills.push(await begin(name, await prepare(name)));
      const server = await killed.serve();
      const answers = ready.map(({ request }) => request && server.ask(request));
      await sleep(random() * 4 * GATEWAY_MS);
      await Promise.all([server.kill(), ...kills.map((kill) => kill())]);
      await Promise.all(answers);
      run.count('killed at random');
    }
  },
  KILLS * 20_000,
);

it(
  'afterwards each charge is booked exactly once, and each card is saved once or not',
  async () => {
    await delay(0);
    const openSetups = () => run.rows('select id, state from method_setup where is_open');
    const isOver = async () =>
      (await run.rows('select 1 from attempt where is_open')).length + (await openSetups()).length === 0;
    if (PROVES) {
      // As it is in earnest: another process finds out, by the schedule.
      const worker = await killed.work();
      for (const end = Date.now() + 180_000; Date.now() < end && !(await isOver()); ) await sleep(500);
      await worker.stop();
    }
    for (let tries = 0; tries < 30 && !(await isOver()); tries += 1) {
      await run.untilEnded();
      await sandbox.advance(30_000);
      await reconcileMethods(sandbox.fixture.engine);
    }
    expect(await openSetups()).toEqual([]);
    await run.judge();
    const twice = await run.rows(
      `select customer_id from payment_method where state = 'active' group by 1 having count(*) > 1
        or count(*) filter (where is_default) <> 1`,
    );
    expect(twice).toEqual([]);
    const { refunded } = (await sandbox.charges()).reduce(
      (sum, { refundedMinor }) => ({ refunded: sum.refunded + refundedMinor }),
      { refunded: 0 },
    );
    const [booked] = await run.rows<{ n: number }>(
      'select coalesce(sum(reversed_minor), 0)::int as n from capture',
    );
    expect(booked?.n).toBe(refunded);
    // A run that never hit the gap would prove nothing.
    const ends = await run.rows<{ direction: string; state: string; n: number }>(
      `select direction, state, count(*)::int as n from attempt a
        where exists (select 1 from transition t where t.customer_id = a.customer_id and t.attempt_id = a.id
                        and t.cause = 'reconciler') group by 1, 2 order by 1, 2`,
    );
    expect(ends.reduce((sum, { n }) => sum + n, 0)).toBeGreaterThan(PROVES ? KILLS / 2 : 0);
    const foundOut = Object.fromEntries(ends.map(({ direction, state, n }) => [`${direction} ${state}`, n]));
    const saved = await run.rows("select 1 from payment_method where state = 'active'");
    const totals = { ...run.counts, foundOut, refunded, saved: saved.length };
    process.stdout.write(`killed while paying, seed ${SEED}: ${JSON.stringify(totals)}\n`);
  },
  PROVES ? 600_000 : 60_000,
);
