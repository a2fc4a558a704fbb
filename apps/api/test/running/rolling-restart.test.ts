import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { type Asking, operationsFixture } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { killedFixture } from '../fixtures/paying/gateways/killed-fixture.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { type ServerTree, startTree } from '../fixtures/trouble/server-tree.ts';
import { faultRun } from '../processes/fault-runs.ts';
import { PROVES } from '../simulation/seeded.ts';

/**
 * Two servers over one database are restarted in turn, back to back, and in one of the ways two workers with them, while payers and
 * readers go on: none of them meets a broken connection or a refusal. A payment is never sent twice by whoever stands between, as proxies do not either.
 */
const RESTARTS = PROVES ? 20 : 2;
const PAYMENTS = PROVES ? 200 : 24;
const READERS = 6;
const PAUSE_MS = 3_000;
const POLL_EVERY_MS = 250;

const sandbox = useSandboxFixture();
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const killed = killedFixture(sandbox, run, 0);

beforeAll(() => sandbox.control('DELETE', 'webhooks'));

/** A server as one who sends requests to it sees it: connections are kept where it lets them be. */
class Backend {
  isReady = true;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 20 });
  readonly url: string;
  readonly tree: ServerTree;

  constructor(tree: ServerTree) {
    this.url = tree.url;
    this.tree = tree;
  }

  /** @returns the status. @throws what broke; `ECONNREFUSED` where nothing was sent */
  async send(path: string, asking?: Asking): Promise<number> {
    const body = asking && JSON.stringify(asking.body);
    const headers = body === undefined ? {} : { 'content-type': 'application/json', ...asking?.headers };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    ask(`${this.url}${path}`, { agent: this.#agent, method: body === undefined ? 'GET' : 'POST', headers })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
    const answer = await promise;
    const told = await text(answer);
    if (asking !== undefined) expect(told).toContain('succeeded');
    return answer.statusCode ?? 0;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** How a request finds a server that takes it. */
interface Way {
  readonly name: string;
  /** How many workers are restarted with the servers: they have nothing to do with how a request finds its server. */
  readonly workers: 0 | 2;
  send(backends: readonly Backend[], turn: number, path: string, asking?: Asking): Promise<number>;
}

const inTurn = (backends: readonly Backend[], turn: number): Backend => {
  const chosen = backends[turn % backends.length];
  if (chosen === undefined) throw new Error('no server is ready');
  return chosen;
};

const ways: readonly Way[] = [
  {
    name: 'a balancer that asks /readyz, and tries nothing twice',
    workers: 2,
    send: (backends, turn, path, asking) =>
      inTurn(
        backends.filter(({ isReady }) => isReady),
        turn,
      ).send(path, asking),
  },
  {
    name: 'clients that keep connections, and go on to the other server only where nobody listens',
    workers: 0,
    async send(backends, turn, path, asking) {
      try {
        return await inTurn(backends, turn).send(path, asking);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
        return inTurn(backends, turn + 1).send(path, asking);
      }
    },
  },
];

const start = async () =>
  new Backend(
    await startTree('serve', { ...killed.env(), STOP_PAUSE_MS: String(PAUSE_MS), TRUST_PROXY: '1' }),
  );

const startWorker = () => startTree('work', { ...killed.env(), STOP_PAUSE_MS: '0', WORK_PORT: '0' });

it.each(ways)(
  '$name',
  async ({ send, workers: workerCount }) => {
    const payments: Asking[] = [];
    for (let n = 0; n < PAYMENTS; n += 1) {
      const { request } = await operations.publicPay(cards.good);
      // Each payer from an address of their own: limits are of another test.
      payments.push({ ...request, headers: { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` } });
    }
    const [brand] = await run.rows<{ host: string }>('select host from brand_host limit 1');
    const page = `/v1/brands-settings?d=${brand?.host}`;
    const backends = await Promise.all([start(), start()]);
    const workers = await Promise.all(Array.from({ length: workerCount }, startWorker));
    let isOver = false;
    let turn = 0;
    const answers: Record<string, number> = {};
    const count = async (what: string, sent: Promise<number>) => {
      const told = await sent.catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
      answers[`${what} ${told}`] = (answers[`${what} ${told}`] ?? 0) + 1;
    };
    const poll = async (backend: Backend) => {
      backend.isReady = (await backend.send('/readyz').catch(() => 0)) === 200;
    };
    const others = [
      (async () => {
        while (!isOver) {
          await Promise.all(backends.map(poll));
          await sleep(POLL_EVERY_MS);
        }
      })(),
      ...Array.from({ length: READERS }, async () => {
        while (!isOver) {
          await count('GET', send(backends, turn++, page));
          await sleep(10);
        }
      }),
    ];
    /** Some payments at the very moment of each stop, the others in between. */
    const pay = async (n: number) => {
      await Promise.all(
        payments.splice(0, n).map((one) => count('POST', send(backends, turn++, one.path, one))),
      );
    };
    const each = Math.floor(PAYMENTS / RESTARTS / 3);
    try {
      for (let n = 0; n < RESTARTS; n += 1) {
        await pay(each);
        const at = n % 2;
        const old = backends[at];
        if (old === undefined) throw new Error('there are two');
        process.kill(old.tree.pid, 'SIGTERM');
        const paid = pay(each);
        expect(await old.tree.ended()).toEqual({ code: 0, signal: null });
        await paid;
        old.close();
        const fresh = await start();
        backends[at] = fresh;
        await poll(fresh);
        const worker = workers[at];
        if (worker === undefined) continue;
        process.kill(worker.pid, 'SIGTERM');
        expect(await worker.ended()).toEqual({ code: 0, signal: null });
        workers[at] = await startWorker();
      }
      await pay(payments.length);
    } finally {
      isOver = true;
      await Promise.all(others);
      for (const tree of [...backends.map((one) => one.tree), ...workers]) tree.kill();
    }
    process.stdout.write(
      `rolling restart: ${JSON.stringify({ restarts: RESTARTS, workers: workers.length, ...answers })}\n`,
    );
    expect(answers).toEqual({ 'GET 200': expect.any(Number), 'POST 200': PAYMENTS });
  },
  RESTARTS * 120_000,
);
