import type { CustomerValues } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import { etagOf } from './present.ts';
import { brandsOf, type CustomerRow, lockCustomer } from './queries.ts';
import { changesBetween, valuesOf } from './values.ts';
import {
  type CustomerWrite,
  changeCustomers,
  putCustomers,
  type WrittenCustomer,
} from './write-customers.ts';

export { addCustomer, addIdentities, type CustomerIdentity } from './add-customer.ts';
export { presentCustomer } from './present.ts';
export { requireMember, type UserAt } from './users.ts';

/**
 * Makes a customer be as it is given, by the provider's own reference. One that is not known is made. One that is as given
 * already stays as it is, whatever the caller has read, so that a lost answer is asked for again. One that differs is changed
 * only where the caller says which state it has read.
 * @throws {AppError} customer.noBrand, precondition.failed, precondition.required
 */
export async function putCustomer(
  tx: Tx,
  resellerId: number,
  write: CustomerWrite,
  conditions: Preconditions,
  by: ActedBy,
  now: Date,
): Promise<WrittenCustomer> {
  await requireBrand(tx, resellerId, write.values);
  const [written] = await putCustomers(tx, resellerId, [write], by, now, ({ values }, before) =>
    requireState(
      conditions,
      before && etagOf(before),
      before !== undefined && changesBetween(valuesOf(before), values) !== undefined,
    ),
  );
  if (written === undefined) throw new Error('nothing was written');
  return written;
}

/**
 * Changes some of what is kept of a customer; the rest stays.
 * @param resellerId whose it has to be; undefined: anybody's
 * @throws {AppError} customer.notFound, customer.noBrand
 */
export async function changeCustomer(
  tx: Tx,
  of: { readonly resellerId: number | undefined; readonly customerId: string },
  change: Partial<CustomerValues>,
  by: ActedBy,
  now: Date,
): Promise<WrittenCustomer> {
  const row = await lockCustomer(tx, of.resellerId, of.customerId);
  if (row === undefined) throw new AppError('customer.notFound');
  const values = { ...valuesOf(row), ...change };
  await requireBrand(tx, row.reseller_id, values);
  const [written] = await changeCustomers(tx, [{ row, values }], by, now);
  if (written === undefined) throw new Error('nothing was written');
  return written;
}

/**
 * Disables a customer, or enables it again: from the next request on nobody acts for a disabled one in the portal, and
 * Auto-Pay neither announces nor charges. What it owes stays owed: its pay links work, and imports go on. The same again
 * changes nothing.
 * @param resellerId whose it has to be; undefined: anybody's
 * @throws {AppError} customer.notFound
 */
export async function setCustomerActive(
  tx: Tx,
  of: { readonly resellerId: number | undefined; readonly customerId: string },
  isActive: boolean,
  by: ActedBy,
  now: Date,
): Promise<CustomerRow> {
  const row = await lockCustomer(tx, of.resellerId, of.customerId);
  if (row === undefined) throw new AppError('customer.notFound');
  if ((row.disabled_at === null) === isActive) return row;
  const disabledAt = isActive ? null : now;
  const { reseller_id: resellerId, customer_id: customerId } = row;
  await tx.execute(sql`
    update customer set disabled_at = ${disabledAt}, version = version + 1 where customer_id = ${customerId}`);
  await tx.execute(sql`
    update reseller_customer set disabled_at = ${disabledAt}
     where reseller_id = ${resellerId} and customer_id = ${customerId}`);
  const action = isActive ? 'customer.enabled' : 'customer.disabled';
  const detail = {
    'before.status': isActive ? 'disabled' : 'active',
    'after.status': isActive ? 'active' : 'disabled',
  };
  await recordAudit(tx, { action, at: now, resellerId, customerId, ...by, detail });
  return { ...row, disabled_at: disabledAt, version: row.version + 1 };
}

/** @throws {AppError} customer.noBrand unless the brand is one of the reseller's, or none is named */
async function requireBrand(tx: Tx, resellerId: number, { brandId }: CustomerValues): Promise<void> {
  if (brandId !== null && !(await brandsOf(tx, resellerId)).has(brandId))
    throw new AppError('customer.noBrand');
}
