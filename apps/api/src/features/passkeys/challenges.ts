import { PASSKEY_CHALLENGE_SECONDS } from '@counterfoil/contract/people/passkeys.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { sha256 } from '../../secrets.ts';
import type { Holders } from './holders.ts';
import type { RelyingParty } from './relying-party.ts';

const BYTES = 32;
// Each new one takes a few old ones away, so that the table stays as small as the last minutes were busy.
const SWEPT = 20;

/** Who a registration is for; a sign-in is for whoever has a passkey. */
export interface Registrant {
  readonly id: string;
  readonly sessionId: string;
}

export interface Challenge {
  /** Names it; only its hash is kept. */
  readonly id: string;
  /** 256 bits in base64url, for the authenticator to sign. */
  readonly challenge: string;
}

/** Makes what an authenticator is to sign at this host within five minutes. */
export async function issueChallenge(
  tx: Tx,
  of: Holders,
  party: RelyingParty,
  now: Date,
  registrant?: Registrant,
): Promise<Challenge> {
  const [id, challenge] = [newToken(BYTES), newToken(BYTES)];
  const expiresAt = new Date(now.getTime() + PASSKEY_CHALLENGE_SECONDS * 1000);
  await tx.execute(sql`
    delete from ${of.challenges} where id_hash in (
      select id_hash from ${of.challenges} where expires_at < ${now}
       order by expires_at limit ${SWEPT} for update skip locked)`);
  await tx.execute(sql`
    insert into ${of.challenges}
      (id_hash, purpose, challenge, ${of.holder}, session_id, rp_id, origin, created_at, expires_at)
    values (${sha256(id)}, ${registrant === undefined ? 'signIn' : 'registration'}, ${challenge},
            ${registrant?.id ?? null}, ${registrant?.sessionId ?? null}, ${party.id}, ${party.origin}, ${now},
            ${expiresAt})`);
  return { id, challenge };
}

/**
 * Uses a challenge up, whatever comes of it: of many tries at once one gets it.
 * @param registrant must be the one it was made for; absent: it must be one for signing in
 * @returns what was to be signed; undefined when it is unknown, used, expired, for somebody else, or from another host
 */
export async function takeChallenge(
  tx: Tx,
  of: Holders,
  id: string,
  party: RelyingParty,
  now: Date,
  registrant?: Registrant,
): Promise<string | undefined> {
  const taken = await tx.maybeOne<{ challenge: string }>(sql`
    update ${of.challenges} set used_at = ${now}
     where id_hash = ${sha256(id)} and used_at is null and expires_at > ${now}
       and ${of.holder} is not distinct from ${registrant?.id ?? null}::uuid
       and session_id is not distinct from ${registrant?.sessionId ?? null}::uuid
       and rp_id = ${party.id} and origin = ${party.origin}
    returning challenge`);
  return taken?.challenge;
}
