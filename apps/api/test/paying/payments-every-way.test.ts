import { expect, it } from 'vitest';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES } from '../simulation/seeded.ts';

/** One invoice, paid by everybody who may pay it at the same moment. */
const sandbox = useSandboxFixture({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, (minor) => Math.round((minor * 150) / 10_000));
const TIMES = PROVES ? 100 : 5;

it(
  'auto-pay, bulk pay and the link at once charge an invoice once',
  async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const ready = await operations.everyWay(cards.good);
      await ready.press();
      await run.untilEnded();
      await run.judge();
      const [money] = await run.rows<{ captures: number; minor: number; due: number }>(
        `select count(*)::int as captures, sum(amount_minor)::int as minor,
                (select sum(due_minor) from invoice where customer_id = $1)::int as due
           from capture where customer_id = $1`,
        [ready.customerId],
      );
      expect(money).toEqual({ captures: 1, minor: ready.mostMinor, due: 0 });
      run.count('invoices');
    }
    process.stdout.write(`every way at once: ${JSON.stringify(run.counts)}\n`);
  },
  TIMES * 15_000,
);
