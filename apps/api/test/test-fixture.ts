import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { LookupStrategy } from '@counterfoil/gateways/port/gateway.ts';
import { type FakeClock, fakeClock } from '@counterfoil/testing/clock.ts';
import { type TestDatabase, useDatabase } from '@counterfoil/testing/database.ts';
import {
  type CustomerSeed,
  type Factories,
  factories,
  type InvoiceSeed,
  type ResellerSeed,
} from '@counterfoil/testing/factories.ts';
import pino, { type Logger } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type BuiltApp, buildApp } from '../src/build-app.ts';
import { readConfig } from '../src/config.ts';
import { Database } from '../src/db/database.ts';
import type { Deps } from '../src/deps.ts';
import { createPayLink } from '../src/features/pay-links/service.ts';
import { receiveMethodEvent } from '../src/features/payment-methods/events-service.ts';
import { followUpEvents } from '../src/features/payments/webhooks/follow-up.ts';
import type { FollowUpDeps } from '../src/features/payments/webhooks/follow-up-event.ts';
import { gatewayAccounts } from '../src/gateway-accounts.ts';
import { createSecrets } from '../src/secrets.ts';
import { type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts';

/** The whole server over a database of the test file's own, with a clock and a gateway that obey the test. */
export interface TestFixture {
  readonly deps: Deps;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  readonly gateway: ScriptedGateway;
  readonly make: Factories;
  /** The engine's own view, for the reconciler. */
  readonly engine: FollowUpDeps;
  readonly app: BuiltApp['app'];
  /** Waits until the server has followed up the webhooks it took, then tries once more what is due by the clock. */
  eventsFollowed(): Promise<void>;
  /** A reseller with brand, gateway account and one customer. */
  seedPayer(
    settings?: Readonly<Record<string, unknown>>,
  ): Promise<{ reseller: ResellerSeed; customer: CustomerSeed; accountId: string }>;
  /** An invoice of that customer with its pay link. */
  seedPayable(
    customer: Pick<CustomerSeed, 'id' | 'resellerId'>,
    over?: Partial<InvoiceSeed>,
  ): Promise<InvoiceSeed & { token: string }>;
}

export interface FixtureOptions {
  /** Stands still at the test clock's first moment unless given. */
  readonly clock?: FakeClock;
  /** One that the test brings, ready before this fixture; else a fresh one of the common server. */
  readonly database?: TestDatabase;
  /** Gateways beside the scripted one. */
  readonly modules?: readonly GatewayModule[];
  /** Settings beside the fixture's own, asked for when it is built. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly log?: Logger;
  /** Folder of a built portal, asked for when the fixture is built; else that of this checkout, if it was built. */
  readonly dist?: () => string;
  /** How the scripted gateway is asked. */
  readonly plans?: readonly LookupStrategy[];
  /** The longest a statement may take, milliseconds (10,000). */
  readonly statementTimeoutMs?: number;
  /** The longest wait for a charge's answer, milliseconds. */
  readonly callWithinMs?: number;
}

export function useFixture(options: FixtureOptions = {}): TestFixture {
  const database = options.database ?? useDatabase();
  const clock = options.clock ?? fakeClock();
  const gateway = scriptedGateway(options.plans);
  const modules = [gateway.module, ...(options.modules ?? [])];
  const { callWithinMs } = options;
  const late: { deps?: Deps; built?: BuiltApp; make?: Factories } = {};
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the fixture exists in hooks and tests only');
    return value;
  };

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'counterfoil-'));
    const secretKey = randomBytes(32).toString('hex');
    const own = { DATA_DIR: dataDir, DATABASE_URL: database.url, SECRET_KEY: secretKey };
    const config = readConfig({ ...own, ...options.env?.() });
    const pool = (name: string) =>
      new Database({
        url: database.url,
        name,
        max: 8,
        statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
      });
    late.deps = {
      config,
      clock,
      secrets: createSecrets(secretKey),
      log: options.log ?? pino({ level: 'silent' }),
      databases: { web: pool('web'), exports: pool('exports'), jobs: pool('jobs') },
    };
    late.built = await buildApp(late.deps, {
      modules,
      stock: { readEveryMs: 0 },
      ...(options.dist === undefined ? {} : { dist: options.dist() }),
      ...(callWithinMs === undefined ? {} : { callWithinMs }),
    });
    await late.built.app.ready();
    late.make = factories(database.pool());
  });
  afterAll(async () => {
    await late.built?.app.close();
    if (late.deps === undefined) return;
    const { web, exports, jobs } = late.deps.databases;
    await Promise.all([web.end(), exports.end(), jobs.end()]);
  });

  const engine = (): FollowUpDeps => {
    const deps = get(late.deps);
    const { secrets, log } = deps;
    return {
      db: deps.databases.jobs,
      clock,
      secrets,
      log,
      accounts: gatewayAccounts(deps, modules),
      receiveMethodEvent,
    };
  };

  return {
    database,
    clock,
    gateway,
    get deps() {
      return get(late.deps);
    },
    get make() {
      return get(late.make);
    },
    get app() {
      return get(late.built).app;
    },
    get engine() {
      return engine();
    },
    async eventsFollowed() {
      await get(late.built).events.idle();
      await followUpEvents(engine());
    },
    async seedPayer(settings) {
      const make = get(late.make);
      const base = { billingAddressRequired: false, cardHolderRequired: false };
      const reseller = await make.reseller({ settings: { ...base, ...settings } });
      const customer = await make.customer({ resellerId: reseller.id, brandId: reseller.brandId });
      const accountId = randomUUID();
      await database
        .pool()
        .query(
          "insert into gateway_account (id, reseller_id, gateway, config) values ($1, $2, 'scripted', $3)",
          [accountId, reseller.id, JSON.stringify({ key: 'k' })],
        );
      return { reseller, customer, accountId };
    },
    async seedPayable(customer, over = {}) {
      const invoice = await get(late.make).invoice({
        customerId: customer.id,
        resellerId: customer.resellerId,
        ...over,
      });
      const { databases, secrets } = get(late.deps);
      const link = { customerId: customer.id, invoiceId: invoice.id, dueOn: invoice.dueOn, now: clock.now() };
      const token = await databases.web.transaction((tx) => createPayLink(tx, secrets, link));
      return { ...invoice, token };
    },
  };
}
