import { type Money, money, subtractMoney, zero } from '@counterfoil/domain/money/money.ts';
import { addDays, type Day, parseDay } from '@counterfoil/domain/time/day.ts';
import { localToInstant, today } from '@counterfoil/domain/time/time-zone.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { Db } from '../../db/database.ts';
import { findBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import {
  type GatewayAccount,
  type GatewayAccounts,
  PaymentTerms,
  type Price,
  type Refusal,
} from '../payments/service.ts';
import type { Bill, Moment } from './judge.ts';
import { type BillRow, planOf } from './queries.ts';

/** Hour of the brand's day at which money is taken, and before which no mail about it is sent. */
const STARTS_AT = '06:00:00';

/** Brands and gateways of one round, each looked up once. */
export class RoundContext {
  readonly #brands = new Map<number, Promise<Brand>>();
  readonly #accounts = new Map<number, Promise<GatewayAccount | undefined>>();
  readonly #db: Db;
  readonly #gateways: GatewayAccounts;
  readonly now: Date;

  constructor(db: Db, gateways: GatewayAccounts, now: Date) {
    this.#db = db;
    this.#gateways = gateways;
    this.now = now;
  }

  brand(id: number): Promise<Brand> {
    return once(this.#brands, id, async () => {
      const row = (await findBrand(this.#db, id)) ?? (await findBrand(this.#db, 0));
      if (row === undefined) throw new Error(`there is no brand ${id}`);
      return brandFromRow(row);
    });
  }

  account(resellerId: number): Promise<GatewayAccount | undefined> {
    return once(this.#accounts, resellerId, () => this.#gateways.activeFor(resellerId));
  }
}

function once<K, V>(known: Map<K, Promise<V>>, key: K, find: () => Promise<V>): Promise<V> {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** The brand's day and whether its clocks show 06:00 or later; also where clocks are changed in that night. */
export function momentOf(brand: Pick<Brand, 'timeZone'>, now: Date): Moment {
  const day = today(brand.timeZone, now);
  return { today: day, isPastSix: now >= localToInstant(`${day} ${STARTS_AT}`, brand.timeZone) };
}

/** When the next run begins at a brand: the next 06:00 that its clocks show. */
export function nextStart(timeZone: string, now: Date): Date {
  const day = today(timeZone, now);
  const first = localToInstant(`${day} ${STARTS_AT}`, timeZone);
  return first > now ? first : localToInstant(`${addDays(day, 1)} ${STARTS_AT}`, timeZone);
}

/** What charging an invoice by itself costs, of which credit pays a part. */
export interface BillPrice {
  /** All that is due, and the part of it that credit pays. */
  readonly due: Money;
  readonly credit: Money;
  /** What is left, the fee of that, and both together. */
  readonly rest: Price;
  /** The same without credit: what is charged at most. */
  readonly whole: Price;
}

/**
 * Prices an invoice with the fee of the method's kind, once.
 * @param unused credit that can be used for it, minor units
 */
export function priceOf(
  row: Pick<BillRow, 'due_minor' | 'currency'>,
  { brand, account }: { readonly brand: Brand; readonly account: GatewayAccount | undefined },
  kind: MethodKind,
  unused: bigint,
): BillPrice {
  const due = row.due_minor > 0n ? money(row.due_minor, row.currency) : zero(row.currency);
  const terms = new PaymentTerms(brand, account);
  const credit = terms.creditFor(due, unused);
  const of = (part: Money) => terms.price(part, kind);
  return { due, credit, rest: of(subtractMoney(due, credit)), whole: of(due) };
}

const dayOrNull = (text: string | null): Day | null => (text === null ? null : parseDay(text));

/** Refusals that are a reason of their own; any other one means that the method cannot be charged. */
export const isReason = (
  refused: Refusal | undefined,
): refused is Extract<Refusal, 'currency' | 'tooSmall' | 'amountNotRepresentable'> =>
  refused !== undefined && refused !== 'notOffered' && refused !== 'token';

/** A row as the judge takes it. @param unused credit that can be used for it; all there is unless given */
export function billOf(
  row: BillRow,
  brand: Brand,
  account: GatewayAccount | undefined,
  unused = row.credit_minor,
): Bill {
  const { method_id: id, method_kind: kind, method_show: show } = row;
  const price = priceOf(row, { brand, account }, kind ?? 'card', unused);
  const source = { by: 'saved', type: show?.['type'] } as const;
  const way = { kind: kind ?? 'card', source, total: price.rest.total } as const;
  const refused = new PaymentTerms(brand, account).refusal(way);
  return {
    kind: row.kind,
    status: row.status,
    dueMinor: row.due_minor,
    reversedMinor: row.reversed_minor,
    dueOn: dayOrNull(row.due_on),
    hasOpenAttempt: row.has_open,
    hasEmail: row.email !== null && row.email !== '',
    isCovered: row.has_consent || !brand.reseller.requireCustomerPermissionForCharging,
    hasConsent: row.has_consent,
    isActive: row.is_active,
    paymentsEnabled: brand.settings.paymentsEnabled,
    hasGateway: account !== undefined,
    // One of a kind that is not taken any more is as good as none.
    method:
      id === null || kind === null || refused === 'notOffered'
        ? null
        : { id, kind, expires: row.method_expires },
    hasMethods: row.has_methods,
    totalMinor: price.whole.total.minor,
    refused: isReason(refused) ? refused : null,
    plan: planOf(row),
  };
}
