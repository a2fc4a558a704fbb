import type { OperatorRole } from '@counterfoil/contract/operator/access/operators.ts';

declare const proven: unique symbol;

/** A user whose session was authenticated in this request. Only authenticate-sessions.ts makes one. */
export interface SessionScope {
  readonly [proven]: 'session';
  readonly sessionId: string;
  readonly userId: string;
  readonly resellerId: number;
  readonly email: string;
  readonly displayName: string;
  /** Support staff acting as this user. */
  readonly actor: string | null;
  /** They may only look: whatever would change something is refused. */
  readonly isLookOnly: boolean;
  /** The brand asks for a second factor and there is none: only routes that say so are open. */
  readonly needsSecondFactor: boolean;
  /** The session was begun with a password that a command made, which runs out then. */
  readonly passwordExpiresAt: Date | null;
}

/**
 * One customer that the caller has been proven to act for: by a session, a pay link, our own job, or, for how one
 * payment stands and nothing else, by the public id of its pay session.
 */
export interface CustomerScope {
  readonly [proven]: 'customer';
  readonly customerId: string;
  readonly resellerId: number;
  readonly by: 'session' | 'payLink' | 'paySession' | 'system';
}

/** For authenticate-sessions.ts only, and for the demo world, which acts as the users it has made. */
export function authenticatedSession(session: Omit<SessionScope, typeof proven>): SessionScope {
  return session as SessionScope;
}

/** For what authorises only: a session's customer, a pay link's, or a job's own. */
export function authorisedCustomer(
  customerId: string,
  resellerId: number,
  by: CustomerScope['by'],
): CustomerScope {
  const scope: Omit<CustomerScope, typeof proven> = { customerId, resellerId, by };
  return scope as CustomerScope;
}

/**
 * Whoever acts for a provider in this request: a program whose API key was authenticated, or a signed-in operator. Acts
 * for all of the provider's customers.
 */
export interface ProgramScope {
  readonly [proven]: 'program';
  readonly resellerId: number;
  /** As the audit trail names it: `key:<name>` or `operator:<e-mail address>`. */
  readonly actor: string;
  /** What it may do. */
  readonly scopes: readonly string[];
  /** It is bound to no reseller, so that it may know of what is the installation's. */
  readonly isOfInstallation: boolean;
}

/** For the authentication of API keys and of operators only. */
export const authenticatedProgram = (program: Omit<ProgramScope, typeof proven>): ProgramScope =>
  program as ProgramScope;

/** A program or operator of the whole installation, for calls about no reseller in particular. */
export interface InstallationScope {
  readonly [proven]: 'installation';
  /** As the audit trail names it. */
  readonly actor: string;
}

/** For the authentication of API keys and of operators only. */
export function authenticatedInstallation(actor: string): InstallationScope {
  const scope: Omit<InstallationScope, typeof proven> = { actor };
  return scope as InstallationScope;
}

/** A person of the provider whose session was authenticated in this request. */
export interface OperatorScope {
  readonly [proven]: 'operator';
  readonly sessionId: string;
  readonly operatorId: string;
  /** Null: of the whole installation. */
  readonly resellerId: number | null;
  readonly email: string;
  readonly displayName: string;
  readonly role: OperatorRole;
}

/** For the authentication of operators only. */
export const authenticatedOperator = (operator: Omit<OperatorScope, typeof proven>): OperatorScope =>
  operator as OperatorScope;
