import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox } from '@counterfoil/sandbox/launch.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import { Database } from '../../db/database.ts';
import { ensureDemo } from '../../demo/ensure-demo.ts';
import { writePeople } from '../../demo/writing/write-people.ts';
import { createSecrets } from '../../secrets.ts';
import { leaveSandboxWord } from '../demo-sandbox.ts';

// Of the servers only whether and as what they would start.
const served: (boolean | undefined)[] = [];
vi.mock('../../processes.ts', () => ({
  serve: async ({ config }: { config: { demo: boolean | undefined } }) => {
    served.push(config.demo);
    return { address: 'http://127.0.0.1:9', stop: async () => undefined };
  },
  work: async () => ({ stop: async () => undefined }),
  workWatched: async () => ({ address: '', stop: async () => undefined }),
}));
vi.mock('../../demo/ensure-demo.ts', async (original) => {
  const { ensureDemo: real } = await original<typeof import('../../demo/ensure-demo.ts')>();
  return { ensureDemo: vi.fn(real) };
});
vi.mock('../until-stopped.ts', () => ({ untilStopped: async () => undefined }));

const commands = useCommands();
let db: Database;
beforeAll(() => {
  db = new Database({ url: commands.database.url, name: 'demo', max: 2, statementTimeoutMs: 20_000 });
});
afterAll(() => db.end());
beforeEach(() => {
  served.length = 0;
  vi.mocked(ensureDemo).mockClear();
  vi.stubEnv('SANDBOX_PORT', '0');
});

const secrets = createSecrets('a key only for this test, long enough');
const makePeople = () =>
  db.transaction((tx) => writePeople(tx, { secrets, modules: gatewayModules }, new Map()));
const rows = async (text: string) => (await commands.database.pool().query(text)).rows;
const addOwn = () => commands.json('reseller', 'add', '--id', '4100', '--name', 'Own');
const dropOwn = () => rows('delete from reseller where id = 4100');
const findings = async () =>
  (JSON.parse((await commands.run('doctor', '--json')).out).findings as { what: string }[]).filter(
    ({ what }) => what === 'demo world',
  );

describe('a demo', () => {
  it('is not made by start in a database elsewhere, or at an address others reach, unless it is told to', async () => {
    vi.stubEnv('DEMO', undefined);
    for (const url of [undefined, 'https://bills.example']) {
      vi.stubEnv('PUBLIC_URL', url);
      expect(await commands.run('start')).toMatchObject({ code: 0, err: '' });
    }
    expect(served).toEqual([false, false]);
    expect(ensureDemo).not.toHaveBeenCalled();
    expect(await rows('select 1 from reseller')).toEqual([]);
  });

  it.each(['start', 'serve', 'work', 'demo'])('is refused by %s in one line', async (command) => {
    vi.stubEnv('DEMO', '1');
    vi.stubEnv('PUBLIC_URL', 'https://bills.example');
    const address = await commands.run(command);
    vi.stubEnv('PUBLIC_URL', undefined);
    await addOwn();
    const others = await commands.run(command);
    await dropOwn();
    for (const [{ code, out, err }, why] of [
      [address, 'DEMO=1 is refused with PUBLIC_URL https://bills.example'],
      [others, "DEMO=1 is refused beside resellers that are not the demo's (4100): start with DEMO=0"],
    ] as const) {
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(`counterfoil ${command}: `);
      expect(err).toContain(why);
      expect(err).not.toContain('\n');
    }
    expect(served).toEqual([]);
    expect(await rows('select 1 from reseller')).toEqual([]);
  });

  it('has no server beside it without its sandbox, which both call', async () => {
    await makePeople();
    vi.stubEnv('DEMO', '1');
    for (const command of ['serve', 'work'])
      expect(await commands.run(command)).toMatchObject({
        code: 1,
        err: expect.stringContaining("the demo's gateway sandbox does not run"),
      });
    const sandbox = await launchSandbox({ directory: join(commands.folder, 'gateway') });
    const left = await leaveSandboxWord(commands.folder, sandbox.url);
    expect(await commands.run('serve')).toMatchObject({ code: 0, err: '' });
    expect(served).toEqual([true]);
    expect(await commands.run('demo', 'remove')).toEqual({
      code: 1,
      out: '',
      err: "counterfoil demo: the demo runs: stop 'npm start' first",
    });
    await left.stop();
    await sandbox.stop();
  });
});

describe('a demo world in an installation', () => {
  it('is a fault to doctor, which names its users and what takes it out', async () => {
    vi.stubEnv('DEMO', '1');
    expect(await findings()).toMatchObject([{ is: 'ok' }]);
    for (const demo of ['0', undefined]) {
      vi.stubEnv('DEMO', demo);
      const [finding] = await findings();
      expect(finding).toMatchObject({ is: 'fault' });
      for (const said of ['18 users', 'ada@demo.example', 'stripe@demo.example', "'counterfoil demo remove'"])
        expect(finding).toMatchObject({ found: expect.stringContaining(said) });
    }
    vi.stubEnv('DEMO', '1');
    const added = await commands.run('reseller', 'add', '--id', '4100', '--name', 'Own');
    expect(added.out).toContain('from now on start with DEMO=0');
    expect(await findings()).toMatchObject([{ is: 'fault', found: expect.stringContaining('18 users') }]);
  });

  it('is taken out by demo remove, on record, and the rest stays', async () => {
    expect(await commands.run('demo', 'remove', 'now')).toMatchObject({ code: 2 });
    const removed = await commands.json<{ resellers: number[]; rows: Record<string, number> }>(
      'demo',
      'remove',
    );
    expect(removed.resellers).toHaveLength(10);
    expect(removed.rows).toMatchObject({ reseller: 10, app_user: 18, customer: 20 });
    expect(await rows('select id from reseller')).toEqual([{ id: 4100 }]);
    expect(await rows("select detail from audit_event where action = 'demo.removed'")).toMatchObject([
      { detail: { resellers: expect.stringContaining('2204') } },
    ]);
    expect(await findings()).toEqual([]);
    vi.stubEnv('DEMO', '1');
    expect(await findings()).toMatchObject([{ is: 'fault', found: expect.stringContaining('(4100)') }]);
    expect(await commands.run('demo', 'remove')).toEqual({
      code: 1,
      out: '',
      err: 'counterfoil demo: there is no demo world in this database',
    });
  });

  it('tells people what went', async () => {
    await dropOwn();
    await makePeople();
    const { code, out } = await commands.run('demo', 'remove');
    expect(code).toBe(0);
    expect(out).toMatch(/^The demo world is removed: resellers 2204, .*; 18 users, 20 customers, /);
  });
});
