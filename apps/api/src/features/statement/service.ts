import type { Statement } from '@counterfoil/contract/statement.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ComingCharges } from '../../letters/auto-pay-slip.ts';
import { readLogo } from '../../letters/read-logo.ts';
import type { Letter } from '../../pdf/letter/letter.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { accountOf, balanceBefore, type StatementDeps, type Wanted } from './account.ts';
import { composeStatement } from './compose-statement.ts';
import * as queries from './queries.ts';

export { takeFromSums } from './account-sums.ts';

/** What its letter needs beside. */
export interface StatementPaperDeps extends StatementDeps {
  readonly publicUrl: URL;
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
  readonly comingCharges: ComingCharges;
}

/** More are better read as CSV. */
const PDF_ENTRIES = 2_000;

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
  const minor = await balanceBefore(deps.db, scope, { currency, timeZone, day });
  return moneyToNumber(money(minor, currency));
}
