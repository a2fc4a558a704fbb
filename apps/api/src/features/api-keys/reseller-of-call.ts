import { RESELLER_HEADER } from '@counterfoil/contract/operator/access/api-keys.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * The reseller whom a call is about: that of the key or operator, or the one that is named where these are of the
 * installation.
 * @param own null: of the installation
 * @throws {AppError} reseller.missing, and reseller.notFound for another's reseller as for one that does not exist
 */
export async function resellerOfCall(
  { db, isDemo }: { readonly db: Db; readonly isDemo: boolean },
  request: FastifyRequest,
  own: number | null,
): Promise<number> {
  const given = request.headers[RESELLER_HEADER];
  if (given === undefined) {
    if (own === null) throw new AppError('reseller.missing');
    return own;
  }
  const id = typeof given === 'string' && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
  if (id === undefined || (own !== null && own !== id)) throw new AppError('reseller.notFound');
  if (own !== null) return own;
  const reseller = await db.maybeOne<{ is_demo: boolean }>(
    sql`select is_demo from reseller where id = ${id}`,
  );
  if (reseller === undefined || (reseller.is_demo && !isDemo)) throw new AppError('reseller.notFound');
  return id;
}
