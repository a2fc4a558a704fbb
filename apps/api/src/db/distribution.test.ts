import { useDatabase } from '@counterfoil/testing/database.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueTable, readCatalogue } from './catalogue.ts';
import { Database } from './database.ts';
import { planDistribution } from './distribution.ts';
import { tableClasses } from './table-classes.ts';

const database = useDatabase();
let db: Database;
let catalogue: readonly CatalogueTable[];
beforeAll(async () => {
  db = new Database({ url: database.url, name: 'distribution test', max: 2, statementTimeoutMs: 10_000 });
  catalogue = await readCatalogue(db);
});
afterAll(() => db.end());

const change = (text: string) => database.pool().query(text);
/** The catalogue after a statement of the plan, as Citus would leave it; throws where Citus would refuse. */
function after(tables: readonly CatalogueTable[], statement: string): readonly CatalogueTable[] {
  const [, how, name] = /create_(reference|distributed)_table\('public\.(\w+)'/.exec(statement) ?? [];
  const table = tables.find((one) => one.name === name);
  if (table === undefined || table.placement !== 'local') throw new Error(`${name}: no local table`);
  const placementOf = (of: string | null) => tables.find((one) => one.name === of)?.placement;
  const beside = /colocate_with => 'public\.(\w+)'/.exec(statement)?.[1];
  if (beside !== undefined && placementOf(beside) !== 'distributed')
    throw new Error(`${name}: nothing to lie beside`);
  for (const { target } of table.keys) {
    // 'referenced table must be a distributed table or a reference table'
    if (target !== null && target !== name && placementOf(target) === 'local')
      throw new Error(`${name} before ${target}`);
  }
  const placed = {
    placement: how === 'reference' ? ('reference' as const) : ('distributed' as const),
    distributedBy: how === 'reference' ? null : 'customer_id',
  };
  return tables.map((one) => (one === table ? { ...one, ...placed } : one));
}

const statements = (tables: readonly CatalogueTable[]) =>
  planDistribution(tables, tableClasses).steps.flatMap(({ statement }) => statement ?? []);

describe('the plan that spreads the tables', () => {
  it.skipIf(clusterUrl() !== undefined)(
    'covers every table of the database once, and Citus would refuse nothing',
    () => {
      const plan = planDistribution(catalogue, tableClasses);
      expect(plan.faults).toEqual([]);
      expect(new Set(plan.steps.map(({ table }) => table))).toEqual(new Set(Object.keys(tableClasses)));
      expect(plan.steps).toHaveLength(Object.keys(tableClasses).length);
      for (const { table, tableClass, statement } of plan.steps) {
        expect(tableClass).toBe(tableClasses[table]);
        if (tableClass === 'lookUp') expect(statement).toBe(null);
        else
          expect(statement).toContain(
            tableClass === 'reference' ? 'create_reference_table' : "'customer_id', colocate_with",
          );
      }
      const first = plan.steps.find(({ tableClass }) => tableClass === 'distributed');
      expect(first?.statement).toBe(
        "select create_distributed_table('public.customer', 'customer_id', colocate_with => 'none')",
      );
      expect(plan.tidying).toHaveLength(plan.steps.filter(({ statement }) => statement !== null).length);
    },
  );

  it('goes in an order Citus takes, and is carried on from any step', () => {
    let now = catalogue;
    const all = statements(catalogue);
    for (const [done, statement] of all.entries()) {
      expect(statements(now)).toEqual(all.slice(done));
      now = after(now, statement);
    }
    expect(planDistribution(now, tableClasses)).toMatchObject({ faults: [] });
    expect(statements(now)).toEqual([]);
  });

  it('sees the usage records as one partitioned table', () => {
    expect(catalogue.filter(({ isPartitioned }) => isPartitioned).map(({ name }) => name)).toEqual([
      'usage_record',
    ]);
    expect(catalogue.find(({ name }) => name === 'usage_record')?.keys).toMatchObject([
      { kind: 'primary', columns: ['customer_id', 'started_at', 'id'] },
    ]);
  });

  it.skipIf(clusterUrl() !== undefined)(
    'reads from Citus what is placed already, and says what is placed wrongly',
    async () => {
      await change(`create view citus_tables as
      select * from (values ('reseller'::regclass, 'reference', null), ('customer', 'distributed', 'customer_id'),
                            ('invoice', 'distributed', 'id'), ('agreement', 'reference', null),
                            ('user_session', 'local', null)) t (table_name, citus_table_type, distribution_column)`);
      const plan = planDistribution(await readCatalogue(db), tableClasses);
      await change('drop view citus_tables');
      const statementOf = (name: string) => plan.steps.find(({ table }) => table === name)?.statement;
      expect(['reseller', 'customer', 'user_session'].map(statementOf)).toEqual([null, null, null]);
      expect(statementOf('brand')).toContain('create_reference_table');
      expect(plan.faults).toEqual([
        'agreement: is reference, and should be distributed',
        'invoice: is distributed by id',
      ]);
    },
  );
});

describe('what Citus would refuse is found in the catalogue', () => {
  const distributed = 'customer_id uuid not null, id uuid not null, primary key (customer_id, id)';
  const cases: readonly (readonly [string, 'distributed' | 'reference' | 'lookUp', string, string | null])[] =
    [
      ['nothing', 'distributed', `create table probe (${distributed})`, null],
      ['no class', 'distributed', `create table other (${distributed})`, 'other has no class'],
      ['no primary key', 'distributed', 'create table probe (customer_id uuid)', 'has no primary key'],
      [
        'a unique key without customer_id',
        'distributed',
        `create table probe (${distributed}, n int unique)`,
        'probe_n_key does not begin with customer_id',
      ],
      [
        'a unique index without customer_id',
        'distributed',
        `create table probe (${distributed}, t text); create unique index probe_i on probe (lower(t)) where t > 'a'`,
        'probe_i does not begin with customer_id',
      ],
      [
        'a foreign key to a reference table',
        'distributed',
        `create table probe (${distributed}, n int references reseller (id))`,
        'points to reseller, which is not distributed',
      ],
      [
        'a foreign key that leaves the customer',
        'distributed',
        `create table probe (${distributed}, other uuid references customer (customer_id))`,
        'does not lead from customer_id to customer_id',
      ],
      [
        'a foreign key that would move a row',
        'distributed',
        `create table probe (${distributed}, foreign key (customer_id) references customer (customer_id) on delete set null)`,
        'would change customer_id',
      ],
      [
        'a foreign key of a partitioned table',
        'distributed',
        `create table probe (${distributed}, foreign key (customer_id) references customer (customer_id))
         partition by list (id)`,
        'is a foreign key of a partitioned table',
      ],
      [
        'a trigger',
        'distributed',
        `create table probe (${distributed}); create trigger probe_t before update on probe for each row
         execute function suppress_redundant_updates_trigger()`,
        'has the trigger or rule probe_t',
      ],
      [
        'a sequence',
        'distributed',
        `create table probe (${distributed}, n serial)`,
        'n is filled from a sequence',
      ],
      [
        'an identity',
        'reference',
        'create table probe (n bigint generated always as identity primary key)',
        'n is filled from a sequence',
      ],
      [
        'a reference table that points to a look-up table',
        'reference',
        'create table probe (id uuid primary key references user_session (id))',
        'points to user_session, which lies on one machine',
      ],
      [
        'a look-up table that points to a distributed one',
        'lookUp',
        'create table probe (id uuid primary key references customer (customer_id))',
        'points to customer, which is distributed',
      ],
    ];

  it.each(cases)('%s', async (_, tableClass, statement, fault) => {
    await change(statement);
    const classes = { ...tableClasses, ...(statement.includes('table probe') ? { probe: tableClass } : {}) };
    const { faults } = planDistribution(await readCatalogue(db), classes);
    await change('drop table if exists probe, other');
    expect(faults).toEqual(fault === null ? [] : [expect.stringContaining(fault)]);
  });
});
