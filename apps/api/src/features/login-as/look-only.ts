import type { SignInLink, SignInLinkRequest } from '@counterfoil/contract/operator/access/sign-in-as.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { requireMember, type UserAt } from '../customers/service.ts';
import { makeLoginCode } from './service.ts';

interface Looking {
  readonly at: UserAt;
  /** Who looks, as the portal names them. */
  readonly name: string;
  readonly by: ActedBy;
  /** Undefined: a program. */
  readonly operatorId: string | undefined;
  readonly publicUrl: URL;
}

const SECONDS = 60;

/**
 * Makes a link by which somebody of the provider looks at the portal as a user, with the reason on record.
 * @throws {AppError} customer.notFound, customer.noUser; customer.userShutOut for one who could not sign in either
 */
export async function makeSignInLink(
  tx: Tx,
  { at, name, by, operatorId, publicUrl }: Looking,
  { reason, minutes }: SignInLinkRequest,
  now: Date,
): Promise<SignInLink> {
  const user = await requireMember(tx, at);
  if (!user.is_active) throw new AppError('customer.userShutOut');
  const { resellerId, customerId } = at;
  const { code, expiresAt } = await makeLoginCode(
    tx,
    {
      userId: user.id,
      customerId,
      // The portal shows it as it is, above every page.
      actor: `${name} (look only, ${minutes} minutes)`,
      reason,
      lookOnly: true,
      operatorId,
      seconds: minutes * SECONDS,
    },
    now,
  );
  await recordAudit(tx, {
    action: 'loginCode.made',
    at: now,
    resellerId,
    customerId,
    userId: user.id,
    userEmail: user.email,
    ...by,
    detail: { for: name, reason, lookOnly: 'true', minutes: String(minutes) },
  });
  const brand = brandFromRow(await findCustomerBrand(tx, customerId, resellerId));
  const url = new URL(brandUrl(brand, publicUrl, `/la/${code}`));
  url.searchParams.set('c', customerId);
  return { url: url.href, expiresAt: expiresAt.toISOString(), minutes };
}
