import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BulkResult } from '@counterfoil/contract/operator/parts.ts';
import { beforeAll, expect, it } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import { bulkKinds } from '../../bulk-kinds.ts';

const commands = useCommands();
const { run, json, database } = commands;

const file = async (name: string, ...lines: readonly (object | string)[]): Promise<string> => {
  const path = join(commands.folder, name);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  await writeFile(path, text);
  return path;
};
const put = async (what: string, path: string, ...options: readonly string[]) => {
  const { code, out, err } = await run('put', what, '--reseller', '7400', '--file', path, ...options);
  const results = out === '' ? [] : out.split('\n').map((line) => JSON.parse(line) as BulkResult);
  return { code, err, results, outcomes: results.map((one) => one.code ?? one.status) };
};
const rows = async (text: string) => (await database.pool().query(text)).rows;

beforeAll(async () => {
  await database.pool().query("insert into reseller (id, name) values (7400, 'Harbour')");
});

it('takes lines as the operator API does, with a result for each; the same file again changes nothing', async () => {
  const path = await file(
    'customers.ndjson',
    { reference: 'C-1', label: 'Quay' },
    { reference: 'C-2', label: '' },
    { reference: 'C-3', label: 'Pier' },
  );
  expect(await put('customers', path, '--dry-run')).toMatchObject({
    code: 1,
    outcomes: ['created', 'request.invalid', 'created'],
  });
  expect(await rows('select 1 from customer')).toEqual([]);
  const { code, results } = await put('customers', path);
  expect([code, results[1]]).toMatchObject([1, { line: 2, status: 'refused', errors: [{ path: 'label' }] }]);
  expect(await rows('select actor from audit_event')).toEqual([
    { actor: expect.stringMatching(/^cli:/) },
    { actor: expect.stringMatching(/^cli:/) },
  ]);
  const good = await file(
    'good.ndjson',
    { reference: 'C-1', label: 'Quay' },
    { reference: 'C-3', label: 'Mole' },
  );
  expect(await json('put', 'customers', '--reseller', '7400', '--file', good)).toEqual({
    unchanged: 1,
    changed: 1,
    lines: [],
  });
});

it('takes CSV: members by their names, numbers, truths and lists where they are wanted', async () => {
  const customers = await file(
    'customers.csv',
    '\uFEFFreference;label;address.city;address.lines.0',
    'C-10;"Bay; Office";Oslo;1 Quay',
    'C-11;Fjord;;',
    '',
    'C-12;too;many;cells;here',
    'C-13;;Oslo;',
  );
  const made = await put('customers', customers);
  expect(made).toMatchObject({
    code: 1,
    outcomes: ['created', 'created', 'request.malformed', 'request.invalid'],
  });
  // The numbers of the lines are those of the file.
  expect(made.results.map(({ line }) => line)).toEqual([2, 3, 5, 6]);
  expect(
    await rows("select label, address from customer where external_ref in ('C-10', 'C-11') order by 1"),
  ).toEqual([
    { label: 'Bay; Office', address: { city: 'Oslo', lines: ['1 Quay'] } },
    { label: 'Fjord', address: { lines: [] } },
  ]);
  const users = await file('users.csv', 'email,customer,displayName,invite', 'mia@x.example,C-10,Mia,false');
  expect(await put('users', users)).toMatchObject({ code: 0, outcomes: ['created'] });
  expect(await rows('select 1 from graphile_worker.jobs')).toEqual([]);
  await database
    .pool()
    .query(
      "insert into service (id, reseller_id, code, name) values (gen_random_uuid(), 7400, 'voice', 'Voice')",
    );
  const items = await file(
    'items.csv',
    'reference,customer,service,name,numbers',
    'L-1,C-10,voice,Desk,100 | 101',
  );
  expect(await put('service-items', items)).toMatchObject({ code: 0, outcomes: ['created'] });
  expect(await rows('select number from service_item_number order by 1')).toEqual([
    { number: '100' },
    { number: '101' },
  ]);
  const bundles = await file(
    'bundles.csv',
    'reference\tcustomer\tname\tposition\tproducts.0.name\tproducts.0.quantity',
    'B-1\tC-10\tBusiness\t3\tCalls\t500',
  );
  expect(await put('bundles', bundles)).toMatchObject({ code: 0, outcomes: ['created'] });
  expect(await rows('select position from bundle')).toEqual([{ position: 3 }]);
});

it('has every kind that the operator API takes by lines, and refuses what it does not know', async () => {
  const { paths } = await json<{ paths: Record<string, unknown> }>('openapi');
  const byLines = Object.keys(paths).flatMap((path) => /^\/v1\/admin\/(.+)\/bulk$/.exec(path)?.[1] ?? []);
  expect(new Set(byLines)).toEqual(new Set(Object.keys(bulkKinds)));
  expect(await put('cats', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('customers') });
  expect(await put('invoices', join(commands.folder, 'none.ndjson'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('no file'),
  });
  const path = await file('one.ndjson', { reference: 'C-1', label: 'Quay' });
  expect(await run('put', 'customers', '--reseller', '1', '--file', path)).toMatchObject({
    code: 1,
    err: expect.stringContaining('reseller 1'),
  });
});
