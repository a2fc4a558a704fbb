import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseAccount } from './account.ts';
import { serverProcesses } from './orphans.ts';
import { identity } from './run.ts';
import { attachOrStart, type EmbeddedServer } from './server.ts';

/** Long enough for a busy machine; nothing here waits for time to pass. */
const patient = { timeout: 30_000, interval: 20 };

let folder: string;
let dataDir: string;
let holders: ChildProcess[];
let servers: EmbeddedServer[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-server-'));
  chmodSync(folder, 0o711);
  dataDir = folder;
  holders = [];
  servers = [];
});

afterEach(async () => {
  for (const holder of holders) holder.kill('SIGKILL');
  for (const server of servers) await server.stop();
  await vi.waitFor(() => expect(serverProcesses(cluster())).toEqual([]), patient);
  rmSync(folder, { recursive: true, force: true });
});

describe('starting', () => {
  it('starts once, attaches afterwards, and ends with its owner', async () => {
    const owner = await open();
    const guest = await open();
    expect([owner.owner, guest.owner, guest.url]).toEqual([true, false, owner.url]);
    expect(await ask(guest.url, 'select current_user::text as value')).toBe('counterfoil');

    await guest.stop();
    expect(await ask(owner.url, 'select 1 as value')).toBe(1);
    await owner.stop();
    expect(serverProcesses(cluster())).toEqual([]);
  });

  it('keeps data, password and port over a restart', async () => {
    const first = await open();
    await run(first.url, 'create table kept as select 7 as value');
    await first.stop();
    const second = await open();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select value from kept')).toBe(7);
    await second.stop();
  });

  it('is started by exactly one of several processes that start together', async () => {
    const answers = await Promise.all([hold(), hold(), hold()]);
    expect(answers.filter(({ owner }) => owner)).toHaveLength(1);
    expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
    for (const { url } of answers) expect(await ask(url, 'select 1 as value')).toBe(1);
  });
});

