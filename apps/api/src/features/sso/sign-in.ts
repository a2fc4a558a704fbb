import { safeRedirect } from '@counterfoil/domain/paying/redirect.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { companyKey } from '@counterfoil/domain/text/sso-error.ts';
import { sha256 } from '../../secrets.ts';
import { findUserByEmail, type UserRow } from '../auth/queries.ts';
import { VISIT_SECONDS } from './cookie.ts';
import { ProviderFailed, type Registration } from './identity-provider.ts';
import { newVisit, personOfVisit } from './provider-visit.ts';
import * as queries from './queries.ts';
import { CALLBACK_PATH, portalAt, registrationOf, type SsoDeps, signInPage, VisitRefused } from './visit.ts';

/** How long the browser may take to trade its code. */
export const CODE_SECONDS = 60;
const TOKEN_BYTES = 32;
const FORGET_AFTER_MS = 24 * 60 * 60_000;
/** The one kind of client there is: the portal in a browser (specification, portal §7). */
const CLIENT_TYPE = '2';

export interface Wish {
  readonly b: string;
  readonly ct: string;
  readonly r: string | null;
  /** As the request names it. */
  readonly host: string;
}

/**
 * Begins a sign-in with the company's provider.
 * @param markBrowser ties the visit to this browser; called only when there will be one
 * @returns the provider's address
 * @throws {VisitRefused}
 */
export async function beginVisit(deps: SsoDeps, wish: Wish, markBrowser: () => Buffer): Promise<string> {
  const b = wish.b.trim();
  const portal = await portalAt(deps, wish.host);
  const r = portal === undefined ? null : safeOrNull(wish.r, portal);
  if (wish.ct !== CLIENT_TYPE) throw new VisitRefused({ reason: 'bad request', b, r });
  const row = b === '' ? undefined : await queries.findCompany(deps.db, companyKey(b));
  const isElsewhere =
    portal !== undefined && portal.resellerId !== null && portal.resellerId !== row?.reseller_id;
  if (row === undefined || isElsewhere) throw new VisitRefused({ reason: 'unknown company', b, r });
  const company = { name: row.name, resellerId: row.reseller_id };
  if (portal === undefined) throw new VisitRefused({ reason: 'unknown host', company });
  const { address, ...visit } = await orRefused({ company, r }, async () => {
    const registration = registered(deps, row, { company, r });
    return newVisit(deps, registration, `${portal.origin}${CALLBACK_PATH}`);
  });
  const now = deps.clock.now();
  const cookieHash = markBrowser();
  await deps.db.transaction(async (tx) => {
    await queries.forgetEnded(tx, new Date(now.getTime() - FORGET_AFTER_MS));
    await queries.insertAttempt(tx, {
      ...visit,
      cookieHash,
      companyId: row.id,
      origin: portal.origin,
      r,
      now,
      expiresAt: new Date(now.getTime() + VISIT_SECONDS * 1000),
    });
  });
  return address;
}

/**
 * Ends a sign-in the provider sent the browser back from.
 * @param query the query it came with, as received
 * @param browser hash of this browser's mark
 * @returns the sign-in page with a code to trade
 * @throws {VisitRefused}
 */
export async function finishVisit(
  deps: SsoDeps,
  state: string,
  query: string,
  browser: Buffer | undefined,
): Promise<string> {
  const stateHash = sha256(state);
  const now = deps.clock.now();
  const attempt =
    browser === undefined
      ? undefined
      : await deps.db.transaction((tx) => queries.spendAttempt(tx, stateHash, browser, now));
  if (attempt === undefined || browser === undefined) throw await whyNot(deps, stateHash, browser, now);
  const company = { name: attempt.name, resellerId: attempt.reseller_id };
  const { r, origin } = attempt;
  const about = { company, r };
  const vouched = await orRefused(about, async () => {
    const currentUrl = new URL(`${CALLBACK_PATH}${query}`, origin);
    const { nonce, verifier_sealed: verifierSealed } = attempt;
    const back = { state, nonce, verifierSealed, currentUrl };
    return personOfVisit(deps, registered(deps, attempt, about), back);
  });
  if (vouched === undefined) throw new VisitRefused({ ...about, reason: 'e-mail not verified' });
  const user = await personOf(deps, attempt, vouched.email, about);
  const code = newToken(TOKEN_BYTES);
  const then = deps.clock.now();
  await deps.db.transaction((tx) =>
    queries.insertCode(tx, {
      hash: sha256(code),
      userId: user.id,
      companyId: attempt.id,
      cookieHash: browser,
      redirectUri: `${origin}/login`,
      now: then,
      expiresAt: new Date(then.getTime() + CODE_SECONDS * 1000),
    }),
  );
  return signInPage({ code, r });
}

interface About {
  readonly company: { readonly name: string; readonly resellerId: number };
  readonly r: string | null;
}

/**
 * The user an address names. A provider speaks for the company's people: whoever sees other customers too must have
 * an address in one of the company's own domains, or one company could vouch itself into another's bills.
 */
async function personOf(
  deps: SsoDeps,
  company: queries.CompanyRow,
  email: string,
  about: About,
): Promise<UserRow> {
  const user = await findUserByEmail(deps.db, email);
  const refused = (reason: 'no such user' | 'user of others') =>
    new VisitRefused({ ...about, reason, userEmail: user?.email });
  if (user === undefined) throw refused('no such user');
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1);
  const standing = await queries.findStanding(deps.db, company.id, user.id, domain);
  if (!standing.belongs) throw refused('no such user');
  if (standing.sees_others && !standing.in_domain) throw refused('user of others');
  return user;
}

function registered(deps: SsoDeps, company: queries.CompanyRow, about: About): Registration {
  const registration = registrationOf(deps.secrets, company);
  if (registration !== undefined) return registration;
  throw new VisitRefused({ ...about, reason: 'company without single sign-on' });
}

async function orRefused<T>(about: About, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    throw new VisitRefused({ ...about, reason: 'provider', code: error.code });
  }
}

async function whyNot(
  deps: SsoDeps,
  stateHash: Buffer,
  browser: Buffer | undefined,
  now: Date,
): Promise<VisitRefused> {
  const found = await queries.findAttempt(deps.db, stateHash);
  if (found === undefined) return new VisitRefused({ reason: 'unknown visit' });
  const company = { name: found.company, resellerId: found.reseller_id };
  if (browser === undefined || !browser.equals(found.cookie_hash))
    return new VisitRefused({ reason: 'other browser', company });
  if (found.used_at !== null) return new VisitRefused({ reason: 'visit used', company });
  if (found.expires_at <= now) return new VisitRefused({ reason: 'visit expired', company });
  return new VisitRefused({ reason: 'unknown company', company });
}

/** `r` where it leads to a safe place; what leads nowhere else is left out. */
function safeOrNull(
  r: string | null,
  portal: { origin: string; allowedOrigins: readonly string[] },
): string | null {
  return safeRedirect(r, portal.origin, portal.allowedOrigins) === '/' ? null : r;
}
