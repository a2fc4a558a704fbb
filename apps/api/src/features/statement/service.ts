import type { Ageing, Statement, StatementEntry } from '@counterfoil/contract/statement.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money.ts';
import { today } from '@counterfoil/domain/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope } from '../../http/scope.ts';
import type { ComingCharges } from '../../letters/auto-pay-slip.ts';
import { readLogo } from '../../letters/read-logo.ts';
import type { Letter } from '../../pdf/letter/letter.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { composeStatement } from './compose-statement.ts';
import * as queries from './queries.ts';

export interface StatementDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** What its letter needs beside. */
export interface StatementPaperDeps extends StatementDeps {
  readonly publicUrl: URL;
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
  readonly comingCharges: ComingCharges;
}

/** More are better read as CSV. */
const PDF_ENTRIES = 2_000;

interface Wanted {
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
    queries.balanceBefore(deps.db, scope, { ...of, day: dateFrom }),
    queries.listMovements(deps.db, scope, { ...of, from: dateFrom, to: dateTo }),
    ageingOf(deps.db, scope, currency, day),
  ]);
  let balance = opening.minor;
  const entries = movements.map((row) => {
    balance += row.effect;
    return presentEntry(row, balance);
  });
  const sum = (rows: readonly AccountEntry[]) => rows.reduce((all, { amount }) => all + amount, 0n);
  return {
    brand,
    currency,
    currencies,
    opening: opening.minor,
    entries,
    billed: sum(entries.filter(({ amount }) => amount > 0n)),
    paidAndCredited: sum(entries.filter(({ amount }) => amount < 0n)),
    closing: balance,
    ageing,
  };
}

/** {@link accountOf} as the portal shows it. */
export async function statementOf(
  deps: StatementDeps,
  scope: CustomerScope,
  wanted: Wanted,
): Promise<Statement> {
  const { brand: _, ...account } = await accountOf(deps, scope, wanted);
  const { currency, ageing } = account;
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  return {
    dateFrom: wanted.dateFrom,
    dateTo: wanted.dateTo,
    currency,
    currencies: [...account.currencies],
    entries: account.entries.map((entry) => ({
      ...entry,
      amount: number(entry.amount),
      balance: number(entry.balance),
    })),
    opening: number(account.opening),
    closing: number(account.closing),
    billed: number(account.billed),
    paidAndCredited: number(account.paidAndCredited),
    ageing: {
      notDue: number(ageing.notDue),
      days1To30: number(ageing.days1To30),
      days31To60: number(ageing.days31To60),
      days61To90: number(ageing.days61To90),
      over90: number(ageing.over90),
      total: number(ageing.total),
      credit: number(ageing.credit),
    },
  };
}

/**
 * {@link accountOf} as a document to be printed.
 * @throws {AppError} usage.badRange; statement.tooLong when it has more entries than a PDF takes
 */
export async function statementDocument(
  deps: StatementPaperDeps,
  scope: CustomerScope,
  wanted: Wanted,
): Promise<Letter> {
  const account = await accountOf(deps, scope, wanted);
  if (account.entries.length > PDF_ENTRIES) throw new AppError('statement.tooLong');
  const { brand, currency } = account;
  const { db, clock, publicUrl } = deps;
  const [customer, open, logo, paymentType, coming] = await Promise.all([
    queries.findCustomer(db, scope),
    queries.listOpenByDue(db, scope, currency),
    readLogo(db, brand.id),
    deps.paymentTypeOf(scope.resellerId),
    deps.comingCharges(scope, currency),
  ]);
  const madeAt = clock.now();
  return composeStatement(account, {
    ...wanted,
    brand,
    customer,
    open,
    coming,
    logo,
    publicUrl,
    madeAt,
    today: today(brand.timeZone, madeAt),
    canPayOnline: brand.settings.paymentsEnabled && paymentType !== 0,
  });
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
  if (source === 'capture' || source === 'external') return 'payment';
  if (source === 'reversal') return effect > 0n ? 'paymentReturned' : 'payment';
  return 'adjustment';
}
