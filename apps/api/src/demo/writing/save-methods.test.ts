import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { Database } from '../../db/database.ts';
import { createSecrets } from '../../secrets.ts';
import { demoAccount } from '../gateways.ts';
import { ledToSandbox } from '../sandbox-addresses.ts';
import { demoCustomers } from '../world/customers.ts';
import { type SetupDeps, saveDemoMethods } from './save-methods.ts';
import { writePeople } from './write-people.ts';

const database = useDatabase();
const now = new Date();
let db: Database;
let sandbox: RunningSandbox;
let deps: SetupDeps;
let begunWithoutSandbox: number;

beforeAll(async () => {
  db = new Database({ url: database.url, name: 'demo methods', max: 4, statementTimeoutMs: 20_000 });
  sandbox = await launchSandbox({ directory: mkdtempSync(join(tmpdir(), 'sandbox-')) });
  const secrets = createSecrets('a key only for this test, long enough');
  deps = {
    databases: { web: db, exports: db, jobs: db },
    secrets,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
    config: readConfig({ PUBLIC_URL: 'http://localhost:3000' }),
  };
  await db.transaction((tx) => writePeople(tx, { secrets, modules: gatewayModules }, new Map()));
  await save(await nowhere());
  begunWithoutSandbox = (await rows('select 1 from method_setup')).length;
  await save(sandbox.url);
});
const save = (url: string) =>
  saveDemoMethods({ ...deps, config: ledToSandbox(deps.config, gatewayModules, url) }, gatewayModules);
afterAll(async () => {
  await sandbox.stop();
  await db.end();
});

const rows = async (text: string, values: unknown[] = []) =>
  (await database.pool().query<Record<string, unknown>>(text, values)).rows;

/** Per customer, in the order of the list: kind, digits, whether the default, whether it can be charged. */
async function saved(): Promise<Record<string, string[]>> {
  const all = await rows(`
    select customer_id, kind, show ->> 'last4' as last4, is_default, usable, expires from payment_method
     where state = 'active' order by customer_id, (kind = 'card') desc, created_at, id`);
  const keyOf = (id: unknown) => demoCustomers.find((one) => one.id === id)?.key ?? '';
  const month = now.toISOString().slice(0, 7);
  const entries = all.map((row): [string, string] => {
    const marks = [row['is_default'] && 'default', row['usable'] !== 'now' && String(row['usable'])];
    const expired = row['expires'] !== null && String(row['expires']) < month && 'expired';
    const words = [row['kind'], row['last4'], ...marks, expired].filter(Boolean);
    return [keyOf(row['customer_id']), words.join(' ')];
  });
  const groups = Map.groupBy(entries, ([key]) => key);
  return Object.fromEntries([...groups].map(([key, list]) => [key, list.map(([, words]) => words)]));
}

const atStripe = {
  kestrel: ['card 8210 default', 'bank 4420'],
  byron: ['card 5556 default', 'card 3222', 'card 8431 expired'],
  wattle: ['card 0006 default', 'bank 8212'],
  arroyo: ['bank 7735 default'],
  fenwick: ['card 5556', 'bank 9911 default'],
  moewe: ['card 3222', 'bank 1393 default'],
};
const expected = {
  ...atStripe,
  cottonwood: ['card 0027 default', 'bank 4420'],
  saguaro: ['card 1000 default', 'card 8431', 'bank 6789'],
  erable: ['card 4242 default', 'card 5454'],
  quandong: ['card 0006 default', 'card 5100'],
  channel: ['card 1111 default', 'card 0015', 'bank 6789'],
  corio: ['card 769 default', 'bank 678'],
  skerry: ['bank 11 default'],
};

async function atSandbox(path: string): Promise<{ readonly data: readonly { readonly type: string }[] }> {
  const headers = { authorization: `Bearer sk_test_${demoAccount(2204)}` };
  const answer = await fetch(`${sandbox.url}${path}`, { headers });
  return (await answer.json()) as { readonly data: readonly { readonly type: string }[] };
}

describe('saved methods of the demo world', () => {
  it('are of every kind a brand takes; whoever is not named has none', async () => {
    expect(await saved()).toEqual(expected);
    expect(await rows("select 1 from method_setup where state <> 'saved'")).toEqual([]);
  });

  it('are held by the gateway: it lists as many for its customers', async () => {
    const customers = (await atSandbox('/v1/customers?limit=100')).data as readonly unknown[] as readonly {
      readonly id: string;
    }[];
    expect(customers).toHaveLength(Object.keys(atStripe).length);
    const lists = await Promise.all(
      customers.map(({ id }) => atSandbox(`/v1/customers/${id}/payment_methods?limit=100`)),
    );
    expect(lists.flatMap(({ data }) => data)).toHaveLength(Object.values(atStripe).flat().length);
  });

  it('were agreed to: a mandate for each account, and one permission to charge', async () => {
    const agreed = await rows(`
      select m.show ->> 'last4' as last4 from mandate k
        join payment_method m on m.customer_id = k.customer_id and m.id = k.payment_method_id
        join consent c on c.customer_id = k.customer_id and c.id = k.consent_id
       where k.state in ('active', 'pending') and c.purpose = 'mandate' order by 1`);
    expect(agreed.map(({ last4 }) => last4)).toEqual(['1393', '4420', '7735', '8212', '9911']);
    const wattle = demoCustomers.find(({ key }) => key === 'wattle')?.id;
    expect(
      await rows("select customer_id from consent where purpose = 'autoPay' and revoked_at is null"),
    ).toEqual([{ customer_id: wattle }]);
  });

  it('are saved once: what was removed and taken back since stays so', async () => {
    await rows(
      "update payment_method set state = 'gone', is_default = false where show ->> 'last4' = '7735' and kind = 'bank'",
    );
    await rows("update consent set revoked_at = now(), revoked_by = 'x' where purpose = 'autoPay'");
    const before = await rows('select count(*)::int as n from method_setup');
    await save(sandbox.url);
    expect(await rows('select count(*)::int as n from method_setup')).toEqual(before);
    const { arroyo: _gone, ...rest } = expected;
    expect(await saved()).toEqual(rest);
    expect(await rows("select 1 from consent where purpose = 'autoPay' and revoked_at is null")).toEqual([]);
  });

  it('wait for a sandbox: nothing is begun at an address that is none', () => {
    expect(begunWithoutSandbox).toBe(0);
  });
});
