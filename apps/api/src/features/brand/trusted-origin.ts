import type { Db } from '../../db/database.ts';
import { findBrandByHost } from './queries.ts';
import { brandFromRow, normaliseHost } from './service.ts';

/**
 * Whether pages of an origin may make browsers write at a host: another host name of its brand, or an origin the brand
 * lists. A host that is no brand's serves calls only, for the portals of all brands.
 */
export async function isTrustedOrigin(db: Db, origin: URL, host: string): Promise<boolean> {
  const [from, to] = [
    await findBrandByHost(db, normaliseHost(origin.host)),
    await findBrandByHost(db, normaliseHost(host)),
  ];
  if (to === undefined) return from !== undefined;
  return from?.id === to.id || brandFromRow(to).settings.allowedOrigins.includes(origin.origin);
}
