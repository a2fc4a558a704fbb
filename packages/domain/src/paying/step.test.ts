import { describe, expect, it } from 'vitest';
import { money } from '../money/money.ts';
import { downToStep, isInSteps, upToStep } from './step.ts';

const dinar = (minor: bigint) => money(minor, 'KWD');
const ten = dinar(10n);

describe('steps of a currency', () => {
  it.each([
    [12_345n, false, 12_340n, 12_350n],
    [12_340n, true, 12_340n, 12_340n],
    [9n, false, 0n, 10n],
    [0n, true, 0n, 0n],
  ])('%s: whole %s, down %s, up %s', (minor, whole, down, up) => {
    expect(isInSteps(dinar(minor), ten)).toBe(whole);
    expect(downToStep(dinar(minor), ten)).toEqual(dinar(down));
    expect(upToStep(dinar(minor), ten)).toEqual(dinar(up));
  });

  it('without a step any amount stays as it is', () => {
    expect(isInSteps(dinar(1n), undefined)).toBe(true);
    expect([downToStep(dinar(7n), undefined), upToStep(dinar(7n), undefined)]).toEqual([
      dinar(7n),
      dinar(7n),
    ]);
  });
});
