import type { Ageing, StatementEntry } from '@counterfoil/contract/statement.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { sumSoon } from './account-sums.ts';
import * as queries from './queries.ts';

export interface StatementDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** What a statement is asked for. Days as 'YYYY-MM-DD', both included; without a currency the brand's. */
export interface Wanted {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly currency?: string | undefined;
}

/** The running account in minor units of its currency. */
export interface Account {
  readonly brand: Brand;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly opening: bigint;
  readonly entries: readonly AccountEntry[];
  readonly billed: bigint;
  readonly paidAndCredited: bigint;
  readonly closing: bigint;
  readonly ageing: Readonly<Record<keyof Ageing, bigint>>;
}

interface AccountEntry
  extends Pick<StatementEntry, 'kind' | 'date' | 'reference' | 'invoiceId' | 'receiptOf'> {
  readonly amount: bigint;
  readonly balance: bigint;
}

/**
 * The customer's running account over a span of days, in one currency.
 * @throws {AppError} usage.badRange when the span is reversed
 */
export async function accountOf(deps: StatementDeps, scope: CustomerScope, wanted: Wanted): Promise<Account> {
  const { dateFrom, dateTo } = wanted;
  if (dateFrom > dateTo) throw new AppError('usage.badRange');
  const brand = brandFromRow(await findCustomerBrand(deps.db, scope.customerId, scope.resellerId));
  const currencies = (await queries.listCurrencies(deps.db, scope)).map(({ currency }) => currency);
  const currency =
    wanted.currency ??
    (currencies.includes(brand.currency) ? brand.currency : currencies[0]) ??
    brand.currency;
  const of = { currency, timeZone: brand.timeZone };
  const day = today(brand.timeZone, deps.clock.now());
  const [opening, movements, ageing] = await Promise.all([
    balanceBefore(deps.db, scope, { ...of, day: dateFrom }),
    queries.listMovements(deps.db, scope, { ...of, from: dateFrom, to: dateTo }),
    ageingOf(deps.db, scope, currency, day),
  ]);
  let balance = opening;
  const entries = movements.map((row) => {
    balance += row.effect;
    return presentEntry(row, balance);
  });
  const sum = (rows: readonly AccountEntry[]) => rows.reduce((all, { amount }) => all + amount, 0n);
  return {
    brand,
    currency,
    currencies,
    opening,
    entries,
    billed: sum(entries.filter(({ amount }) => amount > 0n)),
    paidAndCredited: sum(entries.filter(({ amount }) => amount < 0n)),
    closing: balance,
    ageing,
  };
}

/** What was owed before a day of the brand's zone, minor units. Where that was much to read, it is summed up for the next time. */
export async function balanceBefore(
  db: Database,
  scope: CustomerScope,
  of: Parameters<typeof queries.balanceBefore>[2],
): Promise<bigint> {
  const { minor, unsummed } = await queries.balanceBefore(db, scope, of);
  await sumSoon(db, scope.customerId, unsummed);
  return minor;
}

async function ageingOf(
  db: Db,
  scope: CustomerScope,
  currency: string,
  day: string,
): Promise<Account['ageing']> {
  const [row, credit] = await Promise.all([
    queries.sumOpen(db, scope, currency, day),
    queries.unusedCredit(db, scope, currency),
  ]);
  return {
    notDue: row.not_due,
    days1To30: row.days_30,
    days31To60: row.days_60,
    days61To90: row.days_90,
    over90: row.older,
    total: row.not_due + row.days_30 + row.days_60 + row.days_90 + row.older,
    credit: credit.minor,
  };
}

function presentEntry(row: queries.MovementRow, balance: bigint): AccountEntry {
  const reference = row.number ?? row.reference ?? '';
  return {
    kind: kindOf(row),
    date: row.day,
    reference,
    invoiceId: row.invoice_id,
    receiptOf: row.source === 'capture' ? row.source_id : null,
    amount: row.effect,
    balance,
  };
}

function kindOf({ source, effect }: queries.MovementRow): StatementEntry['kind'] {
  if (source === 'invoice') return 'invoice';
  if (source === 'credit') return 'credit';
  if (source === 'capture') return 'payment';
  if (source === 'reversal' || source === 'external') return effect > 0n ? 'paymentReturned' : 'payment';
  return 'adjustment';
}
