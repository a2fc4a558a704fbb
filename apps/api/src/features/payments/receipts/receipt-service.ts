import { AppError } from '../../../app-error.ts';
import type { Db } from '../../../db/database.ts';
import { readLogo } from '../../../letters/read-logo.ts';
import type { Letter } from '../../../pdf/letter/letter.ts';
import { findCustomerBrand } from '../../brand/queries.ts';
import { type Brand, brandFromRow } from '../../brand/service.ts';
import { findPaid, findPaidKey, type PaidRow } from '../paid.ts';
import { receiptLetter } from './receipt-letter.ts';
import { receiptFileName } from './receipt-lines.ts';

export interface PaperDeps {
  readonly db: Db;
  readonly publicUrl: URL;
}

/**
 * The receipt of a customer's payment, to be rendered.
 * @param id of its attempt, of what was taken, or of the session that credit settled
 * @throws {AppError} payment.unknownAttempt while nothing is paid by it, and for anybody else's
 */
export async function receiptOf(
  deps: PaperDeps,
  customerId: string,
  id: string,
): Promise<{ readonly letter: Letter; readonly fileName: string }> {
  const key = await findPaidKey(deps.db, customerId, id);
  const payment = key && (await findPaid(deps.db, customerId, key));
  if (payment === undefined) throw new AppError('payment.unknownAttempt');
  const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, payment.reseller_id));
  return { letter: await receiptPaper(deps, brand, payment), fileName: receiptFileName(payment) };
}

/** The receipt of a payment with its brand's logo: the same by mail and as a download. */
export async function receiptPaper(
  { db, publicUrl }: PaperDeps,
  brand: Brand,
  payment: PaidRow,
): Promise<Letter> {
  return receiptLetter({ brand, logo: await readLogo(db, brand.id), publicUrl }, payment);
}
