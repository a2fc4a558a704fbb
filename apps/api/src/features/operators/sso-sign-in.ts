import { companyKey } from '@counterfoil/domain/text/sso-error.ts';
import { recordAudit } from '../../audit/record.ts';
import { isUniqueViolation, type Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import {
  newVisit,
  ProviderFailed,
  personOfVisit,
  type VerifiedPerson,
  VISIT_SECONDS,
} from '../sso/service.ts';
import * as queries from './queries.ts';
import { mayEnter, openSession, recordOwn, type SignedIn } from './session.ts';
import * as ssoQueries from './sso-queries.ts';
import { registrationOf, type SsoSettingsDeps } from './sso-settings.ts';

export const SSO_CALLBACK = '/v1/operator/sso/callback';
const FORGET_AFTER_MS = 24 * 60 * 60_000;

/** What the sign-in page says: one of three texts. */
export type SsoRefusal = 'unknown' | 'refused' | 'failed';

/** A sign-in that ends here. */
export class SsoRefused extends Error {
  override readonly name = 'SsoRefused';
  readonly told: SsoRefusal;

  constructor(told: SsoRefusal) {
    super(told);
    this.told = told;
  }
}

/** The provider that is asked, and where the console is. */
export interface Wish {
  /** Undefined: that of the installation. */
  readonly name: string | undefined;
  /** Of the console that was opened. */
  readonly origin: string;
}

/**
 * Begins a sign-in with the provider.
 * @param mark ties the visit to this browser; called only when there will be one
 * @returns the provider's address
 * @throws {SsoRefused}
 */
export async function beginSso(
  deps: SsoSettingsDeps,
  { name, origin }: Wish,
  mark: () => Buffer,
  from: Origin,
): Promise<string> {
  const row =
    name === undefined
      ? await ssoQueries.findSso(deps.db, null)
      : await ssoQueries.findSsoByName(deps.db, companyKey(name));
  if (row === undefined) throw new SsoRefused('unknown');
  const { address, ...visit } = await believing(deps, row, from, () =>
    newVisit(deps, registrationOf(deps.secrets, row), `${origin}${SSO_CALLBACK}`),
  );
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + VISIT_SECONDS * 1000);
  await deps.db.transaction(async (tx) => {
    await ssoQueries.forgetAttempts(tx, new Date(now.getTime() - FORGET_AFTER_MS));
    const attempt = { ...visit, ssoId: row.id, cookieHash: mark(), origin, now, expiresAt };
    await ssoQueries.insertAttempt(tx, attempt);
  });
  return address;
}

/** The way back: the state, the query as received, and the hash of this browser's mark. */
export interface Return {
  readonly state: string;
  readonly query: string;
  readonly browser: Buffer | undefined;
}

/**
 * Ends a sign-in the provider sent the browser back from. The operator must be there already, under the address that the
 * provider has verified; from the first sign-in on they are bound to the provider's own id of the person.
 * @throws {SsoRefused}
 */
export async function finishSso(
  deps: SsoSettingsDeps,
  { state, query, browser }: Return,
  from: Origin,
): Promise<SignedIn> {
  const now = deps.clock.now();
  const attempt =
    browser === undefined
      ? undefined
      : await deps.db.transaction((tx) => ssoQueries.spendAttempt(tx, sha256(state), browser, now));
  // Unknown, used, too old, or another browser's.
  if (attempt === undefined) throw new SsoRefused('failed');
  const person = await believing(deps, attempt, from, () => {
    const currentUrl = new URL(`${SSO_CALLBACK}${query}`, attempt.origin);
    const { nonce, verifier_sealed: verifierSealed } = attempt;
    const back = { state, nonce, verifierSealed, currentUrl };
    return personOfVisit(deps, registrationOf(deps.secrets, attempt), back);
  });
  if (person === undefined) throw await refusal(deps, attempt, from, { reason: 'e-mail not verified' });
  const opened = await deps.db
    .transaction((tx) => open(tx, deps, attempt, person, { from, now }))
    .catch((error: unknown) => {
      if (!isUniqueViolation(error, 'operator_sso_subject')) throw error;
      return 'person of another operator';
    });
  if (typeof opened !== 'string') return opened;
  throw await refusal(deps, attempt, from, { reason: opened, email: person.email });
}

interface Moment {
  readonly from: Origin;
  readonly now: Date;
}

/** @returns why not, in words for the audit trail */
async function open(
  tx: Tx,
  deps: SsoSettingsDeps,
  { id, issuer }: ssoQueries.SsoRow,
  { email, subject }: VerifiedPerson,
  { from, now }: Moment,
): Promise<SignedIn | string> {
  const operator = await queries.lockOperator(tx, email);
  if (operator === undefined || operator.disabled_at !== null || !mayEnter(deps, operator))
    return 'no such operator';
  // One reseller's provider vouches for that reseller's operators alone.
  if ((await ssoQueries.findSsoOf(tx, operator))?.id !== id) return 'operator of others';
  const isBound = operator.sso_issuer === issuer;
  if (isBound && operator.sso_subject !== subject) return 'another person';
  if (!isBound) await bind(tx, operator, { issuer, subject }, { from, now });
  return { operator, token: await openSession(tx, operator, from, now, { method: 'sso' }) };
}

async function bind(
  tx: Tx,
  operator: queries.OperatorRow,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  { from, now }: Moment,
): Promise<void> {
  await ssoQueries.bindSso(tx, operator.id, issuer, subject);
  const before = operator.sso_issuer === null ? {} : { 'before.issuer': operator.sso_issuer };
  await recordOwn(tx, operator, 'operator.ssoBound', from, now, { ...before, 'after.issuer': issuer });
}

async function believing<T>(
  deps: SsoSettingsDeps,
  row: ssoQueries.SsoRow,
  from: Origin,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    throw await refusal(deps, row, from, { reason: 'provider', code: error.code });
  }
}

interface Why {
  readonly reason: string;
  /** What the provider or the library said. */
  readonly code?: string;
  readonly email?: string;
}

/** Writes down why somebody is not signed in; people read one of three texts. */
async function refusal(
  { db, clock }: SsoSettingsDeps,
  row: ssoQueries.SsoRow,
  { address, requestId }: Origin,
  { reason, code, email }: Why,
): Promise<SsoRefused> {
  await db.transaction((tx) =>
    recordAudit(tx, {
      action: 'operator.ssoRefused',
      at: clock.now(),
      resellerId: row.reseller_id ?? undefined,
      userEmail: email,
      address,
      requestId,
      detail: { reason, ...(code === undefined ? {} : { code }) },
    }),
  );
  return new SsoRefused(reason === 'provider' ? 'failed' : 'refused');
}
