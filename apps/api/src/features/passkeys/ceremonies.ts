import {
  MAX_PASSKEYS,
  type NewPasskey,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyChallenge,
  type PasskeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { type Database, isUniqueViolation, type Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { deviceOf } from '../sessions/service.ts';
import { issueChallenge, takeChallenge } from './challenges.ts';
import type { Holders } from './holders.ts';
import { firstName } from './maker-names.ts';
import * as queries from './queries.ts';
import type { RelyingParty } from './relying-party.ts';
import { creationOptions, readAssertion, readRegistration, requestOptions } from './webauthn.ts';

/** What a passkey is made by and signed in with, whoever it is of. */

export interface CeremonyDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Whose passkeys, and where. */
export interface Site {
  readonly of: Holders;
  readonly party: RelyingParty;
}

/** Who has passkeys, in the session that asks. */
export interface Holder {
  readonly id: string;
  readonly sessionId: string;
  readonly email: string;
  readonly displayName: string;
}

/** A passkey as its owner sees it. */
export const present = (row: queries.PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  host: row.rp_id,
  synced: row.backed_up,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/** What the holder's device is asked to make. The caller has proven them. @throws {AppError} passkey.tooMany */
export async function askForPasskey(
  { db, clock }: CeremonyDeps,
  { of, party }: Site,
  holder: Holder,
): Promise<PasskeyRegistration> {
  const known = await queries.listPasskeys(db, of, holder.id);
  if (known.length >= MAX_PASSKEYS) throw new AppError('passkey.tooMany');
  const issued = await db.transaction((tx) => issueChallenge(tx, of, party, clock.now(), holder));
  const here = known
    .filter(({ rp_id }) => rp_id === party.id)
    .map((row) => ({ id: row.credential_id.toString('base64url'), transports: row.transports }));
  return {
    challengeId: issued.id,
    options: creationOptions({ party, challenge: issued.challenge }, holder, here),
  };
}

/** What the caller does about a new passkey, in the transaction that keeps it. */
export interface Keeping {
  readonly origin: Origin;
  /** In one order with everything else that changes the holder's way in. @throws {AppError} when they are gone */
  readonly lock: (tx: Tx) => Promise<void>;
  readonly tell: (tx: Tx, row: queries.PasskeyRow, now: Date) => Promise<void>;
}

/**
 * Keeps the passkey the holder's device has made.
 * @throws {AppError} passkey.expired for a challenge that is over, passkey.refused for anything not made here and now
 *   by a verified person, passkey.known, passkey.tooMany
 */
export async function keepPasskey(
  { db, clock }: CeremonyDeps,
  { of, party }: Site,
  holder: Holder,
  { challengeId, credential }: NewPasskey,
  { origin, lock, tell }: Keeping,
): Promise<Passkey> {
  const now = clock.now();
  const challenge = await db.transaction((tx) => takeChallenge(tx, of, challengeId, party, now, holder));
  if (challenge === undefined) throw new AppError('passkey.expired');
  const made = await readRegistration({ party, challenge }, credential);
  if (made === undefined) throw new AppError('passkey.refused');
  const row: queries.NewPasskeyRow = {
    ...made,
    id: newId(now.getTime()),
    holderId: holder.id,
    transports: credential.response.transports ?? [],
    name: firstName(made.aaguid, deviceOf(origin.agent)),
    rpId: party.id,
    now,
  };
  try {
    return await db.transaction(async (tx) => {
      await lock(tx);
      if ((await queries.listPasskeys(tx, of, holder.id)).length >= MAX_PASSKEYS)
        throw new AppError('passkey.tooMany');
      const inserted = await queries.insertPasskey(tx, of, row);
      await tell(tx, inserted, now);
      return present(inserted);
    });
  } catch (error) {
    if (isUniqueViolation(error, of.uniqueCredential)) throw new AppError('passkey.known');
    throw error;
  }
}

/** What a passkey is asked to sign for a sign-in; the same for everybody, good once. */
export async function askForSignature(
  { db, clock }: CeremonyDeps,
  { of, party }: Site,
): Promise<PasskeyChallenge> {
  const issued = await db.transaction((tx) => issueChallenge(tx, of, party, clock.now()));
  return {
    challengeId: issued.id,
    options: requestOptions({ party, challenge: issued.challenge }),
  };
}

/** A passkey that has signed. */
export interface Signed {
  readonly passkey: queries.PasskeyRow;
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * Which passkey signed what was asked, here, with its person verified.
 * @returns `expired` for a challenge that is over; `unknown` for anything else, whatever is wrong with it
 */
export async function readSignature(
  { db, clock }: CeremonyDeps,
  { of, party }: Site,
  challengeId: string,
  assertion: PasskeyAssertion,
): Promise<Signed | 'expired' | 'unknown'> {
  const challenge = await db.transaction((tx) => takeChallenge(tx, of, challengeId, party, clock.now()));
  if (challenge === undefined) return 'expired';
  const passkey = await queries.findPasskey(db, of, Buffer.from(assertion.id, 'base64url'));
  if (passkey === undefined || passkey.rp_id !== party.id) return 'unknown';
  const { holder_id: holderId, credential_id: credentialId, public_key: publicKey } = passkey;
  const signed = await readAssertion({ party, challenge }, { holderId, credentialId, publicKey }, assertion);
  return signed === undefined ? 'unknown' : { passkey, ...signed };
}

/**
 * Counts a use of a passkey whose row is locked.
 * @param before the counter of the locked row
 * @returns false for a count that has been seen: somewhere there is a second one of it
 */
export async function countUse(
  tx: Tx,
  of: Holders,
  { passkey, counter, backedUp }: Signed,
  before: number,
  now: Date,
): Promise<boolean> {
  // WebAuthn 3, 7.2 step 22. Authenticators that do not count stay at 0.
  if (counter <= before && (counter !== 0 || before !== 0)) return false;
  await queries.noteUse(tx, of, passkey.id, { counter, backedUp, now });
  return true;
}
