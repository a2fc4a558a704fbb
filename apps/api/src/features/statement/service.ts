import type { Ageing, Statement, StatementEntry } from '@counterfoil/contract/statement.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money.ts';
import { today } from '@counterfoil/domain/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope } from '../../http/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import * as queries from './queries.ts';

export interface StatementDeps {
  readonly db: Db;
  readonly clock: Clock;
}

interface Wanted {
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly currency?: string | undefined;
}

/**
 * The customer's running account over a span of days, in one currency.
 * @throws {AppError} usage.badRange when the span is reversed
 */
export async function statementOf(
  deps: StatementDeps,
  scope: CustomerScope,
  wanted: Wanted,
): Promise<Statement> {
  const { dateFrom, dateTo } = wanted;
  if (dateFrom > dateTo) throw new AppError('usage.badRange');
  const brand = await findCustomerBrand(deps.db, scope.customerId, scope.resellerId);
  const currencies = (await queries.listCurrencies(deps.db, scope)).map(({ currency }) => currency);
  const currency =
    wanted.currency ??
    (currencies.includes(brand.currency) ? brand.currency : currencies[0]) ??
    brand.currency;
  const of = { currency, timeZone: brand.time_zone };
  const day = today(brand.time_zone, deps.clock.now());
  const [opening, movements, ageing] = await Promise.all([
    queries.balanceBefore(deps.db, scope, { ...of, day: dateFrom }),
    queries.listMovements(deps.db, scope, { ...of, from: dateFrom, to: dateTo }),
    ageingOf(deps.db, scope, currency, day),
  ]);
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  let balance = opening.minor;
  const entries = movements.map((row) => {
    balance += row.effect;
    return presentEntry(row, number(row.effect), number(balance));
  });
  const sum = (rows: readonly queries.MovementRow[]) => rows.reduce((all, { effect }) => all + effect, 0n);
  return {
    ...{ dateFrom, dateTo, currency, currencies, opening: number(opening.minor), entries },
    billed: number(sum(movements.filter(({ effect }) => effect > 0n))),
    paidAndCredited: number(sum(movements.filter(({ effect }) => effect < 0n))),
    closing: number(balance),
    ageing,
  };
}

/** What was owed at the start of the current month of the brand's zone, in the brand's currency. */
export async function openingBalance(deps: StatementDeps, scope: CustomerScope): Promise<number> {
  const { currency, time_zone: timeZone } = await findCustomerBrand(
    deps.db,
    scope.customerId,
    scope.resellerId,
  );
  const day = `${today(timeZone, deps.clock.now()).slice(0, 8)}01`;
  const { minor } = await queries.balanceBefore(deps.db, scope, { currency, timeZone, day });
  return moneyToNumber(money(minor, currency));
}

async function ageingOf(db: Db, scope: CustomerScope, currency: string, day: string): Promise<Ageing> {
  const [row, credit] = await Promise.all([
    queries.sumOpen(db, scope, currency, day),
    queries.unusedCredit(db, scope, currency),
  ]);
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  return {
    notDue: number(row.not_due),
    days1To30: number(row.days_30),
    days31To60: number(row.days_60),
    days61To90: number(row.days_90),
    over90: number(row.older),
    total: number(row.not_due + row.days_30 + row.days_60 + row.days_90 + row.older),
    credit: number(credit.minor),
  };
}

function presentEntry(row: queries.MovementRow, amount: number, balance: number): StatementEntry {
  const reference = row.number ?? row.reference ?? '';
  return { kind: kindOf(row), date: row.day, reference, invoiceId: row.invoice_id, amount, balance };
}

function kindOf({ source, effect }: queries.MovementRow): StatementEntry['kind'] {
  if (source === 'invoice') return 'invoice';
  if (source === 'credit') return 'credit';
  if (source === 'capture' || source === 'external') return 'payment';
  if (source === 'reversal') return effect > 0n ? 'paymentReturned' : 'payment';
  return 'adjustment';
}
