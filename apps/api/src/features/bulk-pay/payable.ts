import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import { canPay, InvoiceStatus, isInvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { readPart } from '@counterfoil/domain/paying/part-payment.ts';
import { AppError } from '../../app-error.ts';
import type { Brand } from '../brand/service.ts';
import type { PaymentTerms } from '../payments/service.ts';
import type { PayableRow } from './queries.ts';

/** Whether an invoice is one that can still be paid, held by an open attempt or not. */
export const isStillDue = (row: PayableRow): boolean =>
  row.kind === 'invoice' &&
  row.payable_minor >= 0n &&
  canPay({
    status: isInvoiceStatus(row.status) ? row.status : InvoiceStatus.VOID,
    amountDue: money(row.due_minor, row.currency),
    paymentsEnabled: true,
    gatewayConfigured: true,
    attemptOpen: false,
  });

function obstacleOf(row: PayableRow): ErrorCode | undefined {
  if (row.status === InvoiceStatus.PAID) return 'payment.alreadyPaid';
  if (row.status === InvoiceStatus.CREDITED) return 'payment.credited';
  if (!isStillDue(row)) return 'payment.notPayable';
  // An attempt that waits for its payer is no obstacle: paying again ends it first.
  return row.is_under_way ? 'payment.underWay' : undefined;
}

/**
 * The invoices asked for, in that order.
 * @throws {AppError} for one that is named twice, unknown (or somebody else's), cannot be paid, or is in another currency
 */
export function checkPayable(ids: readonly string[], found: readonly PayableRow[]): PayableRow[] {
  const at = (index: number, message: string) => ({ fields: [{ path: `invoiceIds.${index}`, message }] });
  const rows = ids.map((id, index) => {
    const wanted = id.toLowerCase();
    if (ids.findIndex((one) => one.toLowerCase() === wanted) !== index)
      throw new AppError('request.invalid', at(index, 'named twice'));
    const row = found.find((one) => one.id === wanted);
    if (row === undefined) throw new AppError('invoice.notFound');
    return row;
  });
  for (const [index, row] of rows.entries()) {
    const obstacle = obstacleOf(row);
    if (obstacle !== undefined) throw new AppError(obstacle, at(index, row.number));
    if (row.currency !== rows[0]?.currency)
      throw new AppError('payment.mixedCurrencies', at(index, row.number));
  }
  return rows;
}

/**
 * The part of one invoice that is asked for, in minor units; undefined: all that is due.
 * @throws {AppError} where it is not offered, more than is due, no amount of the currency, or of several invoices
 */
export function partAsked(
  amount: string | undefined,
  [row, ...others]: readonly PayableRow[],
  { settings }: Pick<Brand, 'settings'>,
  terms: PaymentTerms,
): bigint | undefined {
  const at = (message: string) => ({ fields: [{ path: 'amount', message }] });
  if (amount === undefined || row === undefined) return undefined;
  if (others.length > 0) throw new AppError('request.invalid', at('there are several invoices'));
  const due = money(row.due_minor, row.currency);
  const range = terms.parts(due);
  const part = range && readPart(amount, range);
  if (part === null || part === 'tooMuch')
    throw new AppError('payment.amountChanged', at('more than is due'));
  if (typeof part === 'string') throw new AppError('payment.partRefused', at('cannot be paid'));
  if (!settings.partPayment && part.minor !== due.minor)
    throw new AppError('payment.amountChanged', at('is not what is due'));
  return part.minor;
}
