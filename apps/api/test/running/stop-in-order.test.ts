import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnv } from '@counterfoil/testing/child-env.ts';
import { fakePortal } from '@counterfoil/testing/fake-portal.ts';
import { catchMail, type MailCatcher } from '@counterfoil/testing/mail-catcher.ts';
import { freePort } from '@counterfoil/testing/ports.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/run.ts';
import { serverMain } from '../processes/server-main.ts';

/**
 * The real program with its embedded database, stopped as a terminal and systemd do it: one signal to all of its group.
 * What is under way ends whole, the database goes last, and nobody complains.
 */
const MAIN = join(import.meta.dirname, '../../../..', serverMain());
let folder: string;
let mails: MailCatcher;
let door: Server;
let open: () => void;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stop-'));
  mails = await catchMail();
  // A mail server that lets nobody in until it is told to: a mail is under way for so long.
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  door = createServer((socket) => {
    socket.on('error', () => undefined);
    void isOpen.then(() => {
      const inner = connect(Number(new URL(mails.url).port), '127.0.0.1');
      inner.on('error', () => socket.destroy());
      socket.pipe(inner).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
});
afterEach(async () => {
  if (child?.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  door.close();
  await mails.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program in a group of its own. @returns what it says, line by line, and how it ends */
async function start(env: Readonly<Record<string, string>>) {
  const running = spawn(process.execPath, [MAIN, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...childEnv(), ...env },
  });
  child = running;
  const lines: string[] = [];
  const ended = new Promise<number | string | null>((resolve) =>
    running.once('close', (code, signal) => resolve(signal ?? code)),
  );
  for (const stream of [running.stdout, running.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  await vi.waitFor(() => expect(lines.join('\n')).toMatch(/^ready/m), { timeout: 60_000, interval: 50 });
  return { lines, ended, pid: Number(running.pid) };
}

async function counterfoil<T>(...args: readonly string[]): Promise<T> {
  const out: string[] = [];
  const output = { out: (line: string) => out.push(line), err: (line: string) => out.push(line) };
  expect(await runCommand(commands, [...args, '--json'], output), out.join('\n')).toBe(0);
  return JSON.parse(out.join('\n')) as T;
}

/** Somebody who is invited: their mail is a job. */
async function invite(env: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.stubEnv('LOG_LEVEL', 'silent');
  await counterfoil('reseller', 'add', '--id', '4100', '--name', 'Own');
  await counterfoil('brand', 'add', '--reseller', '4100', '--name', 'Own', '--host', 'own.example');
  const customer = ['--reseller', '4100', '--label', 'Harbour', '--ref', 'C-1'];
  const { id } = await counterfoil<{ id: string }>('customer', 'add', ...customer);
  const user = ['--reseller', '4100', '--email', 'mia@harbour.example', '--name', 'Mia', '--customer', id];
  await counterfoil('user', 'add', ...user, '--invite');
}

it('a second start on the same DATA_DIR says where the first runs, and leaves it alone', async () => {
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', DEMO: '0', WEB_DIST: fakePortal() };
  const { pid, lines } = await start(env);
  const word = () => readFileSync(join(folder, 'data/server.json'), 'utf8');
  const { url } = JSON.parse(word()) as { url: string };
  const before = word();
  const second = spawn(process.execPath, [MAIN, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...childEnv(), ...env },
  });
  let said = '';
  for (const stream of [second.stdout, second.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  expect(await once(second, 'close')).toEqual([1, null]);
  expect(said).toBe(
    `counterfoil start: one runs already on ${folder}/data (DATA_DIR): ${url}, process ${pid}; use that one, or end it first\n`,
  );
  expect(word()).toBe(before);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(lines.join('\n')).not.toMatch(/"level":"(warn|error|fatal)"/);
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the group while a request and a mail are under way: both end whole, the database goes last',
  async (signal) => {
    const port = await freePort();
    const env = {
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      DEMO: '0',
      WEB_DIST: fakePortal(),
      SMTP_URL: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}`,
    };
    const knocked = once(door, 'connection');
    const { lines, ended, pid } = await start(env);
    expect(existsSync(join(folder, 'data/server.json'))).toBe(true);
    await invite(env);
    await knocked;
    const request = connect(port, '127.0.0.1');
    await once(request, 'connect');
    const body = 'grant_type=password&username=mia&password=wrong';
    request.write(
      `POST /token HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    let answer = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const answered = once(request, 'close');

    process.kill(-pid, signal);
    await vi.waitFor(() => expect(lines.join('\n')).toContain('"stopping"'), 10_000);
    request.write(body.slice(5));
    open();
    await answered;
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"error":/);
    expect(await ended).toBe(0);
    expect(mails.received.map(({ to }) => to)).toEqual([['mia@harbour.example']]);

    const said = lines.join('\n');
    expect(said).not.toMatch(/^\s+at /m);
    expect(said).not.toMatch(/"level":"(warn|error|fatal)"/);
    // A database that goes before its clients cuts them off, and says so.
    expect(readFileSync(join(folder, 'data/postgres.log'), 'utf8')).not.toContain('FATAL');
    expect(existsSync(join(folder, 'data/server.json'))).toBe(false);
    expect(() => process.kill(-pid, 0)).toThrow('ESRCH');
  },
);
