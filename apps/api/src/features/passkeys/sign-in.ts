import {
  PASSKEY_GRANT,
  type PasskeyAssertion,
  passkeyAssertion,
} from '@counterfoil/contract/people/passkeys.ts';
import { recordAudit } from '../../audit/record.ts';
import { findUser, type UserRow } from '../auth/queries.ts';
import {
  type AuthDeps,
  type Grants,
  INCOMPLETE,
  type Origin,
  openSession,
  refused,
  type SignInChecks,
  type TokenResult,
} from '../auth/service.ts';
import { countUse, readSignature } from './ceremonies.ts';
import { users } from './holders.ts';
import * as queries from './queries.ts';
import { type RelyingParty, relyingPartyAt } from './relying-party.ts';

export interface PasskeySignInDeps extends AuthDeps {
  readonly publicUrl: URL;
  /** What may still speak against the user whose passkey it is, such as a company that demands its own sign-in. */
  readonly checks: SignInChecks['before'];
}

const EXPIRED = refused('invalid_grant', 'This took too long. Please try again');
const UNKNOWN = refused(
  'invalid_grant',
  'This passkey does not open an account here. Sign in another way, and add it again in Settings, Security',
);
const COPIED = refused(
  'invalid_grant',
  'This passkey was refused because it may have been copied. Sign in another way, and replace it in Settings, Security',
);

/** The grant of a sign-in by passkey alone; it is a second factor in itself, so none is asked for. */
export const passkeyGrants = (deps: PasskeySignInDeps): Grants => ({
  async [PASSKEY_GRANT]({ challenge_id: challengeId, credential }, origin, request) {
    const assertion = readForm(credential);
    if (!challengeId || assertion === undefined) return INCOMPLETE;
    const party = await relyingPartyAt(deps, request.host);
    if (party === undefined) return UNKNOWN;
    return signInByPasskey(deps, party, challengeId, assertion, origin);
  },
});

function readForm(text: string | undefined): PasskeyAssertion | undefined {
  try {
    return passkeyAssertion.safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

async function signInByPasskey(
  deps: PasskeySignInDeps,
  party: RelyingParty,
  challengeId: string,
  assertion: PasskeyAssertion,
  origin: Origin,
): Promise<TokenResult> {
  const signed = await readSignature(deps, { of: users, party }, challengeId, assertion);
  if (signed === 'expired') return EXPIRED;
  if (signed === 'unknown') return UNKNOWN;
  const { passkey } = signed;
  const user = await findUser(deps.db, passkey.holder_id);
  if (user === undefined) return UNKNOWN;
  for (const check of deps.checks) {
    const refusal = await check(user.email, origin);
    if (refusal !== undefined) return refusal;
  }
  let isCopy = false;
  const answer = await openSession(deps, {
    user,
    method: 'passkey',
    origin,
    passkeyId: passkey.id,
    detail: { passkey: passkey.id },
    async stands(tx) {
      // Removed meanwhile, or the user shut out: nothing is locked.
      const locked = await queries.lockForSignIn(tx, passkey.id);
      if (locked === undefined) return false;
      isCopy = !(await countUse(tx, users, signed, Number(locked.counter), deps.clock.now()));
      return !isCopy;
    },
  });
  if (isCopy) await recordCopy(deps, user, passkey.id, origin);
  return answer === undefined ? (isCopy ? COPIED : UNKNOWN) : { ok: true, answer };
}

/** Rightly signed with a count that has been seen: somewhere there is a second one of this passkey. */
const recordCopy = (deps: PasskeySignInDeps, user: UserRow, id: string, origin: Origin) =>
  deps.db.transaction((tx) =>
    recordAudit(tx, {
      action: 'passkey.copied',
      at: deps.clock.now(),
      resellerId: user.reseller_id,
      userId: user.id,
      userEmail: user.email,
      address: origin.address,
      requestId: origin.requestId,
      detail: { passkey: id },
    }),
  );
