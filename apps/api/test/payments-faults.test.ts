import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { reconcile } from '../src/features/payments/reconcile.ts';
import { brokenRules } from './books.ts';
import { useSandboxWorld } from './sandbox-world.ts';

/**
 * Every fault a gateway can show while a customer pays, against the sandbox and through HTTP. Afterwards the sandbox's
 * journal says what was really taken, and the books must say the same.
 */
const sandbox = useSandboxWorld({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
const DUE = 11_000;
const TOTAL = 11_165;

interface Fault {
  readonly operation: 'charge' | 'find' | 'save';
  readonly mode: string;
  readonly times?: number;
  readonly ms?: number;
  readonly executed?: boolean;
}

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002760003184',
  disputed: '4000000000000259',
};
const charge = (mode: string, more: Partial<Fault> = {}): Fault => ({ operation: 'charge', mode, ...more });
const find = (mode: string, times = 1): Fault => ({ operation: 'find', mode, times });
const save = (mode: string, times = 1): Fault => ({ operation: 'save', mode, times });

interface Case {
  readonly name: string;
  readonly faults: readonly Fault[];
  /** What the payer is told at first, where that is certain. */
  readonly told?: string | undefined;
  readonly card?: keyof typeof cards | undefined;
}
const when = (name: string, faults: readonly Fault[], told?: string, card?: keyof typeof cards): Case => ({
  name,
  faults,
  told,
  card,
});

const cut: readonly Fault[] = [
  ...['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed', 'late'].map((mode) =>
    charge(mode),
  ),
  // Longer than the call's time limit, shorter than the rounds that follow.
  charge('slow', { ms: 500 }),
  charge('replay-500', { executed: true }),
  charge('replay-500', { executed: false }),
];
/** Without it a webhook brings the truth before the reconciler has to look. */
const lost = charge('webhook-lost', { times: 8 });
const blind = [
  find('lookup-blind', 3),
  find('lookup-down', 3),
  find('timeout-before', 2),
  find('malformed', 2),
];

const cases: readonly Case[] = [
  when('nothing', [], 'succeeded'),
  ...cut.map((fault) => when(`${fault.mode}${fault.executed === false ? ' not executed' : ''}`, [fault])),
  ...cut.map((fault) =>
    when(`${fault.mode}${fault.executed === false ? ' not executed' : ''}, webhooks lost`, [fault, lost]),
  ),
  when('timeout-after, all repeats too', [charge('timeout-after', { times: 4 }), lost], 'processing'),
  when('error-500-after, all repeats too', [charge('error-500-after', { times: 6 })]),
  ...blind.map((fault) =>
    when(
      `timeout-after, then ${fault.mode} of look-ups`,
      [charge('timeout-after'), fault, lost],
      'processing',
    ),
  ),
  ...blind.map((fault) =>
    when(`replay-500, then ${fault.mode} of look-ups`, [charge('replay-500'), fault, lost], 'processing'),
  ),
  ...blind.map((fault) => when(`late, then ${fault.mode} of look-ups`, [charge('late'), fault, lost])),
  ...['webhook-first', 'webhook-twice', 'webhook-late', 'webhook-reversed', 'webhook-lost'].map((mode) =>
    when(mode, [charge(mode, { times: 8 })], 'succeeded'),
  ),
  when('webhook-first with timeout-after', [charge('webhook-first'), charge('timeout-after')], 'succeeded'),
  when('webhook-lost with timeout-after', [lost, charge('timeout-after')], 'processing'),
  when('partial', [charge('partial')], 'succeeded'),
  when('partial with timeout-after', [charge('partial'), charge('timeout-after'), lost], 'processing'),
  when('self-void', [charge('self-void')], 'succeeded'),
  when('late-failure', [charge('late-failure')], 'succeeded'),
  when('resubmit', [charge('resubmit')], 'succeeded'),
  when('rate-limit', [charge('rate-limit', { times: 2 })], 'succeeded'),
  when('rate-limit, all repeats too', [charge('rate-limit', { times: 3 })]),
  when('lock-timeout', [charge('lock-timeout', { times: 2 })], 'succeeded'),
  ...['timeout-before', 'timeout-after', 'error-500-after', 'malformed', 'reset-after'].map((mode) =>
    when(`${mode} while the token is traded`, [save(mode, 3)]),
  ),
  when('declined', [], 'failed', 'declined'),
  when('declined with timeout-after', [charge('timeout-after'), lost], 'processing', 'declined'),
  when('declined with replay-500', [charge('replay-500'), lost], 'processing', 'declined'),
  when('abandoned challenge', [], 'requires_action', 'challenged'),
  when('abandoned challenge with timeout-after', [charge('timeout-after'), lost], 'processing', 'challenged'),
  when('disputed', [], 'succeeded', 'disputed'),
];

/** What a bank takes back is due again; what it brings back, and what is refunded, is not. */
const dueAfter: Readonly<Record<string, number>> = {
  disputed: DUE,
  'late-failure': DUE,
  resubmit: 0,
  'self-void': 0,
};

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await sandbox.world.database.pool().query(text, values)).rows as T[];
const told = new Map<string, Set<string>>();
const counts: Record<string, number> = { cases: 0, charges: 0, captures: 0, reconciled: 0 };

