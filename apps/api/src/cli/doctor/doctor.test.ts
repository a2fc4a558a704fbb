import { expect, it, vi } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import type { Finding } from './finding.ts';

const commands = useCommands();
const query = (text: string) => commands.database.pool().query(text);
const worker = () => query("insert into queue_worker (worker_id) values ('one') on conflict do nothing");

/** All that doctor finds, by what it is about. */
async function found(): Promise<Readonly<Record<string, Finding>>> {
  const { out } = await commands.run('doctor', '--json');
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return Object.fromEntries(findings.map((finding) => [finding.what, finding]));
}

it('finds what a start would: each with its remedy', async () => {
  expect(await found()).toMatchObject({
    DATA_DIR: { is: 'ok' },
    FILES_URL: { is: 'ok' },
    disk: { is: expect.stringMatching(/^(ok|warning)$/) },
    portal: { is: 'ok' },
    database: { is: 'ok' },
    'database rights': { is: 'ok' },
    schema: { is: 'ok' },
    'job queue': { is: 'ok' },
    SECRET_KEY: { is: 'ok', found: expect.stringContaining('nothing is sealed yet') },
    'months ahead': { is: 'warning', remedy: expect.stringContaining("'serve' and 'work' make them") },
    worker: { is: 'warning', remedy: expect.stringContaining("'counterfoil work'") },
    gateways: { is: 'warning', remedy: expect.stringContaining("'counterfoil gateway set'") },
    brands: { is: 'warning', remedy: expect.stringContaining("'counterfoil brand add'") },
  });
  const { code, out } = await commands.run('doctor');
  expect(code).toBe(0);
  expect(out).toMatch(/^Nothing must be put right; to look at: \d+\.$/m);
  await worker();
  expect(await found()).toMatchObject({ worker: { is: 'ok' } });
});

it.each([
  ['the portal is not built', { WEB_DIST: '/nowhere' }, 'portal', "'node tools/run.mjs build-web' builds it"],
  [
    'an address cannot be called',
    { GATEWAY_URL_STRIPE: 'https://x.example/y' },
    'gateway addresses',
    undefined,
  ],
  [
    'the key is another one',
    { SECRET_KEY: 'another key, also long enough to be one' },
    'SECRET_KEY',
    'start with that one',
  ],
])('says it where %s', async (_what, env, what, remedy) => {
  await commands.json('reseller', 'list');
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const fault = { is: 'fault', ...(remedy === undefined ? {} : { remedy: expect.stringContaining(remedy) }) };
  expect(await found()).toMatchObject({ [what]: fault });
  const { code, out } = await commands.run('doctor');
  expect(code).toBe(1);
  expect(out).toMatch(/^To be put right: 1\.$/m);
});

it('says it where the job queue has no schema', async () => {
  await query('alter schema graphile_worker rename to away');
  expect(await found()).toMatchObject({
    'job queue': { is: 'fault', remedy: expect.stringContaining("'counterfoil migrate'") },
  });
  await query('alter schema away rename to graphile_worker');
});

it('names what is stored of a brand and would be refused today, which is served all the same', async () => {
  await commands.json('reseller', 'add', '--id', '4100', '--name', 'Own');
  const brand = ['--reseller', '4100', '--name', 'Own', '--host', 'own.example'];
  const { id } = await commands.json<{ id: number }>('brand', 'add', ...brand);
  await query(`update brand set settings = '{"supportEmail":"nope","language":"??"}' where id = ${id}`);
  expect((await found())[`brand ${id}`]).toMatchObject({
    is: 'fault',
    found:
      'Own: setting supportEmail must be a mail address; setting language must be a language such as en or de-CH',
    remedy: `'counterfoil brand set --id ${id}' puts it right`,
  });
  await commands.json(
    'brand',
    'set',
    '--id',
    `${id}`,
    '--setting',
    'supportEmail=',
    '--setting',
    'language=de',
  );
  expect((await found())[`brand ${id}`]).toMatchObject({ is: 'ok' });
});
