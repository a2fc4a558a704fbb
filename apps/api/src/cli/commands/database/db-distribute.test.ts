import { clusterUrl } from '@counterfoil/testing/machines.ts';
import pg from 'pg';
import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { tableClasses } from '../../../db/table-classes.ts';

const { run, json, database } = useCommands();

it.skipIf(clusterUrl() !== undefined)(
  'counterfoil db distribute refuses where there is no Citus, and says why',
  async () => {
    expect(await run('db', 'distribute')).toMatchObject({
      code: 1,
      err: expect.stringContaining('this PostgreSQL has no citus extension'),
    });
    expect(await run('db', 'distribute', '--tidy')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no citus extension'),
    });
    expect(await run('db', 'distribute', 'now')).toMatchObject({ code: 2 });
  },
);

it('--dry-run prints every statement anywhere, and what Citus would refuse', async () => {
  const plan = await json<{ steps: { table: string; statement: string | null }[]; faults: string[] }>(
    'db',
    'distribute',
    '--dry-run',
  );
  expect(plan.steps).toHaveLength(Object.keys(tableClasses).length);
  const { out } = await run('db', 'distribute', '--dry-run');
  const printed = out.split('\n').filter((line) => line.startsWith('select create_'));
  expect(printed).toEqual(
    plan.steps.flatMap(({ statement }) => (statement === null ? [] : [`${statement};`])),
  );
  expect(out).toMatch(/Stays on the coordinator: .*pay_link/);
  await database.pool().query('create table stray (id int)');
  const { code, out: told } = await run('db', 'distribute', '--dry-run');
  await database.pool().query('drop table stray');
  expect([code, told.split('\n').at(-1)]).toEqual([1, 'stray has no class']);
});

/** What the command sees of Citus and calls in it; it places nothing, and remembers what was asked for. */
const fake = `
  set allow_system_table_mods = on;
  insert into pg_extension select 1, 'citus', extowner, extnamespace, false, '13.2', null, null from pg_extension limit 1;
  create schema fake_citus;
  create table fake_citus.placed (at serial, name regclass unique, type text, by text, beside text);
  create table fake_citus.tidied (name regclass);
  create table fake_citus.node (groupid int, isactive bool, noderole text);
  create view pg_dist_node as select * from fake_citus.node;
  create view citus_tables as
    select name as table_name, type as citus_table_type, by as distribution_column from fake_citus.placed;
  create function create_reference_table(name regclass) returns void language sql as
    $$ insert into fake_citus.placed (name, type) values (name, 'reference') $$;
  create function create_distributed_table(name regclass, by text, colocate_with text) returns void language sql as
    $$ insert into fake_citus.placed (name, type, by, beside) values (name, 'distributed', by, colocate_with) $$;
  create function truncate_local_data_after_distributing_table(name regclass) returns void language sql as
    $$ insert into fake_citus.tidied values (name) $$`;

it.skipIf(clusterUrl() !== undefined)(
  'spreads every table once, carries on after a failure, refuses while others are connected',
  async () => {
    const query = async (text: string) => (await database.pool().query(text)).rows;
    await query(fake);
    const name = new URL(database.url).pathname.slice(1);
    await query(`alter database ${name} set citus.shard_replication_factor = '2'`);
    const refusal = async () => {
      const { code, err } = await run('db', 'distribute');
      return [code, err.replace('counterfoil db distribute: ', '')];
    };
    expect(await refusal()).toEqual([1, expect.stringContaining('the coordinator is not registered')]);
    await query("insert into fake_citus.node values (0, true, 'primary')");
    expect(await refusal()).toEqual([1, expect.stringContaining('no worker is registered')]);
    await query("insert into fake_citus.node values (1, true, 'primary')");
    expect(await refusal()).toEqual([1, expect.stringContaining('shard_replication_factor must be 1')]);
    await query(`alter database ${name} set citus.shard_replication_factor = '1'`);
    const server = new pg.Client({ connectionString: database.url, application_name: 'counterfoil web' });
    await server.connect();
    expect(await refusal()).toEqual([1, expect.stringContaining('connected: counterfoil web')]);
    await server.end();

    await query('alter table fake_citus.placed add check (at <> 20)');
    expect((await run('db', 'distribute')).code).toBe(1);
    expect(await query('select count(*)::int as n from fake_citus.placed')).toEqual([{ n: 19 }]);
    expect(await run('db', 'distribute', '--tidy')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--tidy comes after'),
    });
    const spread = Object.values(tableClasses).filter((one) => one !== 'lookUp').length;
    const { ran } = await json<{ ran: string[] }>('db', 'distribute');
    expect(ran).toHaveLength(spread - 19);
    expect(await json('db', 'distribute')).toEqual({ ran: [] });
    const placed = await query('select name::text, type, by, beside from fake_citus.placed order by at');
    expect(placed).toHaveLength(spread);
    for (const { name: table, type } of placed) expect([table, type]).toEqual([table, tableClasses[table]]);
    await json('db', 'distribute', '--tidy');
    expect(await query('select count(distinct name)::int as n from fake_citus.tidied')).toEqual([
      { n: spread },
    ]);
  },
);