async function pay(body: object): Promise<string> {
  const answer = await sandbox.world.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  expect(answer.statusCode, answer.body).toBe(200);
  const { status, attemptId } = answer.json().data as { status: string; attemptId: string };
  told.set(attemptId, (told.get(attemptId) ?? new Set()).add(status));
  return status;
}

/** Lets time pass as it would: the schedule's own rounds first, then its long waits. */
async function untilEnded(): Promise<void> {
  const steps = [
    ...Array<number>(14).fill(5_000),
    ...Array<number>(6).fill(2 * 60_000),
    ...Array<number>(16).fill(5 * 60_000),
  ];
  for (const step of steps) {
    if ((await rows('select 1 from attempt where is_open')).length === 0) return;
    // What the sandbox carries out late takes real time.
    if (step === 5_000) await sleep(50);
    await sandbox.advance(step);
    await reconcile(sandbox.world.engine);
    counts['reconciled'] = (counts['reconciled'] ?? 0) + 1;
  }
}

async function compareWithJournal(): Promise<void> {
  const journal = await sandbox.charges();
  const captures = await rows<{ line: string; ref: string; attempt_id: string }>(
    `select c.remote || ' ' || c.amount_minor as line, a.ref, a.id as attempt_id from capture c
       join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id`,
  );
  const inBooks = new Set(captures.map((row) => row.line));
  expect(inBooks).toEqual(new Set(journal.map((one) => `${one.remote} ${one.minor}`)));
  expect(captures).toHaveLength(journal.length);
  for (const { attempt_id } of captures) expect(told.get(attempt_id) ?? new Set()).not.toContain('failed');
  Object.assign(counts, { charges: journal.length, captures: captures.length });
}

afterEach(() => sandbox.control('DELETE', 'faults'));

it.each(cases)('$name', async ({ name, faults, told: expected, card = 'good' }) => {
  const invoice = await sandbox.world.seedPayable(sandbox.customer);
  const token = await sandbox.cardToken(cards[card]);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: token,
  };
  for (const fault of faults) await sandbox.control('POST', 'faults', { gateway: 'stripe', ...fault });
  const first = await pay(body);
  if (expected !== undefined) expect(first).toBe(expected);
  // The impatient press again, and try another card.
  await pay({ ...body, cardToken: token }).catch(() => undefined);
  await untilEnded();
  await sandbox.control('DELETE', 'faults');
  await sandbox.advance(60_000);
  await sandbox.webhooksDelivered();
  expect(await rows('select 1 from attempt where is_open')).toEqual([]);
  expect(await brokenRules(sandbox.world.database.pool())).toEqual({});
  await compareWithJournal();

  const [after] = await rows<{ due: number; credit: number; net: number; captured: number; held: number }>(
    `select i.due_minor::int as due, i.held_minor::int as held, coalesce(sum(c.to_credit_minor), 0)::int as credit,
            coalesce(sum(c.amount_minor - c.reversed_minor), 0)::int as net, coalesce(sum(c.amount_minor), 0)::int as captured
       from invoice i left join claim l on l.customer_id = i.customer_id and l.invoice_id = i.id
       left join capture c on c.customer_id = l.customer_id and c.attempt_id = l.attempt_id
      where i.id = $1 group by i.customer_id, i.id`,
    [invoice.id],
  );
  expect(after).toMatchObject({ credit: 0, held: 0 });
  if (name in dueAfter) expect(after?.due).toBe(dueAfter[name]);
  expect(after?.captured).toBeLessThanOrEqual(TOTAL);
  // Whatever happened, the customer can pay what is still due, and is then done.
  if (after !== undefined && after.due > 0) {
    expect(after.net).toBe(Math.max(0, DUE - after.due));
    const again = {
      ...body,
      invoiceAmount: (after.due / 100).toFixed(2),
      cardToken: await sandbox.cardToken(cards.good),
    };
    expect(await pay(again)).toBe('succeeded');
  }
  counts['cases'] = (counts['cases'] ?? 0) + 1;
});

it('afterwards the journal and the books agree, and nobody was told failed about money that was taken', async () => {
  await sandbox.webhooksDelivered();
  await compareWithJournal();
  expect(await brokenRules(sandbox.world.database.pool())).toEqual({});
  process.stdout.write(`payment faults: ${JSON.stringify(counts)}\n`);
});
