import { type Money, money } from '../money/money.ts';

/** Whether an amount is a whole number of steps. @param step undefined: any amount is */
export const isInSteps = (amount: Money, step: Money | undefined): boolean =>
  step === undefined || amount.minor % step.minor === 0n;

/** The largest whole number of steps up to an amount of nothing or more. */
export const downToStep = (amount: Money, step: Money | undefined): Money =>
  step === undefined ? amount : money(amount.minor - (amount.minor % step.minor), amount.currency);

/** The least whole number of steps from an amount of nothing or more. */
export function upToStep(amount: Money, step: Money | undefined): Money {
  const down = downToStep(amount, step);
  return step === undefined || down.minor === amount.minor
    ? amount
    : money(down.minor + step.minor, amount.currency);
}
