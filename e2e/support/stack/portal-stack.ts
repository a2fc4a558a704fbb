import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressSetting } from '@counterfoil/gateways/port/addresses.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { attachOrStart } from '@counterfoil/postgres/server.ts';
import { dropAt, inDatabase, makeClusterDatabase, runAt } from '@counterfoil/testing/machines.ts';
import { demoWebhooks } from '../../../apps/api/src/demo/gateways.ts';
import { Balancer } from './balancer.ts';
import { type Child, runCommand, SERVER, startChild } from './child.ts';

const SERVERS = ['serve-1', 'serve-2'] as const;
const QUIET_WITHIN_MS = 20_000;

/** What the tests know of a running stack. */
export interface StackFacts {
  /** `http://localhost:<port>`: through the balancer, the first demo brand. */
  readonly url: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly secretKey: string;
  /** Everything the stack writes lies below: data, outbox, logs, the sandbox's journal. */
  readonly folder: string;
  readonly dataDir: string;
  readonly sandboxUrl: string;
  /** Settings of its processes; commands run with them work on the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** `counterfoil demo --json`; null where the stack has no demo world. */
  readonly demo: string | null;
}

export interface StackOptions {
  /** An empty folder of the stack's own. */
  readonly folder: string;
  /** Where neither is given: the embedded PostgreSQL. */
  readonly externalServer?: string | undefined;
  /** The coordinator of a Citus cluster, as `CITUS_URL`: tables are spread over it before anything is written. */
  readonly cluster?: string | undefined;
  readonly hasDemo: boolean;
}

/**
 * The product as a provider runs it: PostgreSQL, two `serve` behind a load balancer, one `work`, and the gateway
 * sandbox, with the demo world. Processes can be killed and started again.
 */
export class PortalStack {
  readonly facts: StackFacts;
  readonly #balancer: Balancer;
  readonly #children: Map<string, Child>;
  readonly #env: Readonly<Record<string, string>>;
  readonly #after: readonly (() => Promise<unknown>)[];

  private constructor(
    facts: StackFacts,
    balancer: Balancer,
    children: Map<string, Child>,
    env: Readonly<Record<string, string>>,
    after: readonly (() => Promise<unknown>)[],
  ) {
    this.facts = facts;
    this.#balancer = balancer;
    this.#children = children;
    this.#env = env;
    this.#after = after;
  }

