import type {
  GatewayAccountDetail,
  GatewayAccountShown,
  GatewayCheck,
} from '@counterfoil/contract/operator/running/admin-gateways.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import {
  disableGateway,
  enableGateway,
  type GatewayChange,
  lastVerifications,
  setGatewayAccount,
  storedSettings,
} from '../admin/service.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import { checkGateway } from './check.ts';
import { presentAccount, presentAccountDetail } from './present.ts';
import { brandsOf, findAccount, findAccounts, type GatewayAccountRow } from './queries.ts';
import { refusingGateway } from './refusing.ts';

export interface GatewayApiDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly accounts: GatewayAccounts;
  readonly modules: readonly GatewayModule[];
  /** `GATEWAY_URL_…` settings by full name. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly publicUrl: URL;
}

/** A page does not wait longer for a gateway that is asked about its keys. */
const STANDING_WITHIN_MS = 1_000;

/** The state of an account, for `If-Match`: its settings, of secrets when each was set. */
export const etagOf = ({
  config,
  secrets_set_at: setAt,
  id,
}: Pick<GatewayAccountRow, 'id' | 'config' | 'secrets_set_at'>): string => {
  const sorted = (members: object) =>
    Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  return `"${sha256(JSON.stringify([id, sorted(config), sorted(setAt)]))
    .toString('hex')
    .slice(0, 32)}"`;
};

interface Of {
  readonly resellerId: number;
  readonly id: string;
}

/** Accounts of a reseller, the one in use first. */
export async function listAccounts(deps: GatewayApiDeps, resellerId: number): Promise<GatewayAccountShown[]> {
  const [rows, brands, verified] = await Promise.all([
    findAccounts(deps.db, resellerId),
    brandsOf(deps.db, resellerId),
    lastVerifications(deps.db),
  ]);
  return Promise.all(
    rows.map(async (row) =>
      presentAccount({
        row,
        brands,
        state: await stateOf(deps, row),
        module: deps.modules.find(({ manifest }) => manifest.id === row.gateway),
        last: verified.get(row.id),
      }),
    ),
  );
}

/** One account. @throws {AppError} gateway.notFound, also where this program does not have the gateway any more */
export async function showAccount(
  deps: GatewayApiDeps,
  { resellerId, id }: Of,
): Promise<{ readonly data: GatewayAccountDetail; readonly etag: string }> {
  const { row, module } = await requireAccount(deps, deps.db, { resellerId, id });
  const [brands, verified] = await Promise.all([brandsOf(deps.db, resellerId), lastVerifications(deps.db)]);
  const data = presentAccountDetail(
    { row, module, brands, state: await stateOf(deps, row), last: verified.get(id) },
    storedSettings(deps.secrets, row),
    { resellerId, publicUrl: deps.publicUrl, addresses: deps.addresses },
  );
  return { data, etag: etagOf(row) };
}

/** @throws {AppError} gateway.notFound */
export async function requireAccount(
  { modules }: Pick<GatewayApiDeps, 'modules'>,
  db: Db,
  { resellerId, id }: Of,
): Promise<{ readonly row: GatewayAccountRow; readonly module: GatewayModule }> {
  const row = await findAccount(db, resellerId, id);
  const module = modules.find(({ manifest }) => manifest.id === row?.gateway);
  if (row === undefined || module === undefined) throw new AppError('gateway.notFound');
  return { row, module };
}

async function stateOf(
  { accounts }: GatewayApiDeps,
  { id, is_active }: Pick<GatewayAccountRow, 'id' | 'is_active'>,
): Promise<GatewayAccountShown['state']> {
  return is_active ? accounts.standingOf(await accounts.byId(id), STANDING_WITHIN_MS) : 'outOfUse';
}

/**
 * Gives a reseller a gateway, or changes its settings. Every process reads them with the next payment.
 * @throws {AppError} gateway.notFound, gateway.refused; precondition.required, precondition.failed
 */
export async function setAccount(
  tx: Tx,
  deps: GatewayApiDeps,
  change: Omit<GatewayChange, 'id'>,
  conditions: Preconditions,
  by: ActedBy,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  if (deps.modules.every(({ manifest }) => manifest.id !== change.gateway))
    throw new AppError('gateway.notFound');
  const now = deps.clock.now();
  const { detail, ...done } = await refusingGateway(() =>
    setGatewayAccount(tx, deps, change, now, (account) =>
      requireState(conditions, account && etagOf(account), true),
    ),
  );
  if (detail !== null)
    await recordAudit(tx, { action: 'gateway.set', at: now, resellerId: change.resellerId, ...by, detail });
  return done;
}

/** Takes an account into use or out of it; where it is so already nothing changes. @throws {AppError} gateway.notFound, gateway.refused */
export async function setInUse(
  tx: Tx,
  deps: GatewayApiDeps,
  of: Of,
  inUse: boolean,
  by: ActedBy,
): Promise<void> {
  const { resellerId, id } = of;
  const { row } = await requireAccount(deps, tx, of);
  const changed = inUse
    ? await refusingGateway(() => enableGateway(tx, deps, of))
    : await disableGateway(tx, resellerId, id);
  if (changed === 0) return;
  await recordAudit(tx, {
    action: inUse ? 'gateway.enabled' : 'gateway.disabled',
    at: deps.clock.now(),
    resellerId,
    ...by,
    detail: { gateway: row.gateway, account: id },
  });
}

/** Asks the gateway whether the keys are good; nothing is charged. @throws {AppError} gateway.notFound */
export async function checkAccount(deps: GatewayApiDeps, of: Of): Promise<GatewayCheck> {
  const { module } = await requireAccount(deps, deps.db, of);
  const account = await deps.accounts.byId(of.id);
  if (account === undefined) {
    const message = `A setting of ${module.manifest.displayName} is missing or does not fit.`;
    return { is: 'misconfigured', message, rights: [] };
  }
  const found = await checkGateway(account);
  // What was found out before does not count any more.
  deps.accounts.doubt(account);
  return found;
}
