import type { TokenAnswer } from '@counterfoil/contract/people/auth.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Api } from '../../lib/api/calls.ts';
import { readClaims } from '../../lib/session/claims.ts';
import type { SessionStore } from '../../lib/session/session-store.ts';

export interface LoginAsParts {
  readonly openApi: Pick<Api, 'post'>;
  readonly session: SessionStore;
  /** Ends a session on the server. */
  readonly revoke: (refreshToken: string) => unknown;
}

/**
 * Support signs in as a user by a one-time code; whoever was signed in here before is signed out.
 * @returns where the browser goes next (specification, portal §2 'Login-as')
 */
export async function loginAs(parts: LoginAsParts, code: string, search: URLSearchParams): Promise<string> {
  const { openApi, session } = parts;
  let auth: TokenAnswer;
  try {
    auth = await openApi.post<TokenAnswer>('/v1/ec/login-by-code', { code });
  } catch {
    return '/login';
  }
  const before = session.auth();
  if (before !== null) parts.revoke(before.refresh_token);
  const customer = search.get('c');
  // It goes into a header of every call: what is no id of ours would break them all.
  if (customer !== null && isId(customer)) session.saveCustomerId(customer);
  else session.forgetCustomer();
  session.saveSuperUser(readClaims(auth.access_token)?.act !== undefined);
  session.saveAuth(auth);
  const r = search.get('r');
  // Whether `r` may be followed is for the page there to say, which knows the brand.
  return r ? `/redirect-loader?${new URLSearchParams({ r })}` : '/dashboard';
}
