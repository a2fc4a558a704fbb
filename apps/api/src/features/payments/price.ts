import type { FeeSetting, StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import { feeFor, feeRuleOf } from '@counterfoil/domain/money/fee.ts';
import { addMoney, type Money, zero } from '@counterfoil/domain/money/money.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { Brand } from '../brand/service.ts';
import { type Charging, chargeStep } from './chargeable.ts';

/** What a payment costs: what is paid, the fee for the kind of method, and both together. */
export interface Price {
  readonly due: Money;
  readonly fee: Money;
  readonly total: Money;
}

/**
 * Adds the brand's fee, once per payment. It is set in the brand's currency and not taken in another.
 * @param account what is to take it: a fee is an amount it can charge
 */
export function priceFor(
  due: Money,
  kind: MethodKind,
  { currency, settings }: Pick<Brand, 'currency' | 'settings'>,
  account: Charging,
): Price {
  const fee =
    due.currency === currency
      ? feeFor(due, feeRuleOf(settingOf(settings, kind)), chargeStep(account, currency))
      : zero(due.currency);
  return { due, fee, total: addMoney(due, fee) };
}

const settingOf = ({ cardFee, bankFee }: StoredBrandSettings, kind: MethodKind): FeeSetting =>
  kind === 'card' ? cardFee : bankFee;

/** What the fee of an amount in `currency` is made of, so that a page can tell it before it asks. */
export const feeSettingFor = (
  brand: Pick<Brand, 'currency' | 'settings'>,
  kind: MethodKind,
  currency: string,
) =>
  currency === brand.currency
    ? settingOf(brand.settings, kind)
    : { basisPoints: 0, fixedMinor: 0, capMinor: null };
