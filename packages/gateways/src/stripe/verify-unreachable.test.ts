/** The cases of `gateway verify` where no answer comes, and with keys that are not for tests. */
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayFetch } from '../kit/http.ts';
import { verify } from './verify.ts';
import { details, ends, type Over, openVerifyFixture, type VerifyFixture } from './verify-fixture.ts';

let fixture: VerifyFixture;
beforeAll(async () => {
  fixture = await openVerifyFixture();
});
beforeEach(() => fixture.control('reset', {}));
afterEach(() => fixture.control('faults', undefined, 'DELETE'));
afterAll(() => fixture.close());
const run = (over?: Over) => fixture.run(over);

describe('without an answer', () => {
  it('nothing listens: the keys are unreachable, and the rest is not run', async () => {
    const report = await run({ api: await nowhere() });
    const { keys, ...others } = ends(report);
    expect(keys).toBe('unreachable');
    expect(new Set(Object.values(others))).toEqual(new Set(['notRun']));
    expect(report.left).toEqual([]);
  });

  it('refused keys: that is a failure, and the rest is not run', async () => {
    const report = await run({ config: { secretKey: 'sk_test_invalid1' } });
    expect(report.results[0]).toMatchObject({
      case: 'keys',
      is: 'failed',
      detail: expect.stringContaining('401'),
    });
    expect(report.results[1]).toMatchObject({ is: 'notRun', detail: 'keys: failed' });
  });

  it.each(['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'rate-limit'])(
    '%s: unreachable, not failed, and what was taken goes back',
    async (mode) => {
      await fixture.control('faults', { gateway: 'stripe', operation: 'charge', mode, times: 3 });
      const report = await run({ only: ['pay-once'], timeoutMs: 400 });
      expect(ends(report)).toEqual({ 'pay-once': 'unreachable' });
      expect(await fixture.kept()).toEqual([]);
      expect(report.left).toEqual([]);
    },
  );

  it('an answer that is no answer is a failure', async () => {
    await fixture.control('faults', { gateway: 'stripe', operation: 'charge', mode: 'malformed', times: 1 });
    expect(ends(await run({ only: ['pay-once'] }))).toEqual({ 'pay-once': 'failed' });
  });

  it('a case that has no end is ended: not reached while it waits for an answer, else failed', async () => {
    const [, one] = verify.cases;
    if (one === undefined) throw new Error('there are cases');
    const limited = (work: () => Promise<void>) => ({ ...one, id: 'slow', withinMs: 50, run: work });
    const suite = (work: () => Promise<void>) => ({ cases: [limited(work)], notChecked: [] });
    const never = new Promise<never>(() => undefined);
    expect(details(await run({ suite: suite(() => never) }))).toEqual(['slow failed: no end within 0 s']);
    const hanging: GatewayFetch = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error('cut')), 200));
    const waiting = {
      cases: [{ ...one, id: 'slow', withinMs: 50 }],
      notChecked: [],
    };
    expect(ends(await run({ suite: waiting, fetch: hanging }))).toEqual({ slow: 'unreachable' });
  });
});

it('live keys are refused before anything is sent', async () => {
  let sent = 0;
  const counting: GatewayFetch = (input, init) => {
    sent += 1;
    return fetch(input, init);
  };
  for (const live of [
    { secretKey: 'sk_live_x1' },
    { secretKey: 'rk_live_x1' },
    { publishableKey: 'pk_live_x1' },
  ])
    await expect(Promise.resolve().then(() => run({ config: live, fetch: counting }))).rejects.toThrow(
      'live',
    );
  expect(sent).toBe(0);
});
