import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readZip } from '../../../test/fixtures/read-zip.ts';
import { useCommands } from '../../../test/fixtures/test-commands.ts';

const commands = useCommands();

it('exports a user and a customer into a file for its maker alone, writes over none, and is on record', async () => {
  await commands.run('reseller', 'add', '--id', '7', '--name', 'Northline');
  await commands.run('customer', 'add', '--reseller', '7', '--label', 'Harbour <Office>', '--ref', 'C-1');
  await commands.run(
    'user',
    'add',
    '--reseller',
    '7',
    '--email',
    'mia@harbour.example',
    '--name',
    'Mia',
    '--customer',
    'C-1',
  );
  for (const [option, name] of [
    ['--customer', 'C-1'],
    ['--user', 'Mia@Harbour.example'],
  ] as const) {
    const out = join(commands.folder, `${option}.zip`);
    const done = await commands.json<{ bytes: number }>('privacy', 'export', option, name, '--out', out);
    const content = await readFile(out);
    expect([content.length, (await stat(out)).mode & 0o777]).toEqual([done.bytes, 0o600]);
    const files = readZip(content);
    expect(files.get('data/app_user.ndjson')).toContain('"mia@harbour.example"');
    expect(files.get('index.html')).toContain(option === '--user' ? 'Mia (mia@' : 'Harbour &lt;Office&gt;');
    const again = await commands.run('privacy', 'export', option, name, '--out', out);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('it is there already')]);
  }
  const { events } = await commands.json<{ events: { action: string }[] }>(
    'audit',
    '--action',
    'privacy.exported',
  );
  expect(events.length).toBeGreaterThanOrEqual(2);
});

it('says what an erasure would do, does it for good, and finds nobody afterwards', async () => {
  const erase = ['privacy', 'erase', '--user', 'mia@harbour.example'];
  type Done = { isDone: boolean; tables: { table: string; rows: number }[] };
  const foreseen = await commands.json<Done>(...erase);
  expect(foreseen).toMatchObject({ isDone: false });
  expect(foreseen.tables).toContainEqual(expect.objectContaining({ table: 'app_user', rows: 1 }));
  const [{ id } = { id: '' }] = (await commands.database.pool().query('select id from app_user')).rows;
  const done = await commands.json<Done>('privacy', 'erase', '--user', id, '--for-good');
  expect(done).toEqual({ ...foreseen, isDone: true });
  expect((await commands.run(...erase)).err).toContain('there is no user');
  const { out } = await commands.run('privacy', 'erase', '--customer', 'C-1', '--for-good');
  expect(out).toContain('Backups made before hold it still');
  const { customers } = await commands.json<{ customers: { label: string }[] }>(
    'customer',
    'list',
    '--reseller',
    '7',
  );
  expect(customers.map(({ label }) => label)).toEqual(['Erased']);
});

it('erases again whom a restored backup brought back, and says whom it may not', async () => {
  const { json, run, folder, database } = commands;
  await json('reseller', 'add', '--id', '8', '--name', 'Harbour');
  const { id: back } = await json<{ id: string }>('customer', 'add', '--reseller', '8', '--label', 'Back');
  const { id: owes } = await json<{ id: string }>('customer', 'add', '--reseller', '8', '--label', 'Owes');
  const nobody = '01890000-0000-7000-8000-000000000001';
  await database
    .pool()
    .query(`insert into customer_credit (customer_id, currency, balance_minor) values ($1, 'USD', 5)`, [
      owes,
    ]);
  const kept = join(folder, 'erased.json');
  const line = (customer_id: string | null, user_id: string | null) => ({
    action: 'privacy.erased',
    customer_id,
    user_id,
  });
  const events = [line(back, null), line(null, nobody), line(owes, null), line(back, null)];
  await writeFile(kept, JSON.stringify({ events }));
  const ends = async (...more: readonly string[]) => {
    const { code, out } = await run('privacy', 'erase', '--again', kept, ...more, '--json');
    const { subjects } = JSON.parse(out) as { subjects: { id: string; is: string; why: string | null }[] };
    return [code, ...subjects.map(({ id, is, why }) => [id, is, why])];
  };
  const refused = [owes, 'refused', expect.stringContaining('credit')];
  expect(await ends()).toEqual([1, [nobody, 'absent', null], [back, 'found', null], refused]);
  expect(await ends('--for-good')).toEqual([1, [nobody, 'absent', null], [back, 'erased', null], refused]);
  const { customers } = await json<{ customers: { label: string }[] }>('customer', 'list', '--reseller', '8');
  expect(new Set(customers.map(({ label }) => label))).toEqual(new Set(['Erased', 'Owes']));
  expect((await run('privacy', 'erase', '--customer', owes)).err).toContain('It has credit that is not used');
  for (const other of ['[]', 'no JSON', JSON.stringify({ events: [line('no id', null)] })]) {
    await writeFile(kept, other);
    expect((await run('privacy', 'erase', '--again', kept)).err, other).toContain('is not what');
  }
});

it.each([
  [['--out', 'x.zip'], 2],
  [['--user', 'a@b.example', '--customer', 'C-1', '--out', 'x.zip'], 2],
  [['--user', 'nobody@b.example', '--out', 'x.zip'], 1],
  [['--customer', 'C-unknown', '--out', 'x.zip'], 1],
] as const)('refuses %j with %i', async (args, code) => {
  expect((await commands.run('privacy', 'export', ...args)).code).toBe(code);
});
