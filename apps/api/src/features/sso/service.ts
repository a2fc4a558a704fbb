import { sha256 } from '../../secrets.ts';
import { findUser } from '../auth/queries.ts';
import {
  type AuthDeps,
  type Grants,
  INCOMPLETE,
  openSession,
  refused,
  type SignInChecks,
  type TokenResult,
} from '../auth/service.ts';
import { browserOf } from './cookie.ts';
import * as queries from './queries.ts';
import type { SsoDeps } from './visit.ts';

export { browserOf, markBrowser, VISIT_SECONDS } from './cookie.ts';
export {
  IdentityProviders,
  ProviderFailed,
  type Registration,
  type VerifiedPerson,
} from './identity-provider.ts';
export { newVisit, personOfVisit } from './provider-visit.ts';

const CODE_SPENT = refused(
  'invalid_grant',
  'This sign-in has expired or was used already. Please sign in again',
);

/** The grant that trades what single sign-on ended with, once, in the browser that began it (RFC 6749 4.1.3). */
export const ssoGrants = (deps: SsoDeps & AuthDeps): Grants => ({
  async authorization_code({ code, redirect_uri: redirectUri }, origin, request): Promise<TokenResult> {
    if (!code || !redirectUri) return INCOMPLETE;
    const cookieHash = browserOf(request, deps.publicUrl);
    if (cookieHash === undefined) return CODE_SPENT;
    const use = { hash: sha256(code), cookieHash, redirectUri, now: deps.clock.now() };
    const found = await queries.findGoodCode(deps.db, use);
    const user = found === undefined ? undefined : await findUser(deps.db, found.user_id);
    if (found === undefined || user === undefined) return CODE_SPENT;
    const answer = await openSession(deps, {
      user,
      method: 'sso',
      origin,
      detail: { company: found.company },
      stands: async (tx) => (await queries.spendCode(tx, use)) === 1,
    });
    return answer === undefined ? CODE_SPENT : { ok: true, answer };
  },
});

/** Sends people to their company's sign-in by the header `X-Brand-Company`, whether or not there is such a user. */
export const requiredSso =
  (deps: Pick<SsoDeps, 'db'>): SignInChecks['before'][number] =>
  async (username) => {
    const at = username.lastIndexOf('@');
    if (at < 1) return undefined;
    const company = await queries.findRequiringCompany(deps.db, username.slice(at + 1).toLowerCase());
    if (company === undefined) return undefined;
    return {
      ok: false,
      error: { error: 'invalid_grant', error_description: 'Please sign in through your company' },
      headers: { 'x-brand-company': headerValue(company.name) },
    };
  };

/** Headers hold ASCII: other characters of a name, and the sign that marks them, are percent-encoded. */
const headerValue = (name: string): string => name.replaceAll(/[^\x20-\x7e]+|%/g, encodeURIComponent);