  /** @throws {Error} when a part does not start; what had started is ended */
  static async start({ folder, hasDemo, ...place }: StackOptions): Promise<PortalStack> {
    const after: (() => Promise<unknown>)[] = [];
    try {
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir, { recursive: true });
      chmodSync(folder, 0o711); // the database's account must pass
      const secretKey = randomBytes(32).toString('base64url');
      const database = await openDatabase({ DATA_DIR: dataDir, SECRET_KEY: secretKey }, place);
      after.unshift(database.end);
      const balancer = new Balancer();
      const port = await balancer.listen();
      after.unshift(() => balancer.close());
      const sandbox = await startSandbox(folder, dataDir, port);
      after.unshift(() => sandbox.stop());
      const { sandbox: sandboxUrl } = JSON.parse(sandbox.readyLine) as { sandbox: string };
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        SECRET_KEY: secretKey,
        PUBLIC_URL: `http://localhost:${port}`,
        ...Object.fromEntries(gatewayModules.map(({ manifest }) => [addressSetting(manifest), sandboxUrl])),
        RECONCILE_INTERVAL_MS: '400',
        TRUST_PROXY: '1',
        // Receivers of tests are on this machine.
        WEBHOOKS_ALLOW_PRIVATE: '1',
        DEMO: hasDemo ? '1' : '0',
        PORT: '0',
      };
      const demo = hasDemo ? await makeDemo(env) : null;
      const url = env.PUBLIC_URL;
      const children = new Map<string, Child>();
      const places = { url, port, databaseUrl: database.url, folder, dataDir, sandboxUrl };
      const facts = { ...places, secretKey, env, demo };
      const stack = new PortalStack(facts, balancer, children, env, after);
      after.unshift(() => Promise.all([...children.values()].map((child) => child.stop())));
      await Promise.all([...SERVERS.map((name) => stack.#startServer(name)), stack.#startWorker()]);
      return stack;
    } catch (error) {
      for (const end of after) await end().catch(() => undefined);
      throw error;
    }
  }

  #log = (name: string): string => join(this.facts.folder, 'logs', `${name}.log`);

  async #startServer(name: string): Promise<void> {
    const child = await startChild({
      name,
      command: [SERVER, 'serve', '--json'],
      env: this.#env,
      logFile: this.#log(name),
      ready: /^\{"ready"/,
    });
    this.#children.set(name, child);
    const { listening } = JSON.parse(child.readyLine) as { listening: string };
    this.#balancer.set(name, Number(new URL(listening).port));
  }

  async #startWorker(): Promise<void> {
    const options = { name: 'work', command: [SERVER, 'work'], env: this.#env, ready: /^working/ };
    this.#children.set('work', await startChild({ ...options, logFile: this.#log('work') }));
  }

  /** Names of the processes that live. */
  alive(): string[] {
    return [...this.#children.values()].filter((child) => child.isAlive()).map(({ name }) => name);
  }

  /**
   * Kills the server (`kill -9`) that works on a writing request with this path and text in its body, at a moment
   * when it works on no other one: those belong to other tests.
   * @returns the name of the killed server
   * @throws {Error} when no such request is under way within 20 s
   */
  async killWhile(path: string, contains: string): Promise<string> {
    for (const end = Date.now() + QUIET_WITHIN_MS; Date.now() < end; await sleep(2)) {
      const [name] = this.#balancer.busyWith((one, body) => one === path && body.includes(contains));
      if (name === undefined || this.#balancer.writesAt(name) !== 1) continue;
      await this.#children.get(name)?.kill();
      return name;
    }
    throw new Error(`no server worked on ${path} with ${contains}`);
  }

  /** Starts what has been killed. */
  async revive(): Promise<void> {
    const dead = SERVERS.filter((name) => this.#children.get(name)?.isAlive() !== true);
    await Promise.all(dead.map((name) => this.#startServer(name)));
  }

  async stop(): Promise<void> {
    for (const end of this.#after) await end().catch(() => undefined);
  }
}

async function makeDemo(env: Readonly<Record<string, string>>): Promise<string> {
  const made = await runCommand(['demo', '--json'], env);
  if (made.code !== 0) throw new Error(`the demo world could not be made:\n${made.err}`);
  return made.out;
}

async function openDatabase(
  env: { readonly DATA_DIR: string; readonly SECRET_KEY: string },
  { externalServer, cluster }: Omit<StackOptions, 'folder' | 'hasDemo'>,
): Promise<{ url: string; end: () => Promise<unknown> }> {
  if (cluster) {
    const steps = {
      migrate: onDatabase(['migrate'], env),
      distribute: onDatabase(['db', 'distribute'], env),
    };
    const { url, drop } = await makeClusterDatabase(cluster, steps);
    return { url, end: drop };
  }
  if (externalServer === undefined) {
    const server = await attachOrStart({ dataDir: env.DATA_DIR, durable: false });
    return { url: server.url, end: () => server.stop() };
  }
  const name = `counterfoil_e2e_${randomBytes(6).toString('hex')}`;
  await runAt(externalServer, `create database ${name}`);
  return { url: inDatabase(externalServer, name), end: () => dropAt([externalServer], name) };
}

const onDatabase =
  (command: readonly string[], env: Readonly<Record<string, string>>) => async (url: string) => {
    const { code, err } = await runCommand(command, { ...env, DATABASE_URL: url });
    if (code !== 0) throw new Error(`counterfoil ${command.join(' ')} failed:\n${err}`);
  };

const startSandbox = (folder: string, dataDir: string, port: number): Promise<Child> =>
  startChild({
    name: 'sandbox',
    command: ['apps/sandbox/src/main.ts'],
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_DIR: join(dataDir, 'sandbox'),
      SANDBOX_WEBHOOKS: JSON.stringify(demoWebhooks(`http://127.0.0.1:${port}`)),
    },
    logFile: join(folder, 'logs', 'sandbox.log'),
    ready: /^\{"sandbox"/,
  });
