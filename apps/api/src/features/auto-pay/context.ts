import { type Day, parseDay } from '@counterfoil/domain/day.ts';
import { money } from '@counterfoil/domain/money.ts';
import { localToInstant, today } from '@counterfoil/domain/time-zone.ts';
import type { MethodKind } from '@counterfoil/gateways/port.ts';
import type { Db } from '../../db/database.ts';
import { findBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import type { GatewayAccount, GatewayAccounts } from '../payments/accounts.ts';
import { type Price, priceFor } from '../payments/price.ts';
import type { Bill, Moment } from './judge.ts';
import { type BillRow, planOf } from './queries.ts';

/** Hour of the brand's day at which money is taken, and before which nobody hears of it. */
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

/** What charging an invoice by itself costs: what is due and the fee of the method's kind, once. */
export const priceOf = (
  row: Pick<BillRow, 'due_minor' | 'currency'>,
  brand: Brand,
  kind: MethodKind,
): Price => priceFor(money(row.due_minor > 0n ? row.due_minor : 0n, row.currency), kind, brand);

const dayOrNull = (text: string | null): Day | null => (text === null ? null : parseDay(text));

/** A row as the judge takes it. */
export function billOf(row: BillRow, brand: Brand, account: GatewayAccount | undefined): Bill {
  const { method_id: id, method_kind: kind } = row;
  return {
    ...{ kind: row.kind, status: row.status, dueMinor: row.due_minor, reversedMinor: row.reversed_minor },
    ...{ currency: row.currency, dueOn: dayOrNull(row.due_on), hasOpenAttempt: row.has_open },
    hasEmail: row.email !== null && row.email !== '',
    isCovered: row.has_consent || !brand.reseller.requireCustomerPermissionForCharging,
    hasConsent: row.has_consent,
    paymentsEnabled: brand.settings.paymentsEnabled,
    currencies: account?.gateway.can.currencies ?? null,
    method: id === null || kind === null ? null : { id, kind, expires: row.method_expires },
    hasMethods: row.has_methods,
    totalMinor: priceOf(row, brand, kind ?? 'card').total.minor,
    plan: planOf(row),
  };
}
