import {
  type Bundle,
  type Credit,
  JASPER_PERIODS,
  type JasperUsage,
  type NextBill,
} from '@counterfoil/contract/dashboard.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { multiplyRates, parseRate, rateToNumber, roundRate } from '@counterfoil/domain/money/rate.ts';
import { addDays, dayOfUtcMs, parseDay } from '@counterfoil/domain/time/day.ts';
import { monthOf, periodText } from '@counterfoil/domain/time/period.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { listCredits } from '../payments/queries.ts';
import * as queries from './queries.ts';

export interface DashboardDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** The current month in UTC, by which usage is counted. */
const currentMonth = (now: Date) => monthOf(dayOfUtcMs(now.getTime()));

/**
 * Data used by month, oldest first, in bytes.
 * @param which the last five months that have any, or all
 */
export async function dataUsage(
  { db }: DashboardDeps,
  scope: CustomerScope,
  which: 'latest' | 'all',
): Promise<JasperUsage[]> {
  const brand = brandFromRow(await findCustomerBrand(db, scope.customerId, scope.resellerId));
  const { dataUsageRecordTypes, dataUsageUnitBytes } = brand.reseller;
  const limit = which === 'latest' ? JASPER_PERIODS : undefined;
  const rows = await queries.sumUnitsByMonth(db, scope, dataUsageRecordTypes, limit);
  return rows.toReversed().map(({ month, units }) => ({
    periodLabel: periodText(monthOf(parseDay(month)), brand.settings.language),
    dataUsage: Number(roundRate(multiplyRates(parseRate(units), parseRate(`${dataUsageUnitBytes}`)), 0)),
  }));
}

/** The customer's bundles with what was used of them this month. */
export async function bundlesOf({ db, clock }: DashboardDeps, scope: CustomerScope): Promise<Bundle[]> {
  const { start, end } = currentMonth(clock.now());
  const rows = await queries.listBundles(db, scope, start, addDays(end, 1));
  return [...Map.groupBy(rows, ({ name }) => name)].map(([bundleName, products]) => ({
    bundleName,
    bundle_products: products.map((row) => ({
      productName: row.product_name,
      serviceItem: row.service_item,
      quantity: rateToNumber(parseRate(row.quantity)),
      unitLabel: row.unit_label,
      consumption: rateToNumber(parseRate(row.consumption)),
    })),
  }));
}

/** What the customer stands in credit, as far as no payment under way holds it. */
export async function creditOf({ db }: DashboardDeps, { customerId }: CustomerScope): Promise<Credit[]> {
  const credits = await listCredits(db, customerId);
  return credits.map((amount) => ({ currency: amount.currency, amount: moneyToNumber(amount) }));
}

/** What has been charged and not invoiced yet, and this month's usage so far. Not final. */
export async function nextBillOf({ db, clock }: DashboardDeps, scope: CustomerScope): Promise<NextBill> {
  const now = clock.now();
  const [charges, usage] = await Promise.all([
    queries.sumOpenCharges(db, scope),
    queries.sumUsageSince(db, scope, currentMonth(now).start),
  ]);
  return {
    asOf: now.toISOString(),
    currencies: [...Map.groupBy(charges, ({ currency }) => currency)].map(([currency, rows]) => ({
      currency,
      dateFrom: earliest(rows.map(({ date_from: day }) => day)),
      dateTo: latest(rows.map(({ date_to: day }) => day)),
      charges: rows.map((row) => ({ name: row.name, lines: row.lines, ...amounts([row], currency) })),
      ...amounts(rows, currency),
    })),
    usage: usage.map((row) => ({
      service: row.service,
      records: row.records,
      price: rateToNumber(parseRate(row.price)),
    })),
  };
}

function amounts(rows: readonly queries.OpenChargeRow[], currency: string) {
  const subtotal = rows.reduce((all, row) => all + row.subtotal_minor, 0n);
  const tax = rows.reduce((all, row) => all + row.tax_minor, 0n);
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  return { subtotal: number(subtotal), tax: number(tax), total: number(subtotal + tax) };
}

// Days compare as text.
const known = (days: readonly (string | null)[]) => days.filter((day) => day !== null).toSorted();
const earliest = (days: readonly (string | null)[]): string | null => known(days)[0] ?? null;
const latest = (days: readonly (string | null)[]): string | null => known(days).at(-1) ?? null;
