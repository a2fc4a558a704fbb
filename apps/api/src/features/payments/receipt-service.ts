import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { TableDocument } from '../../pdf/table/table-document.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { findPaid, findPaidKey } from './paid.ts';
import { receiptDocument, receiptFileName } from './receipt-document.ts';

/**
 * The receipt of a customer's payment, to be rendered.
 * @param id of its attempt, of what was taken, or of the session that credit settled
 * @throws {AppError} payment.unknownAttempt while nothing is paid by it, and for anybody else's
 */
export async function receiptOf(
  db: Db,
  customerId: string,
  id: string,
): Promise<{ readonly document: TableDocument; readonly fileName: string }> {
  const key = await findPaidKey(db, customerId, id);
  const payment = key && (await findPaid(db, customerId, key));
  if (payment === undefined) throw new AppError('payment.unknownAttempt');
  const brand = brandFromRow(await findCustomerBrand(db, customerId, payment.reseller_id));
  return { document: receiptDocument(brand, payment), fileName: receiptFileName(payment) };
}