describe('access', () => {
  it('asks for the password, which only its owner can read', async () => {
    const server = await open();
    const wrong = new URL(server.url);
    wrong.password = 'guessed';
    await expect(run(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    wrong.password = '';
    await expect(run(wrong.href, 'select 1')).rejects.toThrow();
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('is reachable through loopback and a socket of its owner only, keeps writes durable and times in UTC', async () => {
    const server = await open();
    const settings = await ask(
      server.url,
      `select string_agg(name || '=' || setting, ' ' order by name) as value from pg_settings
        where name in ('listen_addresses', 'unix_socket_directories', 'fsync', 'synchronous_commit', 'TimeZone')`,
    );
    expect(settings).toBe(
      `TimeZone=UTC fsync=on listen_addresses=127.0.0.1 synchronous_commit=on unix_socket_directories="${cluster()}"`,
    );
    expect(statSync(cluster()).mode & 0o777).toBe(0o700);
    expect(statSync(socketFile(server.url)).mode & 0o777).toBe(0o700);
    await server.stop();
  });

  it('is reached over the socket by its address, and by its port without', async () => {
    const server = await open();
    const over = "select case when inet_server_port() is null then 'socket' else 'port' end as value";
    expect(await ask(server.url, over)).toBe('socket');
    const byPort = new URL(server.url);
    byPort.searchParams.delete('host');
    expect(await ask(byPort.href, over)).toBe('port');
    await server.stop();
    expect(readdirSync(cluster()).filter((name) => name.startsWith('.s.PGSQL'))).toEqual([]);
  });

  it('is reached by its port from where its socket is not seen', async () => {
    const server = await open();
    const file = join(dataDir, 'postgres.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"socket": "', '"socket": "/elsewhere'));
    const guest = await open();
    expect(await ask(guest.url, 'select inet_server_port() as value')).toBe(Number(new URL(server.url).port));
    await server.stop();
  });

  it('is reached by its port where the directory is too deep for a socket', async () => {
    dataDir = join(dataDir, 'd'.repeat(90));
    mkdirSync(dataDir, { mode: 0o711 });
    const server = await open();
    expect(new URL(server.url).searchParams.has('host')).toBe(false);
    expect(await ask(server.url, 'select inet_server_port() as value')).toBe(
      Number(new URL(server.url).port),
    );
    await server.stop();
  });

  it('keeps to its socket in a directory with blanks, commas and quotes in its name', async () => {
    dataDir = join(dataDir, `a b, "c" 'd'`);
    mkdirSync(dataDir, { mode: 0o711 });
    const server = await open();
    expect(await ask(server.url, 'select inet_server_port() as value')).toBe(null);
    await server.stop();
  });

  it('gives a new password when the file that held it is lost', async () => {
    const first = await open();
    await run(first.url, 'create table kept as select 7 as value');
    await first.stop();
    rmSync(join(dataDir, 'postgres.json'));
    const second = await open();
    expect(new URL(second.url).password).not.toBe(new URL(first.url).password);
    expect(await ask(second.url, 'select value from kept')).toBe(7);
    await second.stop();
  });
});

describe('killing', () => {
  it('ends the server when its owner is killed, and keeps every acknowledged row', async () => {
    const { url, child } = await hold();
    await run(url, 'create table kept (value integer)');
    for (let value = 1; value <= 20; value += 1) await run(url, `insert into kept values (${value})`);
    child.kill('SIGKILL');
    await vi.waitFor(() => expect(serverProcesses(cluster())).toEqual([]), patient);

    const next = await open();
    expect(next.owner).toBe(true);
    expect(await ask(next.url, 'select count(*)::int as value from kept')).toBe(20);
    await next.stop();
  });

  it('starts the server again on the same address when the server is killed', async () => {
    const notices: string[] = [];
    const server = await open((line) => notices.push(line));
    await run(server.url, 'create table kept as select 7 as value');
    process.kill(postmasterPid(), 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(server.url, 'select value from kept')).toBe(7), patient);
    expect(notices).toEqual([expect.stringContaining('ended unexpectedly and is started again')]);
    await server.stop();
  });

  it('starts when owner and server were killed together', async () => {
    const { url, child } = await hold();
    await run(url, 'create table kept as select 7 as value');
    process.kill(postmasterPid(), 'SIGSTOP'); // cannot react to the end of its owner
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(postmasterPid(), 'SIGKILL');
    const next = await open();
    expect(await ask(next.url, 'select value from kept')).toBe(7);
    await next.stop();
  });

  it('starts over a socket whose lock file names a number that now belongs to another program', async () => {
    const first = await open();
    const socket = socketFile(first.url);
    const lockFile = readFileSync(`${socket}.lock`, 'utf8');
    await first.stop();
    // One that the server may signal, which is how it asks whether a process lives.
    const other = spawn('/bin/sleep', ['60'], identity(databaseAccount()));
    holders.push(other);
    writeFileSync(`${socket}.lock`, lockFile.replace(/^\d+/, String(other.pid)));
    const second = await open();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select 1 as value')).toBe(1);
    await second.stop();
  });

  it('stops the server of an owner that is gone when it did not end by itself', async () => {
    const { child } = await hold();
    const orphan = postmasterPid();
    process.kill(orphan, 'SIGSTOP');
    child.kill('SIGKILL');
    await once(child, 'exit');
    process.kill(orphan, 'SIGCONT');
    const next = await open();
    expect(postmasterPid()).not.toBe(orphan);
    expect(await ask(next.url, 'select 1 as value')).toBe(1);
    await next.stop();
  });

  it('starts over a pid file whose number now belongs to another program', async () => {
    const first = await open();
    const pidFile = readFileSync(join(cluster(), 'postmaster.pid'), 'utf8');
    await first.stop();
    writeFileSync(join(cluster(), 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.ppid)));
    const second = await open();
    expect(await ask(second.url, 'select 1 as value')).toBe(1);
    await second.stop();
  });

  it('begins again when the very first start was interrupted', async () => {
    mkdirSync(join(dataDir, '.postgres-unfinished', 'cluster'), { recursive: true });
    writeFileSync(join(dataDir, '.postgres-unfinished', 'cluster', 'PG_VERSION'), '18\n');
    const server = await open();
    expect(await ask(server.url, 'select 1 as value')).toBe(1);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
  });

  it('never overwrites a directory that it did not make', async () => {
    mkdirSync(cluster());
    writeFileSync(join(cluster(), 'precious'), 'data');
    await expect(open()).rejects.toThrow(/postgres.* is not empty/);
    expect(readFileSync(join(cluster(), 'precious'), 'utf8')).toBe('data');
  });
});

describe('failing', () => {
  it('shows the log of a server that cannot start, and does not keep the directory locked', async () => {
    const first = await open();
    await first.stop();
    writeFileSync(join(cluster(), 'postgresql.auto.conf'), 'no_such_setting = 1\n');
    await expect(open()).rejects.toThrow(/did not start[\s\S]*no_such_setting/);
    writeFileSync(join(cluster(), 'postgresql.auto.conf'), '');
    const second = await open();
    expect(second.owner).toBe(true);
    await second.stop();
  });
});

/** Starts or attaches in this process. */
async function open(onNotice?: (line: string) => void): Promise<EmbeddedServer> {
  const server = await attachOrStart({ dataDir, ...(onNotice ? { onNotice } : {}) });
  servers.push(server);
  return server;
}

function cluster(): string {
  return join(dataDir, 'postgres');
}

function socketFile(url: string): string {
  const { port, searchParams } = new URL(url);
  return join(searchParams.get('host') ?? '', `.s.PGSQL.${port}`);
}

function postmasterPid(): number {
  return Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Holds the server in a process of its own. */
async function hold(): Promise<{ url: string; owner: boolean; child: ChildProcess }> {
  const script = join(import.meta.dirname, 'fixtures', 'hold-server.ts');
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { ...(JSON.parse(String(line)) as { url: string; owner: boolean }), child };
}

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function ask(url: string, question: string): Promise<unknown> {
  return (await run(url, question))[0]?.['value'];
}
