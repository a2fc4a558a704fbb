import { ApiError } from '../../lib/api/api-error.ts';
import { requestToken, TokenRefused } from '../../lib/api/token.ts';
import type { SessionStore } from '../../lib/session/session-store.ts';
import { t } from './messages.ts';

/** How a sign-in ended. `company`: the user's company demands single sign-on (decisions 2). */
export type SignInOutcome =
  | { readonly kind: 'signedIn' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'company'; readonly company: string };

export interface SignInParts {
  readonly fetch: typeof fetch;
  readonly apiHost: string;
  readonly session: SessionStore;
}

/**
 * Password grant. On success the session is stored, as a normal user without a chosen customer.
 * Refusals come with the server's `error_description`, or 'Invalid username or password'.
 */
export async function signIn(parts: SignInParts, username: string, password: string): Promise<SignInOutcome> {
  try {
    const grant = { grant_type: 'password', username, password };
    const auth = await requestToken(parts.fetch, parts.apiHost, grant, AbortSignal.timeout(300_000));
    parts.session.clear();
    parts.session.saveSuperUser(false);
    parts.session.saveAuth(auth);
    return { kind: 'signedIn' };
  } catch (error) {
    if (error instanceof TokenRefused) {
      if (error.brandCompany !== undefined) return { kind: 'company', company: error.brandCompany };
      return { kind: 'refused', text: error.description ?? t('signIn.wrong') };
    }
    // Too many tries: the server's words say so. Anything else is the banner's.
    if (error instanceof ApiError && error.code === 'rate.limited')
      return { kind: 'refused', text: error.message };
    return { kind: 'failed', error };
  }
}

/** Start of single sign-on at the API's host (specification, portal §7; decisions 2). */
export function ssoAddress(apiHost: string, company: string, r: string | null): string {
  const query = new URLSearchParams({ b: company, ct: '2', ...(r !== null && { r }) });
  return `${apiHost}/sso/login?${query}`;
}
