import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '@counterfoil/testing/child-env.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { keepKeyCheck } from '../../src/key-check.ts';
import { createSecrets } from '../../src/secrets.ts';
import { badClusters, badDatabases } from '../fixtures/trouble/bad-databases.ts';
import { badMachines } from '../fixtures/trouble/bad-machines.ts';
import type { BadWorld, Place } from '../fixtures/trouble/bad-worlds.ts';
import { whyNoSmallDisk } from '../fixtures/trouble/small-disk.ts';
import { serverMain } from '../processes/server-main.ts';

/**
 * The real program in worlds in which it cannot start: it ends with 1 and one line, without a stack, and nothing of it
 * goes on. No world gets as far as its database being changed.
 */
const ROOT = join(import.meta.dirname, '../../../..');
const KEY = 'a'.repeat(32);
/** Of util-linux. */
const SETPRIV = 'setpriv';
/** Far beyond what a start takes: who is not done by then hangs. */
const LIMIT_MS = 120_000;
const database = useDatabase();
let folder: string;
let tidy: (() => unknown)[] = [];

beforeAll(async () => {
  const db = new Database({ url: database.url, name: 'key', max: 1, statementTimeoutMs: 20_000 });
  expect(await keepKeyCheck(db, createSecrets(KEY))).toBe('fits');
  await db.end();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bad-world-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  for (const one of tidy.reverse()) await one();
  tidy = [];
  rmSync(folder, { recursive: true, force: true });
});

const place = (): Place => ({
  folder,
  database,
  after: (one) => tidy.push(one),
  address({ role, database: name }) {
    const url = new URL(database.url);
    // By the port: at the socket there is no password.
    url.search = '';
    if (role !== undefined) [url.username, url.password] = [role, 'right'];
    if (name !== undefined) url.pathname = `/${name}`;
    return url.href;
  },
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(world: BadWorld): Promise<Ended> {
  const env = {
    ...childEnv(),
    WEB_DIST: fakePortal(),
    DATABASE_URL: place().address({}),
    SECRET_KEY: KEY,
    DEMO: '0',
    PORT: '0',
    SANDBOX_PORT: '0',
    DATA_DIR: join(folder, 'data-of-its-own'),
    TEST_FOLDER: folder,
    ...(await world.make(place())),
  };
  const program = [process.execPath, join(ROOT, serverMain()), ...world.command.split(' ')];
  const [command = '', ...args] =
    world.before === undefined
      ? program
      : ['sh', '-c', world.before, 'sh', ...(world.before.includes('$1') ? [folder] : []), ...program];
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, ...said };
}

/** Processes that were told of this world's folder, by their settings or arguments. */
const left = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['environ', 'cmdline'].some((file) => readProc(pid, file).includes(folder)));

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Why a world cannot be made on this machine; undefined where it can. */
function whyNot({ before }: BadWorld): string | undefined {
  if (before === undefined) return undefined;
  if (before.includes('unshare')) return process.getuid?.() === 0 ? whyNoSmallDisk() : 'only root may mount';
  return process.getuid?.() !== 0 || spawnSync(SETPRIV, ['--version']).status === 0
    ? undefined
    : 'there is no setpriv';
}

describe('a world in which the program cannot start', () => {
  for (const world of [...badMachines, ...badDatabases, ...badClusters]) {
    const why = whyNot(world);
    it.skipIf(why !== undefined)(
      `${world.name}${why === undefined ? '' : ` (not here: ${why})`}`,
      async () => {
        const { code, out, err } = await run(world);
        const lines = err.split('\n').filter((line) => line !== '' && !line.startsWith('{"level"'));
        expect({ lines: lines.length, err }).toEqual({ lines: 1, err });
        const [line = ''] = lines;
        const name = `counterfoil ${world.command}: `;
        expect(line.startsWith(name), line).toBe(true);
        expect(line.slice(name.length)).toMatch(world.says);
        expect(code).toBe(1);
        expect(err + out).not.toMatch(/^\s+at |s3cret/m);
        expect(out).not.toMatch(/^(ready|working)/m);
        await expect.poll(left).toEqual([]);
      },
      LIMIT_MS + 30_000,
    );
  }
});
