import { AppError } from '../../app-error.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { authorisePayLink } from '../pay-links/service.ts';
import type { EngineDeps, GatewayAccount } from '../payments/service.ts';

export interface PublicPayDeps extends EngineDeps {
  readonly publicUrl: URL;
}

/** What a pay link opens. */
export interface Opened {
  readonly scope: CustomerScope;
  readonly invoiceId: string;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
}

/** Proves a pay link. @throws {AppError} payLink.notFound, payLink.expired */
export async function openLink(deps: PublicPayDeps, token: string): Promise<Opened> {
  const proof = await authorisePayLink(deps.db, token, deps.clock.now());
  if (proof.is === 'unknown') throw new AppError('payLink.notFound');
  if (proof.is === 'expired') throw new AppError('payLink.expired');
  const { scope, invoiceId } = proof;
  const brand = brandFromRow(await findCustomerBrand(deps.db, scope.customerId, scope.resellerId));
  return { scope, invoiceId, brand, account: await deps.accounts.activeFor(scope.resellerId) };
}

/** Does what a pay link allows, as its customer. @throws {AppError} as {@link openLink} */
export async function throughLink<T>(
  deps: PublicPayDeps,
  token: string,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await openLink(deps, token);
  return forCustomer(opened.scope.customerId, () => work(opened));
}
