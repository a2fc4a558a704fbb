import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseAccount } from '@counterfoil/postgres/account.ts';
import { freePort } from '@counterfoil/testing/ports.ts';
import pg from 'pg';

const INSTALLED = '/usr/lib/postgresql';
const OLDEST = 15;
const START_WITHIN_MS = 30_000;

/** A PostgreSQL of this machine, not ours. */
export interface ExternalServer {
  readonly version: number;
  /** Address of its `postgres` database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Programs of the oldest installed PostgreSQL that we promise to work with (15 or later), if there is one. */
export function installedPostgres(): { readonly bin: string; readonly version: number } | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  return readdirSync(INSTALLED)
    .map((name) => ({ bin: join(INSTALLED, name, 'bin'), version: Number(name) }))
    .filter(({ bin, version }) => version >= OLDEST && existsSync(join(bin, 'initdb')))
    .sort((a, b) => a.version - b.version)[0];
}

/**
 * Starts a throw-away cluster of the machine's own PostgreSQL. The server is led on a leash: it ends
 * when the pipe to this process closes.
 * @throws {Error} when it does not start
 */
export async function startExternal(bin: string, version: number, folder: string): Promise<ExternalServer> {
  const account = databaseAccount();
  const as = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  const data = join(folder, 'cluster');
  const passwordFile = join(folder, 'password');
  mkdirSync(folder, { recursive: true });
  writeFileSync(passwordFile, 'e2e\n');
  if (account !== undefined)
    for (const path of [folder, passwordFile]) chownSync(path, account.uid, account.gid);
  await run(join(bin, 'initdb'), [
    '--pgdata',
    data,
    '--username',
    'counterfoil',
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--no-sync',
  ]);
  const port = await freePort();
  const server = spawn(
    '/bin/sh',
    [
      '-c',
      // The watcher reads until the pipe closes and then ends the server, whose number is the shell's.
      '( { read -r _ <&3; kill -INT $$; } >/dev/null 2>&1 & ); exec "$@" 3<&-',
      'sh',
      join(bin, 'postgres'),
      '-D',
      data,
      '-p',
      String(port),
      '-k',
      folder,
      '-h',
      '127.0.0.1',
      '-c',
      'fsync=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
    ],
    { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: {} },
  );
  const leash = server.stdio[3] as Socket;
  leash.on('error', () => undefined);
  const ended = once(server, 'exit');
  const url = `postgres://counterfoil:e2e@127.0.0.1:${port}/postgres`;
  for (const end = Date.now() + START_WITHIN_MS; !(await answers(url)); ) {
    if (Date.now() > end) throw new Error(`PostgreSQL ${version} of ${bin} did not start`);
    await sleep(50);
  }
  return {
    version,
    url,
    async stop() {
      leash.destroy();
      await ended;
    },
  };

  async function run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(program, args, {
      ...as,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { LC_ALL: 'C.UTF-8' },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
