import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { addressSetting } from '@counterfoil/gateways/port/addresses.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../test/fixtures/test-commands.ts';
import { Database } from '../db/database.ts';
import { writePeople } from '../demo/writing/write-people.ts';
import type { Runtime } from '../runtime.ts';
import { createSecrets } from '../secrets.ts';
import { leaveSandboxWord } from './demo-sandbox.ts';

// Of 'start' only what concerns the sandbox runs here: no server, and no world of two years.
const late: { stop?: () => void; served?: (runtime: Runtime) => void } = {};
const stopIt = (): void => late.stop?.();
vi.mock('../processes.ts', () => ({
  serve: async (runtime: Runtime) => {
    late.served?.(runtime);
    return { address: 'http://127.0.0.1:9', stop: async () => undefined };
  },
  work: async () => ({ stop: async () => undefined }),
  workWatched: async () => ({ address: '', stop: async () => undefined }),
}));
vi.mock('../demo/ensure-demo.ts', () => ({ ensureDemo: async () => undefined }));
vi.mock('../demo/writing/save-methods.ts', () => ({ saveDemoMethods: async () => undefined }));
vi.mock('./until-stopped.ts', () => ({
  untilStopped: () =>
    new Promise<void>((resolve) => {
      late.stop = resolve;
    }),
}));

const statOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
const groupOf = (pid: number) => statOf(pid)[2];
const settingsOf = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const commands = useCommands();
let sandbox: RunningSandbox;
const check = () => commands.run('gateway', 'check', '--reseller', '2204');
const word = () => join(commands.folder, 'sandbox.json');
const leave = (url: string, pid = process.pid) => writeFile(word(), JSON.stringify({ url, pid }));

beforeAll(async () => {
  sandbox = await launchSandbox({ directory: join(commands.folder, 'gateway') });
  const db = new Database({ url: commands.database.url, name: 'demo', max: 2, statementTimeoutMs: 20_000 });
  const secrets = createSecrets('a key only for this test, long enough');
  await db.transaction((tx) => writePeople(tx, { secrets, modules: gatewayModules }, new Map()));
  await db.end();
});
afterAll(() => sandbox.stop());
beforeEach(() => {
  vi.stubEnv('DEMO', undefined);
  for (const { manifest } of gatewayModules) vi.stubEnv(addressSetting(manifest), undefined);
});
afterEach(async () => {
  const left = await leaveSandboxWord(commands.folder, sandbox.url);
  await left.stop();
});

const gone = { code: 1, out: '', err: expect.stringContaining("the demo's gateway sandbox does not run") };

