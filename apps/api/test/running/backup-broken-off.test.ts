import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { childEnv } from '@counterfoil/testing/child-env.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { useStorage } from '../fixtures/s3-server.ts';
import { PROVES } from '../simulation/seeded.ts';

/** Backups and restorations whose process is killed or whose disk fills up: what is left is never taken for whole. */
const MAIN = join(import.meta.dirname, '../../src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'broken-off-'));
const database = useDatabase();
const storage = useStorage();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of util-linux. */
const UNSHARE = 'unshare';

const RESELLERS = 120;
/** Where the command is killed: when so many bytes are in the draft. */
const KILLED_AT = PROVES ? [0, 1, 100_000, 1_000_000, 2_000_000, 3_000_000, 4_000_000] : [1_000_000];

const place = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};

/** Settings of an installation; the key is that of all of them. */
const env = (name: string, url = database.url, more: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: url,
  SECRET_KEY: 'broken-off'.repeat(4),
  DATA_DIR: place(`data-${name}`),
  DEMO: '0',
  ...more,
});

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

async function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const begin = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [MAIN, ...args], { env: { ...childEnv(), ...settings }, stdio: 'pipe' });
const counterfoil = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
  ended(begin(args, settings));

/** The same with a file system of 2 MB at a folder, which ends with the command; and what is in it then. */
const onSmallDisk = (at: string, args: readonly string[], settings: Readonly<Record<string, string>>) => {
  const script =
    'mount -t tmpfs -o size=2m tmpfs "$1" || exit 77; at="$1"; shift; "$@"; code=$?; echo "left: $(ls -A "$at")"; exit $code';
  const command = ['-m', 'sh', '-c', script, 'sh', at, process.execPath, MAIN, ...args];
  const isRoot = process.getuid?.() === 0;
  return ended(
    spawn(UNSHARE, isRoot ? command : ['-r', ...command], {
      env: { ...childEnv(), ...settings },
      stdio: 'pipe',
    }),
  );
};

beforeAll(async () => {
  // Some megabytes that do not pack well.
  await database.pool().query(
    `insert into reseller (id, name, settings)
     select 90000 + n, 'R' || n, jsonb_build_object('ballast',
            (select string_agg(md5(random()::text), '') from generate_series(1, 2000) where n > 0))
       from generate_series(1, ${RESELLERS}) n`,
  );
  // The first command of an installation keeps what tells its key.
  expect((await counterfoil(['doctor', '--json'], env('source'))).text).toContain('findings');
});

it.each(KILLED_AT)('a backup killed at %d bytes has no name and is not taken for one', async (bytes) => {
  const to = place(`killed-${bytes}`);
  const child = begin(['backup', '--to', `${to}/`], env('source'));
  const end = ended(child);
  const draft = () => readdirSync(to).find((name) => name.endsWith('.part'));
  while (child.exitCode === null) {
    const name = draft();
    if (name !== undefined && statSync(join(to, name)).size >= bytes) break;
    await sleep(2);
  }
  child.kill('SIGKILL');
  expect((await end).code).toBeNull();
  const left = readdirSync(to);
  expect(left).toEqual([expect.stringMatching(/^\.counterfoil-backup-.+\.part$/)]);
  const path = join(to, left[0] ?? '');
  for (const args of [
    ['backup', 'verify', path],
    ['restore', path],
  ]) {
    const told = await counterfoil(args, env('other', await database.emptyBeside()));
    expect(told.code).toBe(1);
    expect(told.text).not.toContain('a fault of the program');
  }
});

it('a backup onto a disk that is full says so, ends with 1 and leaves nothing', async () => {
  const at = place('small');
  const { code, text } = await onSmallDisk(at, ['backup', '--to', `${at}/`], env('source'));
  expect(text).toContain(`cannot use ${at}: its disk is full`);
  expect(text).toMatch(/^left: $/m);
  expect(text).not.toContain('a fault of the program');
  expect(code).toBe(1);
});

describe('a backup with files of a bucket', () => {
  const key = 'reports/large.csv';
  const content = Buffer.alloc(5_000_000, 'a line of a report\n');
  const to = join(place('whole'), 'one.tar');
  const storeOf = (prefix: string) =>
    openFileStore(new URL(storage.env(prefix)['FILES_URL'] ?? ''), storage.settings);

  beforeAll(async () => {
    await storeOf('source').write(key, Readable.from([content]));
    const made = await counterfoil(
      ['backup', '--to', to],
      env('bucket', database.url, storage.env('source')),
    );
    expect(made).toMatchObject({ code: 0 });
  });

  it('is put back into another bucket', async () => {
    const back = env('back', await database.emptyBeside(), storage.env('back'));
    expect(await counterfoil(['restore', to], back)).toMatchObject({ code: 0 });
    const stored = await storeOf('back').read(key);
    expect(stored && (await buffer(stored.content)).equals(content)).toBe(true);
  });

  it('that finds no room for the files says so, lets nothing start, and is begun again', async () => {
    const at = place('files-small');
    const target = env('room', await database.emptyBeside(), { FILES_URL: pathToFileURL(`${at}/`).href });
    const { code, text } = await onSmallDisk(at, ['restore', to], target);
    expect(text).toContain('its disk is full');
    expect(text).not.toContain('a fault of the program');
    expect(code).toBe(1);
    const begun = await counterfoil(['serve'], { ...target, PORT: '0' });
    expect(begun.text).toMatch(/restor/);
    expect(begun.code).toBe(1);
    expect(await counterfoil(['restore', to], target)).toMatchObject({ code: 0 });
    expect(statSync(join(at, key)).size).toBe(content.length);
  });
});
