import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type {
  CustomerScope,
  InstallationScope,
  OperatorScope,
  ProgramScope,
  SessionScope,
} from '../requests/scope.ts';

/**
 * Who may call a route. Every route says so; the app does not start with one that does not.
 * - `public`: anybody
 * - `session`: a signed-in user
 * - `customer`: a signed-in user, acting for one of their customers
 * - `program`: a program of a provider, with an API key, or an operator whose role has the same scope
 * - `operator`: a signed-in person of the provider
 */
export type Access = 'public' | 'session' | 'customer' | 'program' | 'operator';

/** A part of the portal, by the brand setting that switches it off; where a brand says nothing it is on. */
export type AreaFlag =
  | 'paymentsEnabled'
  | Exclude<
      Extract<keyof StoredBrandSettings, `endShow${string}`>,
      'endShowOpeningBalance' | 'endShowUsageCostCentre'
    >;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /**
     * Parts of the portal this `customer` route serves. A customer whose brand has switched off all of them is answered
     * as if it were not there. A `customer` route names them, or says in `everyArea` why none of them decides.
     */
    areas?: readonly AreaFlag[];
    /** Why a `customer` route answers whatever parts of the portal are off. */
    everyArea?: string;
    /** What the key of a `program`, or the role of an operator, has to allow. A `program` route says so; the app does not start with one that does not. */
    scope?: ApiScope;
    /** Of `operator` routes: for the role owner alone. */
    ownersOnly?: boolean;
    /** A `program` route about no reseller in particular: for keys and operators of the installation. */
    ofInstallation?: boolean;
    /** Codes of the errors that a `program` route answers with beside those that all of them have; for the document. */
    refusals?: readonly ErrorCode[];
    /** Not for support staff who act in a user's name: it changes how the user gets in. */
    inPersonOnly?: boolean;
    /** Open to support that may only look, though it is no reading. */
    openToLooking?: boolean;
    /** Open to a user whose brand asks for a second factor and who has none yet. */
    beforeSecondFactor?: boolean;
    /** A `public` route that tells a signed-in customer more: who sends a session has it authenticated as everywhere. */
    authenticatesIfSignedIn?: boolean;
    /** For other servers, not for browsers: where a browser says it comes from is not looked at. */
    fromServers?: boolean;
    /** Not part of the documented interface: pages, health, files. */
    hidden?: boolean;
    /** Reads the header `Idempotency-Key`; said here for the document. */
    idempotencyKey?: boolean;
    /** Reads the headers `If-Match` and `If-None-Match`; said here for the document. */
    preconditions?: boolean;
    /** Refusals carry their text as `error_description` too (specification, portal §7). */
    errorDescription?: boolean;
    /** Takes a file of one of these kinds as its body, as it comes. */
    takesFile?: readonly string[];
  }
  interface FastifyRequest {
    sessionScope: SessionScope | null;
    customerScope: CustomerScope | null;
    programScope: ProgramScope | null;
    installationScope: InstallationScope | null;
    operatorScope: OperatorScope | null;
  }
}

/** The signed-in user's scope. @throws {AppError} on a route that did not ask for a session */
export function sessionOf(request: FastifyRequest): SessionScope {
  if (request.sessionScope === null) throw new AppError('session.missing');
  return request.sessionScope;
}

/** The authorised scope of the current customer; every query takes it. */
export function scopeOf(request: FastifyRequest): CustomerScope {
  if (request.customerScope === null) throw new AppError('session.missing');
  return request.customerScope;
}

/** The scope of a provider's authenticated program or operator. */
export function programOf(request: FastifyRequest): ProgramScope {
  if (request.programScope === null) throw new AppError('apiKey.refused');
  return request.programScope;
}

/** The signed-in operator. @throws {AppError} on a route that did not ask for one */
export function operatorOf(request: FastifyRequest): OperatorScope {
  if (request.operatorScope === null) throw new AppError('operator.signInNeeded');
  return request.operatorScope;
}
