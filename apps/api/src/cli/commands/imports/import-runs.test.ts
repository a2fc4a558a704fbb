import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { sampleCall } from '../../../features/imports/invoices/sample-documents.ts';

const cli = useCommands();
const { run, json } = cli;

interface Run {
  readonly id: string;
  readonly state: string;
}

it('imports are listed and shown, what one has set aside is tried again, and one is undone with a reason', async () => {
  await json('reseller', 'add', '--id', '4600', '--name', 'Runs');
  const customer = [
    '--reseller',
    '4600',
    '--label',
    'Harbour Office',
    '--ref',
    'K-1',
    '--account-code',
    'A1',
  ];
  await json('customer', 'add', ...customer);
  const file = join(cli.folder, 'calls.csv');
  const call = (accountCode: string, uniqueId: string) => sampleCall({ accountCode, uniqueId });
  await writeFile(file, call('A1', '1') + call('A1', '2') + call('A2', '3'));
  await json('import', file);
  const [made] = (await json<{ imports: Run[] }>('import', 'list', '--reseller', '4600')).imports;
  const id = made?.id ?? '';
  expect(made).toMatchObject({ fileName: file, state: 'done', created: 2, waiting: 1 });
  expect((await run('import', 'list', '--state', 'undone')).out).toBe('There are no imports.');
  expect((await run('import', 'list', '--state', 'gone')).code).toBe(2);
  expect((await run('import', 'show', id)).out).toMatch(/asterisk +done .*\nIt can be undone until /);
  expect(await run('import', 'retry', id)).toMatchObject({ code: 1, out: '0 of 1 went in.' });
  await json('customer', 'set', '--customer', 'K-1', '--account-code', 'A2');
  expect(await json('import', 'retry', id)).toEqual({ tried: 1, taken: 1, waiting: 0 });

  const ended = await run('import', 'stop', id);
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('has ended') });
  await cli.database.pool().query("update import_file set state = 'running' where id = $1", [id]);
  expect(await run('import', 'stop', id)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Stopped: /),
  });
  expect(await json('import', 'stop', id)).toMatchObject({ state: 'stopped' });

  expect((await run('import', 'undo', id)).code).toBe(2);
  const undone = await run('import', 'undo', id, '--note', 'sent twice');
  expect(undone).toMatchObject({ code: 0, out: 'Undone: 2 of 2 were taken out.' });
  expect(await json('import', 'show', id)).toMatchObject({ state: 'undone', undone: 2 });
  await json('import', file);
  const [again] = (await json<{ imports: Run[] }>('import', 'list')).imports;
  await cli.database.pool().query("update usage_month set state = 'closed'");
  const refused = await run('import', 'undo', again?.id ?? '', '--note', 'x');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('months that take no changes') });
  const unknown = await run('import', 'show', '0199a3c1-6f0e-7c55-9d3e-0c6e0a4f7b21');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('not known') });
});