describe('a command beside the demo', () => {
  it('calls its sandbox while it is said to be there, and nothing afterwards', async () => {
    const left = await leaveSandboxWord(commands.folder, sandbox.url);
    expect(await check()).toEqual({ code: 0, out: 'Stripe: the keys work.', err: '' });
    expect((await commands.run('doctor')).out).toMatch(/ok +gateway of 2204 +Stripe: the keys work/);
    await left.stop();
    expect(existsSync(word())).toBe(false);
    expect(await check()).toEqual(gone);
    expect((await commands.run('doctor')).out).toMatch(
      /fault +gateways +the demo's gateway sandbox does not/,
    );
  });

  it.each(['payments refund ANY --note x', 'reconcile', 'autopay', 'gateway verify --reseller 2204'])(
    '%s is refused without the sandbox',
    async (words) => {
      expect(await commands.run(...words.split(' '))).toEqual(gone);
    },
  );

  it.each(['payments list', 'autopay --dry-run', 'gateway list'])(
    '%s asks no gateway and needs none',
    async (words) => {
      expect(await commands.run(...words.split(' '))).toMatchObject({ code: 0, err: '' });
    },
  );

  it('does not believe word of who has ended, is silent, or is no sandbox', async () => {
    await leave(sandbox.url, 2 ** 30);
    expect(await check()).toEqual(gone);
    await leave(await nowhere());
    expect(await check()).toEqual(gone);
    await writeFile(word(), 'null');
    expect(await check()).toEqual(gone);
    const other = createServer((_, answer) => answer.end('{"ok":true}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await leave(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    expect(await check()).toEqual(gone);
    other.close();
  });

  it('goes where the operator says, and with DEMO=0 to whom the settings name', async () => {
    // All of them: a demo reaches no provider.
    for (const { manifest } of gatewayModules) vi.stubEnv(addressSetting(manifest), sandbox.url);
    expect(await check()).toMatchObject({ code: 0 });
    // Stands for the provider's own address, which no test calls.
    vi.stubEnv('GATEWAY_URL_STRIPE', undefined);
    vi.stubEnv('GATEWAY_URL_STRIPE_API', await nowhere());
    expect(await check()).toEqual(gone);
    vi.stubEnv('DEMO', '0');
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('is not reachable') });
  });

  it('goes to no address of another machine, where nothing is said too', async () => {
    vi.stubEnv('GATEWAY_URL_STRIPE', 'https://stripe-proxy.example/v1');
    for (const demo of [undefined, '1']) {
      vi.stubEnv('DEMO', demo);
      const { code, err } = await check();
      expect(code).toBe(1);
      expect(err).toContain('DEMO=1 is refused with GATEWAY_URL_STRIPE https://stripe-proxy.example:');
    }
  });

  it('goes to the sandbox with keys of one’s own too', async () => {
    for (const keys of ['own', 'demo']) {
      const set = ['publishableKey=pk_test_', 'secretKey=sk_test_'].flatMap((name) => [
        '--set',
        `${name}${keys}2204`,
      ]);
      await commands.json('gateway', 'set', '--reseller', '2204', '--gateway', 'stripe', ...set);
      expect(await check()).toEqual(gone);
    }
  });

  it('beside a provider’s own resellers, on a database elsewhere, is no demo unless that is said', async () => {
    vi.stubEnv('GATEWAY_URL_STRIPE_API', await nowhere());
    await commands.json('reseller', 'add', '--id', '4100', '--name', 'Own');
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('is not reachable') });
    vi.stubEnv('DEMO', '1');
    expect(await check()).toEqual(gone);
    await commands.database.pool().query('delete from reseller where id = 4100');
  });
});

it('start says where its sandbox is until it is stopped', async () => {
  vi.stubEnv('DEMO', '1');
  vi.stubEnv('SANDBOX_PORT', '0');
  const running = commands.run('start');
  await vi.waitFor(() => expect(late.stop).toBeDefined(), 15_000);
  vi.stubEnv('DEMO', undefined);
  expect(await check()).toMatchObject({ code: 0, out: 'Stripe: the keys work.' });
  // What stops the group of the server, as Ctrl-C does, leaves the sandbox to payments that are under way.
  const place = `SANDBOX_DIR=${join(commands.folder, 'sandbox')}`;
  const [own] = childrenOf(process.pid).filter((pid) => settingsOf(pid).includes(place));
  expect(groupOf(Number(own))).toBe(own);
  late.stop?.();
  expect(await running).toMatchObject({ code: 0 });
  expect(existsSync(word())).toBe(false);
  expect(await check()).toEqual(gone);
});

it.each([
  [undefined, 'info'],
  ['warn', 'warn'],
])('start logs requests as serve does: told %s, at %s', async (told, level) => {
  vi.stubEnv('DEMO', '0');
  vi.stubEnv('LOG_LEVEL', told);
  const { promise, resolve } = Promise.withResolvers<Runtime>();
  late.served = resolve;
  delete late.stop;
  const running = commands.run('start');
  expect((await promise).config.logLevel).toBe(level);
  await vi.waitFor(() => expect(Object.hasOwn(late, 'stop')).toBe(true), 15_000);
  stopIt();
  expect(await running).toMatchObject({ code: 0 });
});

it('who stops takes away its own word only', async () => {
  const left = await leaveSandboxWord(commands.folder, sandbox.url);
  await leave(await nowhere(), process.ppid);
  await left.stop();
  expect(existsSync(word())).toBe(true);
  await writeFile(word(), 'null');
});
