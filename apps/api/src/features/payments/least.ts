import { compareMoney, formatDecimal, isPositive, type Money, money } from '@counterfoil/domain/money.ts';
import type { MethodKind } from '@counterfoil/gateways/port.ts';
import { AppError } from '../../app-error.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';
import { symbolOf } from './price.ts';

/** The least a gateway charges in a currency; undefined where it does not say so beforehand. */
export function leastCharge(
  account: Pick<GatewayAccount, 'gateway'> | undefined,
  currency: string,
): Money | undefined {
  const minor = account?.gateway.can.least?.[currency];
  return minor === undefined ? undefined : money(BigInt(minor), currency);
}

/** Refuses what the gateway would, before it is asked. @throws {AppError} payment.tooSmall, with the least in words */
export function refuseTooSmall(
  account: Pick<GatewayAccount, 'gateway'>,
  total: Money,
  kind: MethodKind,
  brand: Brand,
): void {
  const least = leastCharge(account, total.currency);
  if (least === undefined || !isPositive(total) || compareMoney(total, least) >= 0) return;
  const amount = `${symbolOf(brand, least.currency)}${formatDecimal(least)}`;
  const how = kind === 'card' ? 'card' : 'bank account';
  throw new AppError('payment.tooSmall', {
    text: `The smallest amount that can be paid by ${how} is ${amount}. Nothing was charged.`,
  });
}
