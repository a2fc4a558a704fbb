import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import { originOf } from '../../http/requests/origin.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import type { Adding, AddingDeps } from './adding.ts';

/** The current customer's brand. */
export async function brandOf(deps: Pick<AddingDeps, 'db'>, request: FastifyRequest): Promise<Brand> {
  const { customerId, resellerId } = scopeOf(request);
  return brandFromRow(await findCustomerBrand(deps.db, customerId, resellerId));
}

/** Everything that changing a method needs to know of who asks. @throws {AppError} without a gateway that works */
export async function addingOf(deps: AddingDeps, request: FastifyRequest): Promise<Adding> {
  const [scope, session, origin] = [scopeOf(request), sessionOf(request), originOf(request)];
  const brand = await brandOf(deps, request);
  const account = await deps.accounts.activeFor(scope.resellerId);
  if (account === undefined) throw new AppError('gateway.misconfigured');
  return { scope, session, origin, brand, account };
}
