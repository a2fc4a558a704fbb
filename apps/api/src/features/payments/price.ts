import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import { feeFor } from '@counterfoil/domain/fee.ts';
import { addMoney, type Money, zero } from '@counterfoil/domain/money.ts';
import type { MethodKind } from '@counterfoil/gateways/port.ts';
import type { Brand } from '../brand/service.ts';

/** What a payment costs: what is paid, the fee for the kind of method, and both together. */
export interface Price {
  readonly due: Money;
  readonly fee: Money;
  readonly total: Money;
}

/** Adds the brand's fee, once per payment. It is set in the brand's currency and not taken in another. */
export function priceFor(
  due: Money,
  kind: MethodKind,
  { currency, settings }: Pick<Brand, 'currency' | 'settings'>,
): Price {
  const fee = due.currency === currency ? feeFor(due, ruleOf(settings, kind)) : zero(due.currency);
  return { due, fee, total: addMoney(due, fee) };
}

function ruleOf({ cardFee, bankFee }: StoredBrandSettings, kind: MethodKind) {
  const { basisPoints, fixedMinor, capMinor } = kind === 'card' ? cardFee : bankFee;
  return {
    basisPoints,
    fixedMinor: BigInt(fixedMinor),
    capMinor: capMinor === null ? null : BigInt(capMinor),
  };
}

/** How an amount's currency is written before it: the brand's symbol where it is the brand's, else the code. */
export const symbolOf = ({ currency, settings }: Pick<Brand, 'currency' | 'settings'>, of: string): string =>
  of === currency ? settings.currencySymbol : `${of} `;
