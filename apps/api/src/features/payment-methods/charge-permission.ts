import { createHash } from 'node:crypto';
import type { ResellerCharge } from '@counterfoil/contract/paying/payment-methods.ts';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { Brand } from '../brand/service.ts';
import { type Agreeing, keepConsent, revokeAutoPay } from '../consents/service.ts';
import { lockMethods, type MethodDeps } from './method-row.ts';

/** What the customer reads and agrees to; a reseller that has no words of its own gets these. */
export const confirmationText = ({ reseller, companyName }: Brand): string =>
  reseller.confirmationMessageForCharging.trim() ||
  `I allow ${companyName} to charge my invoices to my default payment method when they are due.`;

const hasConsent = async (db: Db, scope: CustomerScope): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from consent
     where customer_id = ${scope.customerId} and purpose = 'autoPay' and revoked_at is null`)) !== undefined;

/** Whether the reseller may charge due invoices, and who decides that. */
export async function chargePermission(db: Db, scope: CustomerScope, brand: Brand): Promise<ResellerCharge> {
  const { requireCustomerPermissionForCharging: asks, hidePaymentTypesForCustomerUsers } = brand.reseller;
  return {
    allowResellerCharge: !asks || (await hasConsent(db, scope)),
    requireCustomerPermissionForCharging: asks,
    confirmationMessageForCharging: confirmationText(brand),
    hidePaymentTypesForCustomerUsers,
  };
}

/**
 * Gives or takes back the customer's permission. Given twice it stands as given first; each is kept with who, when,
 * from where and the words that were read.
 * @throws {AppError} when the reseller needs no permission, or support agrees in the customer's name
 */
export async function setChargePermission(
  deps: Pick<MethodDeps, 'db' | 'clock'>,
  who: Agreeing,
  brand: Brand,
  isAllowed: boolean,
): Promise<ResellerCharge> {
  const { scope, session } = who;
  if (!brand.reseller.requireCustomerPermissionForCharging) throw new AppError('consent.notNeeded');
  if (isAllowed && session.actor !== null) throw new AppError('consent.inPerson');
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await lockMethods(tx, scope.customerId);
    if ((await hasConsent(tx, scope)) === isAllowed) return;
    if (isAllowed) await give(tx, who, brand, now);
    else await revokeAutoPay(tx, scope.customerId, session.actor ?? session.email, now);
    await recordAudit(tx, {
      action: isAllowed ? 'consent.given' : 'consent.revoked',
      at: now,
      resellerId: session.resellerId,
      userId: session.userId,
      userEmail: session.email,
      actor: session.actor,
      sessionId: session.sessionId,
      customerId: scope.customerId,
      address: who.origin.address,
      requestId: who.origin.requestId,
      detail: { purpose: 'autoPay' },
    });
  });
  return chargePermission(deps.db, scope, brand);
}

function give(tx: Tx, who: Agreeing, brand: Brand, now: Date): Promise<string> {
  const text = confirmationText(brand);
  const version = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return keepConsent(tx, who, { purpose: 'autoPay', text, version }, now);
}
