import type { TokenRequest } from '@counterfoil/contract/auth.ts';
import type { FastifyRequest } from 'fastify';
import { noChecks, type SignInChecks, signIn } from './service.ts';
import { type AuthDeps, type Origin, refresh, type TokenResult } from './session-service.ts';

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
export const basicGrants = (deps: AuthDeps, checks: SignInChecks = noChecks): Grants => ({
  async password({ username, password }, origin) {
    if (!username?.trim() || !password) return INCOMPLETE;
    return signIn(deps, username, password, origin, checks);
  },
  async refresh_token({ refresh_token: token }, origin) {
    return token ? refresh(deps, token, origin) : INCOMPLETE;
  },
});
