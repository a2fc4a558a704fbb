import { useDatabase } from '@counterfoil/testing/database.ts';
import { describe, expect, it } from 'vitest';
import { tableClasses } from '../../src/db/table-classes.ts';

const database = useDatabase();

const names = async (query: string): Promise<string[]> =>
  (await database.pool().query<{ name: string }>(query)).rows.map(({ name }) => name);

const columns = (where: string) =>
  names(`select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public' and ${where} order by 1`);

describe('references of the provider', () => {
  it('external_ref is unique per customer wherever a customer’s thing has one [decisions.4.external-ref]', async () => {
    const having = await names(
      "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'external_ref' order by 1",
    );
    const unique = await names(
      `select distinct c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'external_ref'
        where i.indisunique and i.indkey[0] = (select attnum from pg_attribute where attrelid = c.oid and attname = 'customer_id')
          and i.indkey[1] = a.attnum order by 1`,
    );
    expect(unique).toEqual(having.filter((table) => table !== 'customer'));
    expect(unique).toEqual(['agreement', 'invoice', 'service_item']);
  });
});

describe('columns', () => {
  it('no id is made by the database [decisions.4.uuid-v7]', async () => {
    // Events that a process of the version before takes in while the new one is rolled out have no id of their own.
    const named = ['inbox.id'];
    expect(await columns("data_type = 'uuid' and column_default is not null")).toEqual(named);
    expect((await columns("data_type = 'uuid'")).length).toBeGreaterThan(40);
  });

  it('money is whole minor units, in a table that names the currency or belongs to one that does [decisions.10.minor-units]', async () => {
    const money = await columns("column_name like '%\\_minor'");
    expect(money.length).toBeGreaterThan(20);
    expect(await columns("column_name like '%\\_minor' and data_type <> 'bigint'")).toEqual([]);
    for (const table of ['invoice', 'invoice_line', 'attempt', 'capture', 'ledger'])
      expect(await columns(`table_name = '${table}' and column_name = 'currency'`)).toHaveLength(1);
  });

  it('prices and quantities are numeric(18,6) [decisions.10.rates, decisions.10.quantities]', async () => {
    const figures = "column_name in ('price', 'units', 'quantity', 'base_quantity')";
    const exact = "data_type = 'numeric' and numeric_precision = 18 and numeric_scale = 6";
    const records = "table_name in ('invoice_line', 'usage_record')";
    expect(await columns(`${figures} and ${records} and ${exact}`)).toEqual([
      'invoice_line.base_quantity',
      'invoice_line.price',
      'invoice_line.quantity',
      'usage_record.price',
      'usage_record.units',
    ]);
    expect(await columns("data_type in ('real', 'double precision', 'money')")).toEqual([]);
  });
});

describe('the classes that are laid down', () => {
  const of = (tables: readonly string[]) => [...new Set(tables.map((table) => tableClasses[table]))];
  it('reseller, brand, service, record type, gateway settings, user and membership are reference [decisions.4.class-reference]', () => {
    const tables = [
      'reseller',
      'brand',
      'service',
      'record_type',
      'gateway_account',
      'app_user',
      'membership',
    ];
    expect(of(tables)).toEqual(['reference']);
  });

  it('pay link, gateway reference, session and one-time tokens are looked up by a key of their own [decisions.4.class-look-up]', async () => {
    const tables = ['pay_link', 'gateway_object', 'attempt_ref', 'user_session', 'one_time_token'];
    expect(of(tables)).toEqual(['lookUp']);
    const keyed = await names(`
      select c.conrelid::regclass::text as name from pg_constraint c
       where c.contype = 'p' and not exists (
         select 1 from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any(c.conkey)
            and a.attname = 'customer_id')`);
    expect(keyed).toEqual(expect.arrayContaining(tables));
  });
});
