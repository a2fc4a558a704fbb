import { asksForPage, windowOf } from '@counterfoil/contract/paging.ts';
import {
  type BillingPeriod,
  type ExtraFieldLabel,
  ExtraFieldType,
  type Transaction,
  type TransactionSums,
  type TransactionsQuery,
  transaction,
} from '@counterfoil/contract/transactions.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { unitOfLine } from '@counterfoil/domain/money/quantity.ts';
import { parseRate, rateToNumber } from '@counterfoil/domain/money/rate.ts';
import { dayParts, parseDay } from '@counterfoil/domain/time/day.ts';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { readPage } from '../../db/page.ts';
import { answerWhole, type ListDeps } from '../../http/answers/whole-list.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import * as queries from './queries.ts';

/** Billing periods of an agreement, newest first. @throws {AppError} agreement.notFound */
export async function billingPeriods(
  db: Db,
  scope: CustomerScope,
  agreementId: string,
): Promise<BillingPeriod[]> {
  const agreements = await queries.listAgreements(db, scope);
  if (!agreements.some(({ id }) => id === agreementId)) throw new AppError('agreement.notFound');
  const rows = await queries.listPeriods(db, scope, agreementId);
  return rows.map(({ id, period_start, period_end }) => {
    const { month, year } = dayParts(parseDay(period_start));
    return { id, month, year, periodStart: period_start, periodEnd: period_end };
  });
}

async function findPeriod(db: Db, scope: CustomerScope, id: string): Promise<queries.ChargedPeriodRow> {
  const period = await queries.findPeriod(db, scope, id);
  if (period === undefined) throw new AppError('period.notFound');
  return period;
}

/** Answers with the charges of a billing period: all of them, or a page. @throws {AppError} period.notFound */
export async function answerTransactions(
  deps: ListDeps,
  scope: CustomerScope,
  { period: periodId, ...query }: TransactionsQuery,
  reply: FastifyReply,
): Promise<{ data: Transaction[]; totalCount?: number } | FastifyReply> {
  const period = await findPeriod(deps.db, scope, periodId);
  if (asksForPage(query)) {
    const { order, orderDirection, search } = query;
    const list = queries.transactionList(scope, period, {
      order,
      isDescending: orderDirection === 'desc',
      search,
    });
    const { rows, total } = await readPage<queries.TransactionRow>(deps.db, list, windowOf(query));
    return { data: rows.map(presentTransaction), totalCount: total };
  }
  return answerWhole(deps, reply, scope.customerId, {
    rows: queries.allTransactions(scope, period),
    present: presentTransaction,
    item: transaction,
  });
}

/** What the charges of a billing period come to. @throws {AppError} period.notFound */
export async function transactionSumsOf(
  db: Db,
  scope: CustomerScope,
  periodId: string,
): Promise<TransactionSums> {
  const rows = await queries.sumTransactions(db, scope, await findPeriod(db, scope, periodId));
  return {
    count: rows.reduce((sum, { charges }) => sum + charges, 0),
    currencies: rows.map(({ currency, amount_minor }) => ({
      currency,
      price: moneyToNumber(money(amount_minor, currency)),
    })),
    hasProductLabels: rows.some((row) => row.has_labels),
    hasSiteLabels: rows.some((row) => row.has_sites),
  };
}

/** Headers the customer's brand gives to extra fields; one left blank is 'Extra 1' and so on. */
export async function extraFieldLabels(db: Db, scope: CustomerScope): Promise<ExtraFieldLabel[]> {
  const { settings } = brandFromRow(await findCustomerBrand(db, scope.customerId, scope.resellerId));
  return [1, 2, 3, 4, 5].map((number) => ({
    type: ExtraFieldType.TRANSACTION,
    number,
    label: settings.transactionExtraLabels[number - 1] || `Extra ${number}`,
  }));
}

function presentTransaction(row: queries.TransactionRow): Transaction {
  const extra = (number: number) => row.extra[number - 1] ?? '';
  return {
    id: row.id,
    productLabel: row.product_label,
    productName: row.product_name,
    serviceName: row.service_name ?? '',
    serviceItem: row.service_item,
    siteLabel: row.site_label,
    invoiceNumber: row.invoice_number ?? '',
    invoiceId: row.invoice_id,
    dateFrom: row.date_from,
    dateTo: row.date_to,
    price: moneyToNumber(money(row.amount_minor, row.currency)),
    currency: row.currency,
    quantity: rateToNumber(parseRate(row.quantity)),
    unit: row.unit,
    quantityUnit: unitOfLine(row.unit, row.record_unit),
    extraField1: extra(1),
    extraField2: extra(2),
    extraField3: extra(3),
    extraField4: extra(4),
    extraField5: extra(5),
  };
}
