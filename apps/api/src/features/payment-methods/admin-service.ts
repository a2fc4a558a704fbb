import type {
  CustomerAutoPay,
  CustomerMethod,
} from '@counterfoil/contract/operator/customers/customer-methods.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { revokeAutoPay } from '../consents/service.ts';
import { lockMethods, type MethodDeps, monthOf } from './method-row.ts';
import { hadMethod, type ListedRow, listAllMethods } from './queries.ts';
import { takeOut } from './service.ts';

/** A customer of a reseller whose program or operator asks. */
export interface CustomerAt {
  readonly resellerId: number;
  readonly customerId: string;
}

/** @throws {AppError} customer.notFound, also for another reseller's */
async function requireCustomer(db: Db, { resellerId, customerId }: CustomerAt): Promise<void> {
  if (typeof (await findCustomerNamed(db, customerId, resellerId)) === 'string')
    throw new AppError('customer.notFound');
}

/** The saved methods of a customer, at whichever gateway; cards before bank accounts, the oldest first. */
export async function methodsForProvider(
  deps: MethodDeps,
  at: CustomerAt,
): Promise<readonly CustomerMethod[]> {
  await requireCustomer(deps.db, at);
  const rows = await listAllMethods(deps.db, at.customerId);
  const month = monthOf(deps.clock.now());
  return Promise.all(
    rows.map(async (row) => {
      const account = await deps.accounts.byId(row.gateway_account_id);
      return present(row, account?.module.manifest.id ?? '', month);
    }),
  );
}

const STATUS = { now: 'ready', pending: 'pending', never: 'unusable' } as const;

const present = (row: ListedRow, gateway: string, month: string): CustomerMethod => ({
  id: row.id,
  kind: row.kind,
  gateway,
  brand: row.show['brand'] ?? row.show['bankName'] ?? null,
  last4: row.show['last4'] ?? null,
  expires: row.expires,
  isDefault: row.is_default,
  status: row.expires !== null && row.expires < month ? 'expired' : STATUS[row.usable],
  mandate: row.mandate_show?.['reference'] ?? null,
  agreedAt: row.agreed_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

/**
 * Removes a saved method in the provider's name: it is never charged again, whether or not its gateway can be told now. One that
 * has left already stays so, and nothing is recorded.
 * @throws {AppError} customer.notFound, paymentMethod.notFound, paymentMethod.inUse
 */
export async function endMethod(
  deps: MethodDeps,
  at: CustomerAt,
  id: string,
  reason: string,
  by: ActedBy,
): Promise<void> {
  await requireCustomer(deps.db, at);
  const { resellerId, customerId } = at;
  const row = (await listAllMethods(deps.db, customerId)).find((one) => one.id === id);
  if (row === undefined) {
    if (await hadMethod(deps.db, customerId, id)) return;
    throw new AppError('paymentMethod.notFound');
  }
  await takeOut(deps, { customerId, accountId: row.gateway_account_id }, id, (tx, found, now) =>
    recordAudit(tx, {
      action: 'paymentMethod.removed',
      at: now,
      resellerId,
      customerId,
      ...by,
      detail: { paymentMethodId: found.id, kind: found.kind, last4: found.show['last4'] ?? '', reason },
    }),
  );
}

interface ConsentRow {
  at: Date;
  user_name: string;
  text: string;
  revoked_at: Date | null;
  revoked_by: string | null;
}

/** Whether due invoices are charged by themselves, and what was agreed to. @throws {AppError} customer.notFound */
export async function autoPayForProvider(db: Db, at: CustomerAt): Promise<CustomerAutoPay> {
  await requireCustomer(db, at);
  const brand = brandFromRow(await findCustomerBrand(db, at.customerId, at.resellerId));
  const consents = await db.many<ConsentRow>(sql`
    select at, user_name, text, revoked_at, revoked_by from consent
     where customer_id = ${at.customerId} and purpose = 'autoPay' order by at desc, id desc limit 20`);
  const asksCustomer = brand.reseller.requireCustomerPermissionForCharging;
  return {
    isOn: !asksCustomer || consents.some(({ revoked_at: ended }) => ended === null),
    asksCustomer,
    consents: consents.map((row) => ({
      at: row.at.toISOString(),
      by: row.user_name,
      text: row.text,
      revokedAt: row.revoked_at?.toISOString() ?? null,
      revokedBy: row.revoked_by,
    })),
  };
}

/**
 * Takes the permission to charge back in the customer's name; where there is none nothing is recorded. It is given again by the
 * customer only.
 * @throws {AppError} customer.notFound; consent.notNeeded where the provider's terms decide
 */
export async function endAutoPay(
  deps: Pick<MethodDeps, 'db' | 'clock'>,
  at: CustomerAt,
  reason: string,
  by: ActedBy,
): Promise<CustomerAutoPay> {
  const { asksCustomer } = await autoPayForProvider(deps.db, at);
  if (!asksCustomer) throw new AppError('consent.notNeeded');
  const { resellerId, customerId } = at;
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, customerId);
    if (!(await revokeAutoPay(tx, customerId, by.actor, now))) return;
    const detail = { purpose: 'autoPay', reason };
    await recordAudit(tx, { action: 'consent.revoked', at: now, resellerId, customerId, ...by, detail });
  });
  return autoPayForProvider(deps.db, at);
}
