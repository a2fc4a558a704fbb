import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  type Statement,
  type StatementEntry,
  statement,
  statementEntry,
} from '@counterfoil/contract/statement.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../app-error.ts';
import { FEW_ROWS, type ListDeps, streamList } from '../../http/answers/whole-list.ts';
import { elementWriter } from '../../http/requests/declared-only.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ComingCharges } from '../../letters/auto-pay-slip.ts';
import { readLogo } from '../../letters/read-logo.ts';
import type { Letter } from '../../pdf/letter/letter.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import {
  type Account,
  type AccountEntry,
  balanceBefore,
  openAccount,
  RunningAccount,
  type StatementDeps,
  type Wanted,
  wholeAccount,
} from './account.ts';
import { composeStatement } from './compose-statement.ts';
import * as queries from './queries.ts';

export { takeFromSums } from './account-sums.ts';

/** What its letter needs beside. */
export interface StatementPaperDeps extends StatementDeps {
  readonly publicUrl: URL;
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
  readonly comingCharges: ComingCharges;
}

/** Where the entries stand in a statement that is written without them. */
const NO_ENTRIES = '"entries":[]';
/** More are better read as CSV. */
const PDF_ENTRIES = 2_000;

/**
 * Answers with the running account as the portal shows it: at once where it has few entries, else entry by entry.
 * @throws {AppError} usage.badRange; list.tooMany, server.exporting
 */
export async function answerStatement(
  deps: StatementDeps & ListDeps,
  scope: CustomerScope,
  wanted: Wanted,
  reply: FastifyReply,
): Promise<{ data: Statement } | FastifyReply> {
  const account = await openAccount(deps, scope, wanted);
  const few = await wholeAccount(deps.db, account, FEW_ROWS);
  if (few !== undefined) return { data: presentAccount(few, wanted) };
  const running = new RunningAccount(account.opening);
  const write = elementWriter(statementEntry);
  const writeAll = elementWriter(envelope(statement));
  // The members stand in the order of the schema, the entries among them: what they come to is written after them.
  const around = () => {
    const { billed, paidAndCredited, closing } = running;
    const data = presentAccount({ ...account, entries: [], billed, paidAndCredited, closing }, wanted);
    return writeAll({ data }).split(NO_ENTRIES);
  };
  return streamList(deps, reply, scope.customerId, {
    rows: account.movements,
    write: (row) => write(presentEntry(running.add(row), account.currency)),
    head: `${around()[0]}"entries":[`,
    tail: () => `]${around()[1]}`,
  });
}

const inUnits = (minor: bigint, currency: string): number => moneyToNumber(money(minor, currency));

const presentEntry = (entry: AccountEntry, currency: string): StatementEntry => ({
  ...entry,
  amount: inUnits(entry.amount, currency),
  balance: inUnits(entry.balance, currency),
});

function presentAccount(account: Account, { dateFrom, dateTo }: Wanted): Statement {
  const { currency, ageing } = account;
  const number = (minor: bigint) => inUnits(minor, currency);
  return {
    dateFrom,
    dateTo,
    currency,
    currencies: [...account.currencies],
    entries: account.entries.map((entry) => presentEntry(entry, currency)),
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
 * The running account as a document to be printed.
 * @throws {AppError} usage.badRange; statement.tooLong when it has more entries than a PDF takes
 */
export async function statementDocument(
  deps: StatementPaperDeps,
  scope: CustomerScope,
  wanted: Wanted,
): Promise<Letter> {
  const account = await wholeAccount(deps.db, await openAccount(deps, scope, wanted), PDF_ENTRIES);
  if (account === undefined) throw new AppError('statement.tooLong');
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
  const minor = await balanceBefore(deps.db, scope, { currency, timeZone, day });
  return moneyToNumber(money(minor, currency));
}
