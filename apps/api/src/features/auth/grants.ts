import type { TokenRequest } from '@counterfoil/contract/people/auth.ts';
import type { FastifyRequest } from 'fastify';
import { countsByAddress } from '../../limits/by-address.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { type RouteLimitName, routeLimits } from '../../limits/limits.ts';
import { type Origin, refresh, type TokenResult } from './session.ts';
import { noChecks, type SignInChecks, type SignInDeps, signIn } from './sign-in.ts';

/**
 * One way to a session at `POST /token`. It answers what is missing from the form with `invalid_request`.
 * @param request for what is bound to the browser, such as a cookie
 */
export type Grant = (form: TokenRequest, origin: Origin, request: FastifyRequest) => Promise<TokenResult>;

/** Grants by `grant_type`. A feature that brings a way to sign in offers its own in its `service.ts`. */
export type Grants = Readonly<Record<string, Grant>>;

/** A form that lacks what its grant needs. */
export const INCOMPLETE: TokenResult = { ok: false, error: { error: 'invalid_request' } };

/** The grants of every installation: user name and password, and renewing a session. */
export const basicGrants = (deps: SignInDeps, checks: SignInChecks = noChecks): Grants => ({
  async password({ username, password }, origin) {
    if (!username?.trim() || !password) return INCOMPLETE;
    return signIn(deps, username, password, origin, checks);
  },
  async refresh_token({ refresh_token: token }, origin) {
    return token ? refresh(deps, token, origin) : INCOMPLETE;
  },
});

/** What a grant is limited by, where not like any other. A password has tries of its own, counted in `signIn`. */
const grantLimits: Readonly<Record<string, RouteLimitName | 'own'>> = {
  password: 'own',
  refresh_token: 'refresh',
  authorization_code: 'singleSignOn',
  'urn:counterfoil:passkey': 'passkey',
};

/** The same grants, as often as an address may use them. @throws {AppError} rate.limited, when one is used */
export const limitGrants = (grants: Grants, limiter: Limiter): Grants =>
  Object.fromEntries(
    Object.entries(grants).map(([name, grant]): [string, Grant] => {
      const limit = grantLimits[name] ?? 'otherGrant';
      if (limit === 'own') return [name, grant];
      return [
        name,
        async (form, origin, request) => {
          await limiter.require(countsByAddress(routeLimits[limit].address, origin.address));
          return grant(form, origin, request);
        },
      ];
    }),
  );
