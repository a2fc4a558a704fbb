import type {
  PASSKEY_GRANT,
  PasskeyAssertion,
  PasskeyChallenge,
} from '@counterfoil/contract/people/passkeys.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { whyNot } from '../../lib/passkeys.ts';
import { t } from './passkey-messages.ts';
import { type SignInOutcome, type SignInParts, trade } from './sign-in.ts';

/** `superseded`: another request took its place, or the page is being left. */
export type PasskeyOutcome = SignInOutcome | { readonly kind: 'superseded' };

export interface PasskeyParts extends SignInParts {
  /** Asks the server what to sign. */
  readonly challenge: () => Promise<PasskeyChallenge>;
  /** Asks the person's device to sign it. */
  readonly sign: (options: PasskeyChallenge['options']) => Promise<PasskeyAssertion>;
}

const grantType: typeof PASSKEY_GRANT = 'urn:counterfoil:passkey';

/** Signs in with whichever passkey the person chooses; on success the session is stored. */
export async function signInByPasskey(parts: PasskeyParts): Promise<PasskeyOutcome> {
  let grant: Parameters<typeof trade>[1];
  try {
    const { challengeId, options } = await parts.challenge();
    const credential = JSON.stringify(await parts.sign(options));
    grant = { grant_type: grantType, challenge_id: challengeId, credential };
  } catch (error) {
    return outcomeOf(error);
  }
  return trade(parts, grant, ({ description }) => ({
    kind: 'refused',
    text: description ?? t('passkey.refused'),
  }));
}

function outcomeOf(error: unknown): PasskeyOutcome {
  const why = whyNot(error);
  if (why === 'superseded') return { kind: 'superseded' };
  if (why !== undefined)
    return { kind: 'refused', text: t(why === 'cancelled' ? 'passkey.cancelled' : 'passkey.unable') };
  if (error instanceof ApiError && error.status >= 400 && error.status < 500)
    return { kind: 'refused', text: error.message };
  return { kind: 'failed', error };
}
