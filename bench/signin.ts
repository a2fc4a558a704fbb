import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { passwordFits } from '../apps/api/src/features/auth/passwords/passwords.ts';
import { Connection, type Request } from './signin/connection.ts';
import { PASSWORD, type Portal, startPortal, userName } from './signin/portal.ts';
import { median, printFigure, quantile } from './support/figure.ts';

/**
 * Signing in: whether time tells known from unknown accounts, how much of what the cores can hash becomes sign-ins
 * while others go on working, and what it costs to prove a session. Under a minute.
 */
const USERS = 600;
const PAIRS = 300;
const ROUNDS = 4;
const CAPACITY_MS = 1_500;
const STORM_MS = 3_000;
const STORM_CONNECTIONS = 32;
const OTHERS_EVERY_MS = 100;
const LOOKS = 400;
const SETTLE_MS = 1_500;
/** Of what the cores can hash, so much has to become sign-ins. */
const SHARE = 0.8;

const print = (figure: string, value: number, unit: string, limit: number, isMost = true): void =>
  printFigure({ bench: 'signin', figure, value: Math.max(value, 1e-6), unit, limit, isMost });

/** Everybody comes from an address of their own, as people do. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const signInOf = (username: string, password: string, from: string): Request => ({
  method: 'POST',
  path: '/token',
  from,
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams({
    client_id: 'counterfoil-portal',
    grant_type: 'password',
    username,
    password,
  }).toString(),
});
const resetOf = (email: string, from: string): Request => ({
  method: 'POST',
  path: '/v1/ec/password-reset-request',
  from,
  body: JSON.stringify({ email }),
});

/** The difference of the medians, in turn, so that both meet the same moments. */
async function timeDifference(
  connection: Connection,
  status: number,
  requestOf: (username: string, from: string) => Request,
): Promise<{ readonly difference: number; readonly known: number }> {
  const known: number[] = [];
  const unknown: number[] = [];
  const ask = async (username: string, n: number, into: number[]) => {
    const answer = await connection.send(requestOf(username, addressOf(n)));
    if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.body}`);
    into.push(answer.ms);
  };
  for (let n = 0; n < PAIRS; n += 1) {
    const asks = [
      () => ask(userName(n), 100_000 + n, known),
      () => ask(`nobody-${n}@bench.example`, 200_000 + n, unknown),
    ];
    for (const one of n % 2 === 0 ? asks : asks.reverse()) await one();
  }
  return { difference: Math.abs(median(known) - median(unknown)), known: median(known) };
}

/** So many a second, and processor milliseconds for each. */
interface Rate {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** Hashes with all cores and nothing else to do. */
async function capacity(passwordHash: string): Promise<Rate> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let count = 0;
  const core = async () => {
    while (performance.now() - start < CAPACITY_MS) {
      await passwordFits(passwordHash, PASSWORD);
      count += 1;
    }
  };
  await Promise.all(cpus().map(core));
  const used = process.cpuUsage(cpu);
  return {
    perSecond: (count * 1000) / (performance.now() - start),
    cpuMs: (used.user + used.system) / 1000 / count,
  };
}

let nextUser = 0;
/**
 * Sign-ins while people come as fast as they are let in, and what others wait meanwhile. As with the hashes, those
 * under way at the end are waited for, and count: what they took is in the time.
 */
async function storm(
  connections: readonly Connection[],
  other: Connection,
  token: string,
  waits: number[],
): Promise<Rate> {
  const cpuMs = portal.processorMs();
  const start = performance.now();
  const isOver = () => performance.now() - start >= STORM_MS;
  let count = 0;
  const person = async (connection: Connection) => {
    while (!isOver()) {
      const n = nextUser++ % USERS;
      const answer = await connection.send(signInOf(userName(n), PASSWORD, addressOf(300_000 + n)));
      if (answer.status !== 200) throw new Error(`a sign-in answered ${answer.status}: ${answer.body}`);
      count += 1;
    }
  };
  const others = async () => {
    while (!isOver()) {
      const { status, ms } = await other.send({ method: 'GET', path: '/v1/ec/invoices', token });
      if (status !== 200) throw new Error(`the list of invoices answered ${status}`);
      waits.push(ms);
      await sleep(Math.max(0, OTHERS_EVERY_MS - ms));
    }
  };
  await Promise.all([...connections.map(person), others()]);
  return {
    perSecond: (count * 1000) / (performance.now() - start),
    cpuMs: (portal.processorMs() - cpuMs) / count,
  };
}

/**
 * Committed transactions so far: a request that only reads has one for each query. A connection tells what it did
 * with the first statement after a second.
 */
async function transactions({ database }: Portal, connection: Connection, request: Request): Promise<number> {
  await sleep(SETTLE_MS);
  await connection.send(request);
  const { rows } = await database.query<{ count: number }>(
    'select xact_commit::integer as count from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

const portal = await startPortal(USERS);
const quiet = await Connection.open(portal.port);
const connections: Connection[] = [];
try {
  const signedIn = await quiet.send(signInOf(userName(0), PASSWORD, addressOf(1)));
  const { access_token: token } = JSON.parse(signedIn.body) as { access_token: string };
  const me: Request = { method: 'GET', path: '/v1/ec/me', token };
  for (let n = 0; n < 100; n += 1) await quiet.send(me);

  const before = await transactions(portal, quiet, me);
  const looks: number[] = [];
  for (let n = 0; n < LOOKS; n += 1) looks.push((await quiet.send(me)).ms);
  // The last look, and asking for the count, are transactions too.
  const queries = (await transactions(portal, quiet, me)) - before - 2;
  print('session and scope proven, and the customers listed, p50', median(looks), 'ms', 20);
  print('session and scope proven, and the customers listed, p95', quantile(looks, 0.95), 'ms', 50);
  print('queries of it: the proof is one, the list another', queries / LOOKS, 'queries', 2.01);

  const wrong = await timeDifference(quiet, 400, (username, from) => signInOf(username, 'wrong', from));
  print('known and unknown account: difference of the medians at sign-in', wrong.difference, 'ms', 5);
  const reset = await timeDifference(quiet, 204, resetOf);
  print('known and unknown account: difference of the medians at a reset', reset.difference, 'ms', 5);

  for (let n = 0; n < STORM_CONNECTIONS; n += 1) connections.push(await Connection.open(portal.port));
  const hashes: Rate[] = [];
  const signIns: Rate[] = [];
  const waits: number[] = [];
  await storm(connections, quiet, token, []);
  for (let round = 0; round < ROUNDS; round += 1) {
    hashes.push(await capacity(portal.passwordHash));
    signIns.push(await storm(connections, quiet, token, waits));
  }
  const middle = (rates: readonly Rate[], of: keyof Rate) => median(rates.map((rate) => rate[of]));
  const most = SHARE * middle(hashes, 'perSecond');
  const reached = middle(signIns, 'perSecond');
  print('sign-ins a second in a storm, limit: 0.8 of what the cores hash', reached, '1/s', most, false);
  // Leaves out what the load itself and other programs take of the cores.
  const share = middle(hashes, 'cpuMs') / middle(signIns, 'cpuMs');
  print('hashing, of the processor time of a sign-in with its database', share, 'of 1', SHARE, false);
  print('other requests in the storm, p95', quantile(waits, 0.95), 'ms', 200);
} finally {
  for (const connection of [...connections, quiet]) connection.close();
  await portal.stop();
}
