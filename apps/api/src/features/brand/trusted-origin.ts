import { webOrigin } from '@counterfoil/domain/paying/redirect.ts';
import type { Db } from '../../db/database.ts';
import { findBrandByHost } from './queries.ts';
import { brandFromRow, normaliseHost } from './service.ts';

/**
 * Whether pages of an origin may make browsers write at a host: the portal at another host name of its brand, or an
 * origin the brand lists. A host that is no brand's serves calls only, for the portals of all brands. Portals have scheme
 * and port of `publicUrl`: whatever else answers at a brand's host name is somebody else's.
 */
export async function isTrustedOrigin(
  { db, publicUrl }: { readonly db: Db; readonly publicUrl: URL },
  origin: URL,
  host: string,
): Promise<boolean> {
  const mayBePortal = origin.protocol === publicUrl.protocol && origin.port === publicUrl.port;
  const from = mayBePortal ? await findBrandByHost(db, normaliseHost(origin.hostname)) : undefined;
  const to = await findBrandByHost(db, normaliseHost(host));
  if (to === undefined) return from !== undefined;
  const { allowedOrigins } = brandFromRow(to).settings;
  return from?.id === to.id || allowedOrigins.some((allowed) => webOrigin(allowed) === origin.origin);
}
