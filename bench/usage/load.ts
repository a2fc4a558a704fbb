import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { processorTimes } from '../signin/processor-time.ts';
import { peakMib } from '../support/memory.ts';
import type { UsageData } from './data/open.ts';
import type { Load, LoadResult } from './load-process.ts';
import { PAGE_SIZE, pathOf } from './pages/cases.ts';
import { look, sit } from './pages/measure.ts';
import type { Place } from './pages/places.ts';
import type { PageStage } from './pages/run.ts';
import { grouped, ms, print, say } from './report.ts';
import { GOLDEN } from './unread.ts';

const CONNECTIONS = 16;
const LOAD_MS = 10_000;
const LEAST_PER_SECOND = 1_250;
/** Of pages that nobody has read before. */
const LEAST_UNREAD_PER_SECOND = 1_000;
/** More than are read in that time. */
const MOST_UNREAD = 30_000;
const MOST_MIB = 300;

/**
 * Pages a second of all lists in turn, with 16 people at once: the same ones again and again, beside what the bare server comes
 * to, and then each page once, which nobody has read before.
 */
export async function runLoad({ data, places, product, bare }: PageStage): Promise<void> {
  const signedIn = async () => ({
    port: product.port,
    token: await product.signIn(),
    connections: CONNECTIONS,
  });
  const again = {
    ...(await signedIn()),
    paths: mixed(places.map((place) => pathOf(place.case, place.page))),
  };
  const theirs = { port: bare.port, connections: CONNECTIONS, paths: mixed(places.map((_, n) => `/${n}`)) };
  // What is sampled and remembered at the first look is measured by itself (first deep pages).
  for (const load of [again, theirs]) await lookOnce(load);
  const reached = await runWatched(data.url, product.pid, { ...again, ms: LOAD_MS });
  const unread = await runWatched(data.url, product.pid, {
    ...(await signedIn()),
    paths: unreadPaths(places),
    isOnce: true,
    ms: LOAD_MS,
  });
  const best = await runWatched(data.url, bare.pid, { ...theirs, ms: LOAD_MS });
  const kinds = `pages of ${places.length} kinds`;
  report(data, { what: kinds, least: LEAST_PER_SECOND }, reached, best);
  report(data, { what: 'pages never read', least: LEAST_UNREAD_PER_SECOND }, unread, best);
  print({
    figure: 'most memory of the server',
    value: peakMib(product.pid),
    unit: 'MiB',
    limit: MOST_MIB,
    isMost: true,
  });
}

type Watched = LoadResult & { readonly cpuMs: number };

function report(
  { records }: UsageData,
  { what, least }: { readonly what: string; readonly least: number },
  reached: Watched,
  best: Watched,
): void {
  for (const [name, { perSecond, p50, p99, cpuMs, failed }] of [
    [`ours, ${what}`, reached],
    ['best SQL', best],
  ] as const)
    say(
      `${name}: ${Math.round(perSecond)} pages/s, p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, processor ${ms(cpuMs)} ms, ${failed} failed`,
    );
  const figure = `${grouped(records)} records: ${what}, ${CONNECTIONS} connections`;
  print({ figure, value: reached.perSecond, unit: '1/s', limit: least });
  print({
    figure: `${figure}, limit: half of what the best SQL behind a bare server reaches`,
    value: reached.perSecond,
    unit: '1/s',
    limit: best.perSecond / 2,
  });
  const processor = `${figure}, processor time of a page with its database`;
  print({
    figure: `${processor}, limit: that of all cores for ${grouped(least)}/s`,
    value: reached.cpuMs,
    unit: 'ms',
    limit: (1_000 * cpus().length) / least,
    isMost: true,
  });
  print({
    figure: `${processor}, limit: twice that of the best SQL`,
    value: reached.cpuMs,
    unit: 'ms',
    limit: 2 * best.cpuMs,
    isMost: true,
  });
  print({ figure: `${figure}: refused`, value: reached.failed, unit: 'pages', limit: 1, isMost: true });
}

/** Pages of all lists in turn, each once; of short lists until they are at an end. */
function unreadPaths(places: readonly Place[]): string[] {
  const read = new Set(places.map((place) => pathOf(place.case, place.page)));
  const lists = new Map(places.map((place) => [place.case.name, place]));
  const paths = new Set<string>();
  for (let n = 1; paths.size < MOST_UNREAD && n < MOST_UNREAD; n += 1)
    for (const { case: list, expected } of lists.values()) {
      const share = n * GOLDEN;
      const pages = Math.floor(expected.totalCount / PAGE_SIZE);
      const path = pathOf(list, 1 + Math.floor((share - Math.floor(share)) * pages));
      if (!read.has(path)) paths.add(path);
    }
  return [...paths];
}

/** With the processor time of a page, which leaves out what other programs and the load itself take of the cores. */
async function runWatched(url: string, serverPid: number, load: Load): Promise<Watched> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const times = () => processorTimes(serverPid, rows[0]?.pid ?? 0);
    const before = times();
    const result = await run(load);
    // Processes that ended meanwhile are left out: what they used before is none of ours.
    const used = [...times()].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
    return { ...result, cpuMs: used / Math.max(1, result.count) };
  } finally {
    await client.end();
  }
}

async function lookOnce({ port, token, paths }: Omit<Load, 'ms'>): Promise<void> {
  const seat = await sit(port, token);
  for (const path of paths) await look(seat, path);
  seat.connection.close();
}

/** Every so-manieth in turn, so that expensive ones do not stand together. */
const mixed = (paths: readonly string[]): string[] =>
  paths.map((_, n) => paths[(n * 17) % paths.length] ?? '').filter((path) => path !== '');

async function run(load: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  try {
    const file = join(folder, 'load.json');
    await writeFile(file, JSON.stringify(load));
    const child = spawn(process.execPath, [join(import.meta.dirname, 'load-process.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: load.ms + 30_000,
    });
    const ended = once(child, 'exit');
    const output = await text(child.stdout);
    const [code] = await ended;
    if (code !== 0) throw new Error(`the load ended with ${code}`);
    return JSON.parse(output) as LoadResult;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
