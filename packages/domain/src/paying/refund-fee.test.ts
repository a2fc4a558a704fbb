import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeOfRefund } from './refund-fee.ts';

const whole = (captured: bigint, fee: bigint) => ({ captured, fee, feeLeft: fee, restLeft: captured - fee });

describe('the fee in a refund', () => {
  it.each([
    ['a third', 3_500n, 10_500n, 500n, 167n],
    ['half a cent is rounded up', 1_050n, 10_500n, 5n, 1n],
    ['less than half a cent is none', 1_049n, 10_500n, 5n, 0n],
    ['all of it', 10_500n, 10_500n, 500n, 500n],
    ['a payment without a fee', 3_500n, 10_500n, 0n, 0n],
    ['more than the payment', 20_000n, 10_500n, 500n, 500n],
  ])('is in proportion: %s [decisions.11.refund-fee]', (_name, amount, captured, fee, share) => {
    expect(feeOfRefund(amount, whole(captured, fee))).toBe(share);
  });

  it('comes to the whole fee over all refunds, the last takes what is left [decisions.11.refund-fee-last]', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 9n).chain((captured) =>
          fc.record({
            captured: fc.constant(captured),
            fee: fc.bigInt(0n, captured - 1n),
            parts: fc.array(fc.bigInt(1n, captured), { maxLength: 6 }),
          }),
        ),
        ({ captured, fee, parts }) => {
          let [feeLeft, restLeft] = [fee, captured - fee];
          for (const part of [...parts, captured]) {
            const amount = part < feeLeft + restLeft ? part : feeLeft + restLeft;
            if (amount === 0n) break;
            const share = feeOfRefund(amount, { captured, fee, feeLeft, restLeft });
            feeLeft -= share;
            restLeft -= amount - share;
            expect([share >= 0n, share <= amount, feeLeft >= 0n, restLeft >= 0n]).not.toContain(false);
          }
          expect([feeLeft, restLeft]).toEqual([0n, 0n]);
        },
      ),
    );
  });
});
