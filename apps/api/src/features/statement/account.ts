import type { Ageing, StatementEntry } from '@counterfoil/contract/statement.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import { fewRows } from '../../http/answers/whole-list.ts';
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

/** A running account before its entries, in minor units of its currency. */
export interface OpenAccount {
  readonly brand: Brand;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly opening: bigint;
  readonly ageing: Readonly<Record<keyof Ageing, bigint>>;
  readonly movements: Sql<queries.MovementRow>;
}

/** The same with its entries. */
export interface Account extends Omit<OpenAccount, 'movements'> {
  readonly entries: readonly AccountEntry[];
  readonly billed: bigint;
  readonly paidAndCredited: bigint;
  readonly closing: bigint;
}

export interface AccountEntry
  extends Pick<StatementEntry, 'kind' | 'date' | 'reference' | 'invoiceId' | 'receiptOf'> {
  readonly amount: bigint;
  readonly balance: bigint;
}

/** Adds up movements, one after another, in minor units. */
export class RunningAccount {
  closing: bigint;
  billed = 0n;
  paidAndCredited = 0n;

  constructor(opening: bigint) {
    this.closing = opening;
  }

  /** @returns the movement with what is owed after it */
  add(row: queries.MovementRow): AccountEntry {
    this.closing += row.effect;
    if (row.effect > 0n) this.billed += row.effect;
    else this.paidAndCredited += row.effect;
    return presentEntry(row, this.closing);
  }
}

/**
 * The customer's running account over a span of days, in one currency, before its entries are read.
 * @throws {AppError} usage.badRange when the span is reversed
 */
export async function openAccount(
  deps: StatementDeps,
  scope: CustomerScope,
  wanted: Wanted,
): Promise<OpenAccount> {
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
  const [opening, ageing] = await Promise.all([
    balanceBefore(deps.db, scope, { ...of, day: dateFrom }),
    ageingOf(deps.db, scope, currency, day),
  ]);
  const movements = queries.allMovements(scope, { ...of, from: dateFrom, to: dateTo });
  return { brand, currency, currencies, opening, ageing, movements };
}

/** An account of few entries whole. @returns undefined where there are more than `most` */
export async function wholeAccount(
  db: Db,
  { movements, ...account }: OpenAccount,
  most: number,
): Promise<Account | undefined> {
  const rows = await fewRows(db, movements, most);
  if (rows === undefined) return undefined;
  const running = new RunningAccount(account.opening);
  const entries = rows.map((row) => running.add(row));
  const { billed, paidAndCredited, closing } = running;
  return { ...account, entries, billed, paidAndCredited, closing };
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
