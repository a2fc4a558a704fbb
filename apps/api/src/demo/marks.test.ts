import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { Database } from '../db/database.ts';
import { createSecrets } from '../secrets.ts';
import { isDemo, readMarks, refuseBesideOthers } from './marks.ts';
import { demoUsers } from './world/customers.ts';
import { fixedId } from './world/random.ts';
import { writePeople } from './writing/write-people.ts';

const database = useDatabase();
let db: Database;
beforeAll(async () => {
  db = new Database({ url: database.url, name: 'marks', max: 2, statementTimeoutMs: 20_000 });
  const secrets = createSecrets('a key only for this test, long enough');
  expect(await readMarks(db)).toEqual({ demo: false, others: [] });
  await db.transaction((tx) => writePeople(tx, { secrets, modules: gatewayModules }, new Map()));
});
afterEach(() => rows('delete from reseller where not is_demo'));
afterAll(() => db.end());

const rows = (text: string) => database.pool().query(text);
const addOwn = (count: number) =>
  rows(`insert into reseller (id, name) select 4099 + n, 'Own' from generate_series(1, ${count}) n`);

it('a database says whose it is, and is a demo’s only while nobody else is in it', async () => {
  expect(await readMarks(db)).toEqual({ demo: true, others: [] });
  await expect(refuseBesideOthers(db)).resolves.toBeUndefined();
  await addOwn(8);
  await expect(refuseBesideOthers(db)).rejects.toThrow(
    /^DEMO=1 is refused beside .*\(4100, 4101, 4102, 4103, 4104, …\): start with DEMO=0; 'counterfoil demo remove'.*$/,
  );
});

it('a world made before it could say so is known by the ids of its users', async () => {
  const text = await readFile(join(import.meta.dirname, '../../migrations/0034_demo_mark.sql'), 'utf8');
  const ids = [...text.matchAll(/'([\da-f-]{36})'/g)].map(([, id]) => id);
  expect(ids).toEqual(demoUsers.map(({ email }) => fixedId(`user ${email}`)));
  await addOwn(1);
  await rows('alter table reseller drop column is_demo');
  await rows(text);
  expect(await readMarks(db)).toEqual({ demo: true, others: [4100] });
});

it.each([
  ['alone, where nothing is said', {}, 0, true],
  ['alone, on a database elsewhere', { DATABASE_URL: 'elsewhere' }, 0, true],
  ['alone, with 0', { DEMO: '0' }, 0, false],
  ['beside others on this machine, where npm start may still be one', {}, 1, true],
  ['beside others, on a database elsewhere', { DATABASE_URL: 'elsewhere' }, 1, false],
  ['beside others, at an address others reach', { PUBLIC_URL: 'https://bills.example' }, 1, false],
  ['beside others, with 1', { DEMO: '1' }, 1, true],
])('a command works on a demo: %s', async (_what, env: Record<string, string>, others, is) => {
  await addOwn(others);
  const own = { DATABASE_URL: 'postgres://db.example/counterfoil', SECRET_KEY: 'k'.repeat(32) };
  const config = readConfig({ ...env, ...(env['DATABASE_URL'] === undefined ? {} : own) });
  expect(await isDemo(db, config)).toBe(is);
});
