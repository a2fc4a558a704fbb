import type { Db } from '../../db/database.ts';
import { findBrandByHost } from '../brand/queries.ts';
import { normaliseHost } from '../brand/service.ts';

/** The site a passkey is for, in WebAuthn's words: one per host name. */
export interface RelyingParty {
  /** The host name. */
  readonly id: string;
  /** What people know it by. */
  readonly name: string;
  /** What the browser must say it was at. */
  readonly origin: string;
}

export interface RelyingPartyDeps {
  readonly db: Db;
  /** Scheme and port of every page; also the host of pages that belong to no brand. */
  readonly publicUrl: URL;
}

/**
 * The site at the host a request names, when it is a brand's or the installation's own (docs/adr/0018).
 * @returns undefined for any other host: nobody makes passkeys for a name somebody pointed at us
 */
export async function relyingPartyAt(
  deps: RelyingPartyDeps,
  host: string,
): Promise<RelyingParty | undefined> {
  const id = normaliseHost(host);
  const brand = await findBrandByHost(deps.db, id);
  const isOwn = id === normaliseHost(deps.publicUrl.hostname);
  if (brand === undefined && !isOwn) return undefined;
  const page = new URL(deps.publicUrl);
  page.hostname = id;
  return { id, name: brand?.company_name ?? id, origin: page.origin };
}
