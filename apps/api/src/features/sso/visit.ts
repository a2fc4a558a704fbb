import { type SsoError, ssoErrors } from '@counterfoil/domain/text/sso-error.ts';
import type { Logger } from 'pino';
import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Secrets } from '../../secrets.ts';
import { findBrandByHost } from '../brand/queries.ts';
import { brandFromRow, normaliseHost } from '../brand/service.ts';
import { type IdentityProviders, ProviderFailed, type Registration } from './identity-provider.ts';
import type { CompanyRow } from './queries.ts';

export interface SsoDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  /** DEMO=1. */
  readonly isDemo: boolean;
  /** Scheme and port of this installation's addresses. */
  readonly publicUrl: URL;
  readonly providers: IdentityProviders;
}

/** Where a request came from, for the audit trail. */
export interface AskedFrom {
  readonly address: string;
  readonly requestId: string;
}

/** A portal at which a sign-in may begin and end. */
export interface Portal {
  readonly origin: string;
  /** Null: the installation's own address, which is no brand's. */
  readonly resellerId: number | null;
  readonly allowedOrigins: readonly string[];
}

/** Why somebody is not signed in, for the audit trail; people read one of three texts. */
export type Reason =
  | 'unknown company'
  | 'company without single sign-on'
  | 'bad request'
  | 'unknown host'
  | 'unknown visit'
  | 'other browser'
  | 'visit used'
  | 'visit expired'
  | 'provider'
  | 'e-mail not verified'
  | 'no such user'
  | 'user of others';

export interface Refusal {
  readonly reason: Reason;
  /** What the provider or the library said. */
  readonly code?: string;
  /** Typed by the person, so that it need not be typed again. */
  readonly b?: string | undefined;
  readonly r?: string | null | undefined;
  readonly company?: { readonly name: string; readonly resellerId: number } | undefined;
  readonly userEmail?: string | undefined;
}

/** A sign-in that ends here. */
export class VisitRefused extends Error {
  override readonly name = 'VisitRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

export const CALLBACK_PATH = '/sso/callback';

/**
 * The portal under a request's host name: one that a brand has, or the installation's own. Any other name, which
 * a request may claim, is nobody's.
 */
export async function portalAt(deps: SsoDeps, host: string): Promise<Portal | undefined> {
  const name = normaliseHost(host);
  const row = await findBrandByHost(deps.db, name);
  if (row === undefined) {
    const { hostname, origin } = deps.publicUrl;
    return name === hostname ? { origin, resellerId: null, allowedOrigins: [] } : undefined;
  }
  const { resellerId, settings } = brandFromRow(row);
  const url = new URL(deps.publicUrl);
  url.hostname = name;
  return { origin: url.origin, resellerId, allowedOrigins: settings.allowedOrigins };
}

/** The sign-in page with what it is told. */
export function signInPage(told: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(told).filter((entry): entry is [string, string] => entry[1] != null);
  return `/login?${new URLSearchParams(given)}`;
}

const errorOf = (reason: Reason): SsoError => {
  if (reason === 'unknown company') return ssoErrors.unknownCompany;
  return reason === 'company without single sign-on' ? ssoErrors.noSso : ssoErrors.failed;
};

/**
 * Runs a step of a sign-in; whatever refuses it is written down, and leads to the sign-in page.
 * @returns where the browser goes
 */
export async function leadingOn(
  deps: SsoDeps,
  from: AskedFrom,
  step: () => Promise<string>,
): Promise<string> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof VisitRefused)) throw error;
    const { reason, code, b, r, company, userEmail } = error.refusal;
    const { log, db, clock } = deps;
    log.info({ reason, code, company: company?.name }, 'single sign-on refused');
    // What concerns no company is nobody's to look up, and anybody could fill the trail with it.
    if (company !== undefined) {
      const detail = { reason, company: company.name, ...(code === undefined ? {} : { code }) };
      const { resellerId } = company;
      await db.transaction((tx) =>
        recordAudit(tx, { action: 'sso.refused', at: clock.now(), resellerId, userEmail, detail, ...from }),
      );
    }
    return signInPage({ e: errorOf(reason), b: company?.name ?? b, r });
  }
}

/** What the company's provider knows us by. @throws {ProviderFailed} when the stored secret cannot be read */
export function registrationOf(secrets: Secrets, company: CompanyRow): Registration | undefined {
  const { issuer, client_id: clientId, client_secret: sealed } = company;
  if (issuer === null || clientId === null) return undefined;
  try {
    return { issuer, clientId, clientSecret: sealed === null ? null : secrets.open(sealed, company.id) };
  } catch (error) {
    throw new ProviderFailed('the client secret cannot be read', error);
  }
}
