import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { tableClasses } from '../../src/db/table-classes.ts';
import { removeDemo } from '../../src/demo/remove-demo.ts';
import { ownedRows, readOwners } from '../../src/demo/writing/owned-rows.ts';
import { newTenant } from '../access-matrix/tenants.ts';
import { addRareThings } from '../fixtures/paying/rare-things.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

const fixture = useFixture();
/** What happened stays on record, and every process and month is everybody's. */
const STAYS = [
  'audit_event',
  'audit_seal',
  'rate_limit',
  'queue_worker',
  'background_round',
  'schema_migration',
  'key_check',
  'usage_month',
];
const tables = Object.keys(tableClasses);
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await fixture.database.pool().query<Row>(text, values)).rows;

const db = () => fixture.deps.databases.web;

interface Side {
  readonly resellerId: number;
  readonly customerId: string;
  readonly userId: string;
}
let demo: Side;
let own: Side;
const remove = (modules = [fixture.gateway.module]) =>
  removeDemo(fixture.deps, modules, async () => undefined);

async function side(mark: string): Promise<Side> {
  const { reseller, accountId } = await fixture.seedPayer();
  const tenant = await newTenant(fixture, reseller.id, mark);
  await addRareThings(fixture, { ...tenant, resellerId: reseller.id, accountId, mark });
  return { resellerId: reseller.id, customerId: tenant.customerId, userId: tenant.userId };
}

/** Every row of every table but those that stay, as text, in an order of its own. */
async function everything(): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {};
  for (const table of tables)
    all[table] = (await rows<{ row: string }>(`select t::text as row from "${table}" t order by 1`)).map(
      ({ row }) => row,
    );
  return all;
}

const withoutStaying = (all: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(all).filter(([table]) => !STAYS.includes(table)));

let before: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  own = await side('own');
  before = withoutStaying(await everything());
  demo = await side('demo');
});

const mark = (isDemo: boolean) =>
  rows('update reseller set is_demo = $2 where id = $1', [demo.resellerId, isDemo]);

describe('taking a demo world out', () => {
  it('finds none where no reseller is a demo’s', async () => {
    expect(await remove()).toBeUndefined();
  });

  it('knows whose every row is: both sides have one of each', async () => {
    for (const one of [demo, own]) {
      const owners = await readOwners(db(), [one.resellerId]);
      const without: string[] = [];
      for (const table of tables) {
        const theirs = ownedRows(table, owners);
        if (theirs === undefined) expect(STAYS, table).toContain(table);
        else if ((await db().many(sql`select 1 from ${sql.id(table)} where ${theirs} limit 1`)).length === 0)
          without.push(table);
      }
      // Its removal is refused: see below.
      expect(without).toEqual(['usage_archived_line']);
    }
  });

  it('is refused while something else depends on it, or real money moved through it; nothing is gone then', async () => {
    await mark(true);
    const there = await everything();
    const refused = async (text: string, modules = [fixture.gateway.module]) => {
      const until = await everything();
      await expect(remove(modules)).rejects.toThrow(text);
      expect(await everything()).toEqual(until);
    };
    const live = { ...fixture.gateway.module.manifest, keyMode: () => 'live' as const };
    await refused('its books are no demo', [{ ...fixture.gateway.module, manifest: live }]);
    await refused('its books are no demo', []);

    const link = [own.userId, demo.customerId];
    await rows('insert into membership (user_id, customer_id) values ($1, $2)', link);
    await refused('sees a customer of it');
    await rows('delete from membership where user_id = $1 and customer_id = $2', link);

    await rows('update customer set brand_id = $1 where customer_id = $2', [demo.resellerId, own.customerId]);
    await refused('has a brand of it');
    await rows('update customer set brand_id = $1 where customer_id = $2', [own.resellerId, own.customerId]);

    await rows(`insert into company_customer select id, $2 from company where reseller_id = $1`, [
      own.resellerId,
      demo.customerId,
    ]);
    await refused('has a customer of it');
    await rows(
      'delete from company_customer where customer_id = $1 and company_id in (select id from company where reseller_id = $2)',
      [demo.customerId, own.resellerId],
    );

    await rows(
      `insert into usage_archived_line select customer_id, id, '2025-01-01', id, id, 1, 1, 1 from invoice_line
        where customer_id = $1 limit 1`,
      [demo.customerId],
    );
    await refused('archived months');
    await rows('delete from usage_archived_line');
    expect(await everything()).toEqual(there);
  });

  it('takes all of it, files and mails too, and nothing of anybody else’s', async () => {
    const { dataDir } = fixture.deps.config;
    const outbox = join(dataDir, 'outbox');
    await mkdir(outbox, { recursive: true });
    await mkdir(join(dataDir, 'sandbox'));
    for (const name of ['demo', 'own'])
      await writeFile(
        join(outbox, `${name}.eml`),
        `From: x@y.example\r\nTo: ${name}@customer.example\r\n\r\nHi`,
      );
    const [report] = await rows<{ file_key: string }>(
      'select file_key from report_job where customer_id = $1 and file_key is not null',
      [demo.customerId],
    );
    const file = join(fileURLToPath(fixture.deps.config.filesUrl), report?.file_key ?? '');
    expect(existsSync(file)).toBe(true);

    const removed = await remove();
    expect(removed).toMatchObject({ resellers: [demo.resellerId], files: 2, mails: 1, months: [] });
    expect(Object.keys(removed?.rows ?? {}).length).toBeGreaterThan(60);
    expect(withoutStaying(await everything())).toEqual(before);
    expect(existsSync(file)).toBe(false);
    expect([await readdir(outbox), existsSync(join(dataDir, 'sandbox'))]).toEqual([['own.eml'], false]);
    expect(await remove()).toBeUndefined();
  });
});
