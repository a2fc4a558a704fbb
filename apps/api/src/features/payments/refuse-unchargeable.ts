import { isPositive, type Money } from '@counterfoil/domain/money/money.ts';
import { downToStep } from '@counterfoil/domain/paying/step.ts';
import { AppError } from '../../app-error.ts';
import { amountText, type Brand } from '../brand/service.ts';
import {
  type Charging,
  chargeStep,
  leastCharge,
  type Refusal,
  refusalOf,
  type WayOfPaying,
} from './chargeable.ts';
import type { Price } from './price.ts';

/** The same as {@link refuseUnchargeable} before there is a price: nothing was asked of anybody yet. @throws {AppError} */
export function refuseWay(account: Charging, way: Omit<WayOfPaying, 'total'>): void {
  const refused = refusalOf(account, way);
  if (refused !== undefined) refuseAs(refused);
}

function refuseAs(refused: Refusal): void {
  if (refused === 'notOffered') throw new AppError('paymentMethod.notOffered');
  if (refused === 'currency') throw new AppError('payment.methodCurrency');
  if (refused === 'token')
    throw new AppError('request.invalid', {
      fields: [{ path: 'cardToken', message: 'is no token of the provider' }],
    });
}

/**
 * Refuses what the gateway would, before it is asked.
 * @param offersPart a part of what is due can be paid instead
 * @throws {AppError} paymentMethod.notOffered, payment.methodCurrency and request.invalid for the way of paying;
 *   payment.tooSmall with the least in words, payment.amountNotRepresentable with the steps, and what can be paid
 */
export function refuseUnchargeable(
  account: Charging,
  { kind, source }: Pick<WayOfPaying, 'kind' | 'source'>,
  { due, total }: Price,
  brand: Brand,
  offersPart: boolean,
): void {
  const refused = refusalOf(account, { kind, source, total });
  if (refused === undefined) return;
  refuseAs(refused);
  const shown = (amount: Money | undefined) => (amount === undefined ? '' : amountText(brand, amount));
  const how = kind === 'card' ? 'card' : 'bank account';
  const { currency } = total;
  if (refused === 'tooSmall')
    throw new AppError('payment.tooSmall', {
      text: `The smallest amount that can be paid by ${how} is ${shown(leastCharge(account, currency))}. Nothing was charged.`,
    });
  const step = chargeStep(account, currency);
  const part = downToStep(due, step);
  const instead =
    offersPart && isPositive(part)
      ? `You can pay a part of it, up to ${shown(part)}`
      : `Please ask ${brand.companyName} how to pay it`;
  throw new AppError('payment.amountNotRepresentable', {
    text: `${shown(due)} cannot be paid by ${how}: amounts in ${currency} are charged in steps of ${shown(step)}. ${instead}. Nothing was charged.`,
  });
}
