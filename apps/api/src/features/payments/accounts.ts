import { cspOrigins, resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import type {
  ChosenEntries,
  GatewayModule,
  OpenGateway,
  PublicGatewayConfig,
} from '@counterfoil/gateways/port/define-gateway.ts';
import { openGateway } from '@counterfoil/gateways/port/define-gateway.ts';
import type { CredentialCheck, Gateway } from '@counterfoil/gateways/port/gateway.ts';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { Secrets } from '../../secrets.ts';
import { tracedFetch, traceGateway } from '../../tracing/gateways.ts';
import { withTimeout } from '../../with-timeout.ts';
import { isPaused } from './pause/pause.ts';

/** One reseller's account at one gateway, opened and ready. */
export interface GatewayAccount {
  readonly id: string;
  readonly resellerId: number;
  readonly module: GatewayModule;
  readonly gateway: Gateway;
  readonly publicConfig: PublicGatewayConfig;
  /** The ways of entry that its settings choose. */
  readonly entries: ChosenEntries;
  readonly csp: {
    readonly script: readonly string[];
    readonly frame: readonly string[];
    readonly connect: readonly string[];
  };
}

interface AccountRow {
  id: string;
  reseller_id: number;
  gateway: string;
  config: Record<string, unknown>;
  secrets: Buffer | null;
  fingerprint: string;
}

export interface AccountsDeps {
  readonly db: Db;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly modules: readonly GatewayModule[];
  /** `GATEWAY_URL_…` settings by full name. */
  readonly addresses: Readonly<Record<string, string>>;
}

const CHECK_FOR_MS = 60_000;
/** A page does not wait longer for the answer; a gateway that is slow to say so is not misconfigured. */
const CHECK_WITHIN_MS = 3_000;
/** How long keys that were refused count as refused. */
const REFUSED_FOR_MS = 10_000;
/** Every page of the portal begins with the answer: what is not known by then is taken to work. */
const SOON_MS = 300;
const UNREACHABLE: CredentialCheck = { ok: false, rights: [], unreachable: true };

const columns = sql`id, reseller_id, gateway, config, secrets,
  md5(config::text || coalesce(encode(secrets, 'hex'), '')) as fingerprint`;

/** `paused`: payments are off until the gateway was scanned after a restored backup, or by hand. */
export type Standing = 'working' | 'paused' | 'misconfigured';

/** The gateway has said that the keys are wrong; one that cannot be reached says nothing of them. */
const isRefused = (check: CredentialCheck): boolean => !check.ok && check.unreachable !== true;

/** The resellers' gateway accounts. Opened ones are kept until their settings change. */
export class GatewayAccounts {
  readonly #deps: AccountsDeps;
  readonly #open = new Map<string, { fingerprint: string; opened: Promise<GatewayAccount | undefined> }>();
  readonly #checks = new Map<string, { until: number; result: Promise<CredentialCheck> }>();

  #origins: GatewayAccount['csp'] = { script: [], frame: [], connect: [] };

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
  }

  /** Provider type code of the reseller's gateway (payments §1); 0 for none, or for one this program does not have. */
  async paymentTypeOf(resellerId: number): Promise<number> {
    const row = await this.#activeRow(resellerId);
    return this.#moduleOf(row?.gateway)?.manifest.code ?? 0;
  }

  /** The reseller's active account; undefined when there is none or its settings do not fit. */
  async activeFor(resellerId: number): Promise<GatewayAccount | undefined> {
    const row = await this.#activeRow(resellerId);
    return row === undefined ? undefined : this.#openRow(row);
  }

  /** An account by id, active or not: payments made through it still have to be found out about. */
  async byId(id: string): Promise<GatewayAccount | undefined> {
    const row = await this.#deps.db.maybeOne<AccountRow>(
      sqlOnce`select ${columns} from gateway_account where id = ${id}`,
    );
    return row === undefined ? undefined : this.#openRow(row);
  }

  /** The accounts of one gateway and reseller, newest first, for webhooks. */
  async forHook(gateway: string, resellerId: number): Promise<GatewayAccount[]> {
    const rows = await this.#deps.db.many<AccountRow>(sql`
      select ${columns} from gateway_account
       where gateway = ${gateway} and reseller_id = ${resellerId} order by is_active desc, created_at desc`);
    return this.#openRows(rows);
  }

  /** Every account whose gateway is asked for its events, active or not: what was paid through it may still come back. */
  async polled(): Promise<GatewayAccount[]> {
    const gateways = this.#deps.modules
      .map(({ manifest }) => manifest)
      .filter(({ capabilities }) => capabilities.events.includes('poll'))
      .map(({ id }) => id);
    if (gateways.length === 0) return [];
    const rows = await this.#deps.db.many<AccountRow>(
      sql`select ${columns} from gateway_account where gateway = any(${gateways}) order by id`,
    );
    return this.#openRows(rows);
  }

  /**
   * Whether an account takes payments now, or why it does not. Its keys are asked about at most once a minute; an unreachable
   * gateway is not misconfigured.
   */
  async standingOf(account: GatewayAccount | undefined, withinMs = CHECK_WITHIN_MS): Promise<Standing> {
    if (account === undefined) return 'misconfigured';
    if (await isPaused(this.#deps.db, account.id)) return 'paused';
    return (await this.isAccepted(account, withinMs)) ? 'working' : 'misconfigured';
  }

  /** Whether its gateway accepts the account's keys, or has not said; a pause is not looked at. */
  async isAccepted(account: GatewayAccount, withinMs = CHECK_WITHIN_MS): Promise<boolean> {
    return !isRefused(await this.#check(account, withinMs));
  }

  async isWorking(account: GatewayAccount): Promise<boolean> {
    return (await this.standingOf(account)) === 'working';
  }

  /** The same of the reseller's gateway, for pages that cannot wait for it to say so. */
  async standingFor(resellerId: number): Promise<Standing> {
    return this.standingOf(await this.activeFor(resellerId), SOON_MS);
  }

  /** The gateway has refused the account at use: whether its keys work is checked again. */
  doubt(account: Pick<GatewayAccount, 'id'>): void {
    this.#checks.delete(account.id);
  }

  /** The rights its keys carry; undefined while the gateway is not reachable or refuses them. */
  async rightsOf(account: GatewayAccount): Promise<readonly string[] | undefined> {
    const result = await this.#check(account);
    return result.ok ? result.rights : undefined;
  }

  #check(account: GatewayAccount, withinMs = CHECK_WITHIN_MS): Promise<CredentialCheck> {
    const now = this.#deps.clock.now().getTime();
    let check = this.#checks.get(account.id);
    if (check === undefined || check.until < now) {
      const asked = {
        until: now + CHECK_FOR_MS,
        result: account.gateway.verifyCredentials().catch(() => UNREACHABLE),
      };
      check = asked;
      this.#checks.set(account.id, asked);
      // Wrong keys are put right by a person: that is looked for soon. Kept until then, so that pages that do not wait for the
      // gateway say the same one after the other.
      void asked.result.then((result) => {
        if (!isRefused(result)) return;
        asked.until = this.#deps.clock.now().getTime() + REFUSED_FOR_MS;
        this.#deps.log.warn(
          { account: account.id, gateway: account.module.manifest.id, why: result.why },
          'gateway refused its keys',
        );
      });
    }
    return withTimeout(withinMs, check.result, UNREACHABLE);
  }

  /**
   * Origins of every gateway that takes payments for somebody, for a page that does not know yet who will use it. A
   * look-up that fails leaves what was known.
   */
  async originsInUse(): Promise<GatewayAccount['csp']> {
    const rows = await this.#deps.db
      .many<{ gateway: string }>(sql`select distinct gateway from gateway_account where is_active`)
      .catch(() => undefined);
    if (rows !== undefined) this.#origins = this.#originsOf(rows.map(({ gateway }) => gateway));
    return this.#origins;
  }

  #originsOf(gateways: readonly string[]): GatewayAccount['csp'] {
    const found = gateways.flatMap((gateway) => {
      const manifest = this.#moduleOf(gateway)?.manifest;
      return manifest === undefined
        ? []
        : [cspOrigins(manifest, resolveAddresses(manifest, this.#deps.addresses))];
    });
    const all = (role: keyof GatewayAccount['csp']) => [...new Set(found.flatMap((csp) => csp[role]))].sort();
    return { script: all('script'), frame: all('frame'), connect: all('connect') };
  }

  #activeRow(resellerId: number): Promise<AccountRow | undefined> {
    return this.#deps.db.maybeOne<AccountRow>(sqlOnce`
      select ${columns} from gateway_account where reseller_id = ${resellerId} and is_active`);
  }

  /** A gateway as people call it; one that this program does not have is called as it is stored. */
  nameOf(gateway: string): string {
    return this.#moduleOf(gateway)?.manifest.displayName ?? gateway;
  }

  #moduleOf(gateway: string | undefined): GatewayModule | undefined {
    return this.#deps.modules.find((module) => module.manifest.id === gateway);
  }

  #openRow(row: AccountRow): Promise<GatewayAccount | undefined> {
    const known = this.#open.get(row.id);
    if (known?.fingerprint === row.fingerprint) return known.opened;
    const opened = this.#build(row);
    this.#open.set(row.id, { fingerprint: row.fingerprint, opened });
    this.#checks.delete(row.id);
    // What failed is tried again by the next one who asks.
    opened.catch(() => {
      if (this.#open.get(row.id)?.opened === opened) this.#open.delete(row.id);
    });
    return opened;
  }

  async #openRows(rows: readonly AccountRow[]): Promise<GatewayAccount[]> {
    const opened = await Promise.all(rows.map((row) => this.#openRow(row)));
    return opened.filter((account) => account !== undefined);
  }

  async #build(row: AccountRow): Promise<GatewayAccount | undefined> {
    const module = this.#moduleOf(row.gateway);
    if (module === undefined) return undefined;
    const { log, clock, secrets, addresses: overrides } = this.#deps;
    const addresses = resolveAddresses(module.manifest, overrides);
    const sealed: unknown = row.secrets === null ? {} : JSON.parse(secrets.open(row.secrets, row.id));
    const settings = { ...row.config, ...(typeof sealed === 'object' ? sealed : {}) };
    const fetch = tracedFetch(row.gateway);
    const opened: OpenGateway = await openGateway(module, settings, {
      addresses,
      clock,
      log,
      ...(fetch === undefined ? {} : { fetch }),
    });
    if (opened.is === 'misconfigured') {
      log.warn(
        { account: row.id, gateway: row.gateway, faults: opened.faults },
        'gateway settings do not fit',
      );
      return undefined;
    }
    return {
      id: row.id,
      resellerId: row.reseller_id,
      module,
      gateway: traceGateway(row.gateway, opened.gateway),
      publicConfig: opened.publicConfig,
      entries: opened.entries,
      csp: cspOrigins(module.manifest, addresses),
    };
  }
}
