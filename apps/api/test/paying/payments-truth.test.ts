import { afterEach, expect, it } from 'vitest';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES } from '../simulation/seeded.ts';

/**
 * How soon after a gateway's outage an unknown outcome is known, where the gateway replays keys: within 10 s, told by
 * the clock of server and sandbox, with rounds as they come in earnest. Webhooks are lost, so nobody helps.
 */
const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const ROUND_MS = 5_000;
const LIMIT_MS = 10_000;
const MANY = 10_000;
const waits: string[] = [];

afterEach(() => sandbox.control('DELETE', 'faults'));

const fault = (operation: string, mode: string) =>
  sandbox.control('POST', 'faults', { gateway: 'stripe', operation, mode, times: MANY });
const isOpen = async (): Promise<boolean> =>
  (await run.rows('select 1 from attempt where is_open')).length > 0;
async function round(): Promise<void> {
  await sandbox.advance(ROUND_MS);
  await reconcile(sandbox.fixture.engine);
}

const cases: [what: string, mode: string, outageS: number][] = [
  ['executed', 'timeout-after', 10],
  ['executed', 'timeout-after', 60],
  ['executed', 'error-500-after', 300],
  ['not executed', 'timeout-before', 60],
];
// Every call of an outage takes its time.
if (PROVES) cases.push(['not executed', 'timeout-before', 600], ['executed', 'timeout-after', 1_500]);

it.each(cases)(
  'a charge that was %s (%s) is known 10 s after %i s of outage',
  async (_what, mode, outageS) => {
    const ready = await operations.publicPay(cards.good);
    await fault('charge', 'webhook-lost');
    await fault('charge', mode);
    await fault('find', 'timeout-before');
    expect(await ready.press()).not.toBe('failed');
    for (let ms = 0; ms < outageS * 1_000; ms += ROUND_MS) await round();
    expect(await isOpen()).toBe(true);
    await sandbox.control('DELETE', 'faults');
    await fault('charge', 'webhook-lost');
    let waited = 0;
    while ((await isOpen()) && waited <= 10 * LIMIT_MS) {
      await round();
      waited += ROUND_MS;
    }
    waits.push(`${mode}, ${outageS} s: ${waited / 1_000} s`);
    expect(waited).toBeLessThanOrEqual(LIMIT_MS);
    await run.judge();
  },
  300_000,
);

it('told', () => {
  expect(waits).toHaveLength(cases.length);
  process.stdout.write(`time to truth after an outage: ${waits.join('; ')}\n`);
});
