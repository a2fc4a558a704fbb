import { compareMoney, isPositive, type Money, money } from '@counterfoil/domain/money.ts';
import { isInSteps } from '@counterfoil/domain/step.ts';
import type { GatewayAccount } from './accounts.ts';

/** An account as far as it says what can be charged; undefined: there is none. */
export type Charging = Pick<GatewayAccount, 'gateway'> | undefined;

const inMinor = (minor: number | undefined, currency: string): Money | undefined =>
  minor === undefined ? undefined : money(BigInt(minor), currency);

/** The least a gateway charges in a currency; undefined where it does not say so beforehand. */
export const leastCharge = (account: Charging, currency: string): Money | undefined =>
  inMinor(account?.gateway.can.least?.[currency], currency);

/** What a gateway charges whole numbers of in a currency; undefined where any amount can be charged. */
export const chargeStep = (account: Charging, currency: string): Money | undefined =>
  inMinor(account?.gateway.can.step?.[currency], currency);

/** Why a gateway would refuse an amount, known before it is asked; undefined: it would not, or there is nothing to take. */
export function refusalOf(account: Charging, total: Money): 'tooSmall' | 'tooFine' | undefined {
  const least = leastCharge(account, total.currency);
  if (!isPositive(total)) return undefined;
  if (least !== undefined && compareMoney(total, least) < 0) return 'tooSmall';
  return isInSteps(total, chargeStep(account, total.currency)) ? undefined : 'tooFine';
}
