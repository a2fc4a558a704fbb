import type { MFA_GRANT } from '@counterfoil/contract/people/second-factor.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { type FactorDue, requestToken, TokenRefused } from '../../lib/api/token.ts';
import type { SessionStore } from '../../lib/session/session-store.ts';
import { t } from './messages.ts';

/**
 * How a sign-in ended. `company`: the user's company demands single sign-on; `factor`: a second step is due
 * (decisions 2); `over`: the second step cannot be taken any more.
 */
export type SignInOutcome =
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'company'; readonly company: string }
  | { readonly kind: 'factor'; readonly due: FactorDue }
  | { readonly kind: 'over'; readonly text: string };

export interface SignInParts {
  readonly fetch: typeof fetch;
  readonly apiHost: string;
  readonly session: SessionStore;
}

/**
 * Password grant. On success the session is stored, as a normal user without a chosen customer.
 * Refusals come with the server's `error_description`, or 'Invalid username or password'.
 */
export const signIn = (parts: SignInParts, username: string, password: string): Promise<SignInOutcome> =>
  trade(parts, { grant_type: 'password', username, password }, (error) => {
    if (error.factor !== undefined) return { kind: 'factor', due: error.factor };
    return { kind: 'refused', text: error.description ?? t('signIn.wrong') };
  });

/** Trades the code that single sign-on ended with. */
export const signInByCode = (parts: SignInParts, code: string, redirectUri: string): Promise<SignInOutcome> =>
  trade(parts, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }, (error) => ({
    kind: 'refused',
    text: error.description ?? t('sso.failed'),
  }));

const mfaGrant: typeof MFA_GRANT = 'urn:counterfoil:mfa';

/** Second step: a code of the authenticator app, or a recovery code. */
export const answerFactor = (
  parts: SignInParts,
  due: FactorDue,
  answer: { readonly otp: string } | { readonly recovery_code: string },
): Promise<SignInOutcome> =>
  trade(parts, { grant_type: mfaGrant, mfa_token: due.token, ...answer }, (error) => ({
    // Only with its token may another code be tried.
    kind: error.factor === undefined ? 'over' : 'refused',
    text: error.description ?? t('factor.over'),
  }));

/** Trades a grant for a session and stores it. */
export async function trade(
  parts: SignInParts,
  grant: Parameters<typeof requestToken>[2],
  refused: (error: TokenRefused) => SignInOutcome,
): Promise<SignInOutcome> {
  try {
    const auth = await requestToken(parts.fetch, parts.apiHost, grant, AbortSignal.timeout(300_000));
    parts.session.clear();
    parts.session.saveSuperUser(false);
    parts.session.saveAuth(auth);
    return { kind: 'signedIn' };
  } catch (error) {
    if (error instanceof TokenRefused) {
      const { brandCompany } = error;
      return brandCompany === undefined
        ? refused(error)
        : { kind: 'company', company: decoded(brandCompany) };
    }
    // Too many tries: the server's words say so. Anything else is the banner's.
    if (error instanceof ApiError && error.code === 'rate.limited')
      return { kind: 'refused', text: error.message };
    return { kind: 'failed', error };
  }
}

/** A header holds ASCII: other characters of the company's name come percent-encoded. */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

/** Start of single sign-on at the API's host (specification, portal §7; decisions 2). */
export function ssoAddress(apiHost: string, company: string, r: string | null): string {
  const query = new URLSearchParams({ b: company, ct: '2', ...(r !== null && { r }) });
  return `${apiHost}/sso/login?${query}`;
}
