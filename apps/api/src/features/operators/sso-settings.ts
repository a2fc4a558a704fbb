import type {
  OperatorSso,
  OperatorSsoChange,
  OperatorSsoTested,
} from '@counterfoil/contract/operator/access/operator-sso.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { companyKey } from '@counterfoil/domain/text/sso-error.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import { isUniqueViolation } from '../../db/database.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import type { Secrets } from '../../secrets.ts';
import { AdminRefused, checkedIssuer } from '../admin/service.ts';
import { type IdentityProviders, ProviderFailed, type Registration } from '../sso/service.ts';
import type { OperatorDeps } from './session.ts';
import * as queries from './sso-queries.ts';

export interface SsoSettingsDeps extends OperatorDeps {
  readonly providers: IdentityProviders;
}

/** What the provider knows the console by. @throws {ProviderFailed} when the stored secret cannot be read */
export function registrationOf(secrets: Secrets, row: queries.SsoRow): Registration {
  const { id, issuer, client_id: clientId, client_secret: sealed } = row;
  try {
    return { issuer, clientId, clientSecret: sealed === null ? null : secrets.open(sealed, id) };
  } catch (error) {
    throw new ProviderFailed('the client secret cannot be read', error);
  }
}

/** Settings that are an owner's to see, the installation's first. */
export async function listSettings(
  { db }: Pick<SsoSettingsDeps, 'db'>,
  { resellerId }: Pick<OperatorScope, 'resellerId'>,
): Promise<OperatorSso[]> {
  return (await queries.listSso(db, resellerId ?? undefined)).map((row) => ({
    resellerId: row.reseller_id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    hasSecret: row.client_secret !== null,
    isDemanded: row.is_demanded,
    people: row.people,
    updatedAt: row.updated_at.toISOString(),
  }));
}

/**
 * Sets single sign-on of a reseller or of the installation. Once it is demanded, sessions that were begun in another way
 * end, but for one.
 * @param keptSession that of the owner who sets it; null: none
 * @throws {AppError} operator.ssoNotSet for an issuer that cannot be spoken to and a name that is taken;
 *   operator.ssoUntried where it is demanded before anybody has signed in by it
 */
export async function setSettings(
  { db, clock, secrets }: Pick<SsoSettingsDeps, 'db' | 'clock' | 'secrets'>,
  keptSession: string | null,
  wanted: Omit<OperatorSsoChange, 'code'>,
  by: ActedBy,
): Promise<void> {
  const { resellerId, name, clientId, clientSecret, isDemanded } = wanted;
  const issuer = goodIssuer(wanted.issuer);
  const now = clock.now();
  try {
    await db.transaction(async (tx) => {
      const known = await queries.lockSso(tx, resellerId);
      const id = known?.id ?? newId(now.getTime());
      // What was agreed with one provider is nothing to another.
      const isSame = known?.issuer === issuer && known.client_id === clientId;
      const kept = isSame ? known.client_secret : null;
      const secret =
        typeof clientSecret === 'string'
          ? secrets.seal(clientSecret, id)
          : clientSecret === null
            ? null
            : kept;
      const row = { id, reseller_id: resellerId, name, issuer, client_id: clientId, is_demanded: isDemanded };
      await queries.putSso(tx, { ...row, client_secret: secret, nameKey: companyKey(name), now });
      let sessionsEnded = 0;
      if (isDemanded) {
        const people = (await queries.listSso(tx, resellerId ?? undefined)).find(
          (one) => one.id === id,
        )?.people;
        if (people === 0) throw new AppError('operator.ssoUntried');
        sessionsEnded = await queries.endOtherSessions(tx, { resellerId, kept: keptSession, now });
      }
      const before = known === undefined ? {} : detailOf('before', known);
      // That a secret was set is told, never to what.
      const told = clientSecret === undefined ? {} : { secretSet: clientSecret !== null };
      const detail = { ...before, ...detailOf('after', row), ...told, sessionsEnded };
      await recordAudit(tx, {
        action: 'operator.ssoSet',
        at: now,
        resellerId: resellerId ?? undefined,
        ...by,
        detail,
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'operator_sso_name_key_key')) throw error;
    throw new AppError('operator.ssoNotSet', { text: 'Another single sign-on has this name' });
  }
}

function goodIssuer(text: string): string {
  try {
    return checkedIssuer(text);
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    throw new AppError('operator.ssoNotSet', {
      text: 'The issuer is no address such as https://login.example.com',
      cause: error,
    });
  }
}

const detailOf = (
  when: 'before' | 'after',
  row: Pick<queries.SsoRow, 'name' | 'issuer' | 'client_id' | 'is_demanded'>,
) => ({
  [`${when}.name`]: row.name,
  [`${when}.issuer`]: row.issuer,
  [`${when}.clientId`]: row.client_id,
  [`${when}.isDemanded`]: row.is_demanded,
});

/** @throws {AppError} operator.ssoNotFound */
export async function removeSettings(
  { db, clock }: Pick<SsoSettingsDeps, 'db' | 'clock'>,
  resellerId: number | null,
  by: ActedBy,
): Promise<void> {
  const at = clock.now();
  await db.transaction(async (tx) => {
    const row = await queries.lockSso(tx, resellerId);
    if (row === undefined) throw new AppError('operator.ssoNotFound');
    await queries.deleteSso(tx, row.id);
    const detail = detailOf('before', row);
    await recordAudit(tx, {
      action: 'operator.ssoRemoved',
      at,
      resellerId: resellerId ?? undefined,
      ...by,
      detail,
    });
  });
}

/**
 * Tries settings as they are kept: whether the provider answers, and whether it takes this client.
 * @throws {AppError} operator.ssoNotFound
 */
export async function testSettings(
  { db, secrets, providers }: Pick<SsoSettingsDeps, 'db' | 'secrets' | 'providers'>,
  resellerId: number | null,
  redirectUri: string,
): Promise<OperatorSsoTested> {
  const row = await queries.findSso(db, resellerId);
  if (row === undefined) throw new AppError('operator.ssoNotFound');
  try {
    const registration = registrationOf(secrets, row);
    const { code_challenge_methods_supported: pkce } = await providers.discover(row.issuer);
    const refusal = await providers.refusalOfClient(registration, redirectUri);
    return {
      steps: [
        { step: 'provider', isGood: true, told: null },
        { step: 'pkce', isGood: pkce?.includes('S256') !== false, told: pkce?.join(' ') ?? null },
        { step: 'client', isGood: refusal === undefined, told: refusal ?? null },
      ],
    };
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    return { steps: [{ step: 'provider', isGood: false, told: error.code }] };
  }
}
