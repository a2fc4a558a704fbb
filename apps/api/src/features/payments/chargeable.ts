import { compareMoney, isPositive, type Money, money } from '@counterfoil/domain/money/money.ts';
import { isInSteps } from '@counterfoil/domain/paying/step.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import { type DebitScheme, debitSchemes } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { GatewayAccount } from './accounts.ts';

/** An account as far as it says what can be charged; undefined: there is none. */
export type Charging = Pick<GatewayAccount, 'gateway' | 'module'> | undefined;

/** What a payment is to be made with. */
export type ChargeSource =
  /** A saved method; `type` is the gateway's name of it (`sepa_debit`). */
  | { readonly by: 'saved'; readonly type: string | undefined }
  /**
   * What the provider's fields made of a card, or of an account of a scheme, that pays once; absent before anything is
   * typed.
   */
  | { readonly by: 'token'; readonly token?: string; readonly scheme?: string }
  /** The gateway's own page. */
  | { readonly by: 'page' };

/** One way of paying, as far as it is known: a page asks before there is an amount, or even a currency. */
export interface WayOfPaying {
  readonly kind: MethodKind;
  readonly source: ChargeSource;
  readonly currency?: string;
  /** Fee included, in `currency`. */
  readonly total?: Money;
}

/** Why a payment cannot be charged so. */
export type Refusal = 'currency' | 'notOffered' | 'token' | 'tooSmall' | 'amountNotRepresentable';

const inMinor = (minor: number | undefined, currency: string): Money | undefined =>
  minor === undefined ? undefined : money(BigInt(minor), currency);

/** The least a gateway charges in a currency; undefined where it does not say so beforehand. */
export const leastCharge = (account: Charging, currency: string): Money | undefined =>
  inMinor(account?.gateway.capabilities.minimumCharge?.[currency], currency);

/** What a gateway charges whole numbers of in a currency; undefined where any amount can be charged. */
export const chargeStep = (account: Charging, currency: string): Money | undefined =>
  inMinor(account?.gateway.capabilities.amountIncrement?.[currency], currency);

/** Whether methods of a kind are taken at all. */
export const takesKind = ({ gateway }: NonNullable<Charging>, kind: MethodKind): boolean =>
  gateway.capabilities.entry[kind] !== undefined;

/** Whether a gateway charges in a currency at all. */
export function takesCurrency({ gateway }: NonNullable<Charging>, currency: string): boolean {
  const { currencies } = gateway.capabilities;
  return currencies === 'any' || currencies.includes(currency);
}

/** Whether a one-time token can be one of this provider's: what cannot is never sent to it, nor kept. */
export const isTokenOf = ({ module }: NonNullable<Charging>, token: string): boolean =>
  module.manifest.saved?.token.test(token) !== false;

/**
 * Why a gateway would refuse a payment, known before it is asked. The one check that every way of paying passes, in
 * details and quotes as when money is to be taken: currency, kind, whether what is not saved can pay, the token's
 * pattern, least and step.
 * @returns undefined: it would not, there is nothing to take, or there is no account
 */
export function refusalOf(account: Charging, way: WayOfPaying): Refusal | undefined {
  if (account === undefined) return undefined;
  const { kind, source, total, currency = total?.currency } = way;
  if (currency !== undefined && !takesCurrency(account, currency)) return 'currency';
  if (!takesKind(account, kind) || !takesSource(account, kind, source)) return 'notOffered';
  if (source.by === 'token' && source.token !== undefined && !isTokenOf(account, source.token))
    return 'token';
  const own = currencyOfDebit(account, source);
  if (own !== undefined && currency !== undefined && own !== currency) return 'currency';
  return total === undefined ? undefined : refusalOfAmount(account, total);
}

function takesSource(account: NonNullable<Charging>, kind: MethodKind, source: ChargeSource): boolean {
  const { gateway } = account;
  if (source.by === 'saved') return true;
  if (gateway.capabilities.oneOff === 'no') return false;
  if (source.by === 'page') return gateway.createCheckout !== undefined;
  return kind === 'card' ? source.scheme === undefined : schemeOf(account, source.scheme)?.once === true;
}

/** A bank account is debited in the currency of its scheme only. */
const currencyOfDebit = (account: NonNullable<Charging>, source: ChargeSource): string | undefined =>
  source.by === 'page'
    ? undefined
    : schemeOf(account, source.by === 'saved' ? source.type : source.scheme)?.currency;

const schemeOf = ({ module }: NonNullable<Charging>, name: string | undefined): DebitScheme | undefined =>
  debitSchemes(module.manifest.saved).find(({ scheme }) => scheme === name);

function refusalOfAmount(account: Charging, total: Money): 'tooSmall' | 'amountNotRepresentable' | undefined {
  const least = leastCharge(account, total.currency);
  if (!isPositive(total)) return undefined;
  if (least !== undefined && compareMoney(total, least) < 0) return 'tooSmall';
  return isInSteps(total, chargeStep(account, total.currency)) ? undefined : 'amountNotRepresentable';
}
