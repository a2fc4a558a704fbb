import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenHost, openHost } from '../host.ts';
import { ownTurn } from '../turn.ts';
import { endRefund, recordCharge, recordRefund, refundable, type Sums } from './movements.ts';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-movements-'));
let host: OpenHost;
beforeAll(async () => {
  host = await openHost({ directory, publicUrl: 'http://127.0.0.1:1', portalOrigins: [], sandboxes: [] });
});
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const named = { gateway: 'toy', account: 'a', reference: null, idempotencyKey: null, metadata: {} };
const money = (movement: string, minor: number) => ({
  ...named,
  movement,
  remote: 'r',
  currency: 'AUD',
  minor,
});

it('whatever is refunded and comes back: never more than was taken, and the charge says how much', () => {
  const refunds = fc.array(fc.record({ minor: fc.integer({ min: 1, max: 60 }), fails: fc.boolean() }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(refunds, (wanted) => {
      const turn = ownTurn(host, host.store.begin());
      recordCharge(turn, money('c', 100), { plan: {}, disputed: undefined });
      let sums: Sums = { movement: 'c', taken: 100, refunded: 0 };
      let given = 0;
      for (const [index, { minor, fails }] of wanted.entries()) {
        const refund = money(`re${index}`, minor);
        if (minor > refundable(sums)) {
          expect(() => recordRefund(turn, sums, refund, true)).toThrow(RangeError);
          continue;
        }
        sums = { ...sums, refunded: recordRefund(turn, sums, refund, true) };
        sums = { ...sums, refunded: endRefund(turn, sums, refund, fails) };
        if (!fails) given += minor;
      }
      const [charge] = host.captures.list('charge');
      expect([charge?.refundedMinor, sums.refunded]).toEqual([given, given]);
      expect(charge?.state).toBe(
        given === 0 ? 'captured' : given === 100 ? 'refunded' : 'partially-refunded',
      );
      turn.tx.rollback();
    }),
  );
});
