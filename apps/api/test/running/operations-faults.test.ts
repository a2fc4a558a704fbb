import { afterEach, describe, expect, it } from 'vitest';
import { operationsFixture, type Ready } from '../fixtures/operations-fixture.ts';
import {
  type Case,
  cards,
  chargeCases,
  isTakenBack,
  refundCases,
  savable,
  staysPaid,
} from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES, SEED, someOf } from '../simulation/seeded.ts';

/**
 * The faults that the pay link meets in payments-faults.test.ts, for every other operation that moves money. The
 * sandbox's journal is the judge; each operation is pressed twice, and what is left due is paid by the link.
 */
const sandbox = useSandboxFixture({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, (minor) => Math.round((minor * 150) / 10_000));
const FEW = 6;
const TIMEOUT_MS = PROVES ? 120_000 : 20_000;

interface Money {
  due: number;
  held: number;
  captured: number;
  credit: number;
}
const moneyOf = async (customerId: string): Promise<Money> => {
  const [money] = await run.rows<Money>(
    `select (select sum(due_minor) from invoice where customer_id = $1)::int as due,
            (select sum(held_minor) from invoice where customer_id = $1)::int as held,
            coalesce((select sum(amount_minor) from capture where customer_id = $1), 0)::int as captured,
            coalesce((select sum(to_credit_minor) from capture where customer_id = $1), 0)::int as credit`,
    [customerId],
  );
  if (money === undefined) throw new Error('there is no customer');
  return money;
};

async function inTrouble(ready: Ready, { faults }: Case): Promise<void> {
  for (const fault of faults) await sandbox.control('POST', 'faults', { gateway: 'stripe', ...fault });
  await ready.press();
  // The impatient, and whoever else does the same.
  await ready.press();
  await run.untilEnded();
  await sandbox.control('DELETE', 'faults');
  await sandbox.advance(60_000);
  await sandbox.webhooksDelivered();
  await run.judge();
}

/** Whatever happened, what is due can be paid, and then all is paid. */
async function payTheRest({ invoices, customerId }: Ready): Promise<void> {
  for (const invoice of invoices) {
    const [row] = await run.rows<{ due: number }>('select due_minor::int as due from invoice where id = $1', [
      invoice.id,
    ]);
    if (row === undefined || row.due === 0) continue;
    await operations.payLink(invoice, row.due, cards.good);
    run.count('paid by the link');
  }
  await run.untilEnded();
  expect(await moneyOf(customerId)).toMatchObject({ due: 0, held: 0 });
}

afterEach(() => sandbox.control('DELETE', 'faults'));

const charging = [
  { name: 'bulk pay by a saved card', prepare: operations.bulkSaved, of: savable },
  { name: 'bulk pay with a new card', prepare: operations.bulkToken, of: cards },
  { name: 'auto-pay', prepare: operations.autoPay, of: savable },
];

describe.each(charging)('$name', ({ name: operation, prepare, of }) => {
  it.each(someOf(chargeCases, FEW, SEED + operation.length))(
    '$name',
    async (one) => {
      const ready = await prepare(of[one.card ?? 'good']);
      const before = await moneyOf(ready.customerId);
      await inTrouble(ready, one);
      const after = await moneyOf(ready.customerId);
      expect(after).toMatchObject({ held: 0, credit: 0 });
      expect(after.captured).toBeLessThanOrEqual(ready.mostMinor);
      // What credit paid stays paid when the money beside it is taken back.
      if (isTakenBack.has(one.name)) expect(after.due).toBeGreaterThan(before.due / 2);
      if (staysPaid.has(one.name)) expect(after.due).toBe(0);
      await payTheRest(ready);
      run.count(operation);
    },
    TIMEOUT_MS,
  );
});

describe('refunds', () => {
  it.each(someOf(refundCases, FEW))(
    '$name',
    async (one) => {
      const ready = await operations.refund();
      await inTrouble(ready, one);
      // A refund that certainly gave nothing back is tried again by who presses again.
      const [back] = await run.rows<{ remote: string; reversed: number; n: number }>(
        `select c.remote, c.reversed_minor::int as reversed,
                count(a.id) filter (where a.state = 'succeeded' or a.is_open)::int as n
           from capture c left join attempt a on a.customer_id = c.customer_id and a.of_capture_id = c.id
          where c.id = $1 group by c.customer_id, c.id`,
        [ready.captureId],
      );
      const atGateway = (await sandbox.charges()).find(({ remote }) => remote === back?.remote);
      expect(back?.n).toBeLessThanOrEqual(1);
      expect(back?.reversed).toBe(atGateway?.refundedMinor);
      expect(back?.reversed).toBe(back?.n === 1 ? ready.refundMinor : 0);
      run.count('refunds');
    },
    TIMEOUT_MS,
  );
});

it('afterwards the journal and the books agree, and nobody was told failed about money that was taken', async () => {
  // What had to wait for its gateway is followed up within a quarter of an hour.
  await sandbox.advance(15 * 60_000);
  await sandbox.webhooksDelivered();
  await run.judge();
  expect(await run.rows('select event_key from inbox where handled_at is null')).toEqual([]);
  process.stdout.write(`operation faults, seed ${SEED}: ${JSON.stringify(run.counts)}\n`);
});
