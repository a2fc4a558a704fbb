import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { factories } from '@counterfoil/testing/factories.ts';
import { expect, it } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import { type SampleDocument, sampleUbl } from '../../features/imports/invoices/sample-documents.ts';

const commands = useCommands();
const { run, json, database } = commands;

it('invoices are listed, shown and changed by number; refusals are those of the interface', async () => {
  await json('reseller', 'add', '--name', 'Northwind', '--id', '7');
  const added = await json<{ id: string }>(
    'customer',
    'add',
    '--reseller',
    '7',
    '--label',
    'Acme',
    '--ref',
    'C-1',
  );
  const customerId = added.id;
  const make = factories(database.pool());
  await make.invoice({ customerId, resellerId: 7, number: 'A-1' });
  await make.invoice({ customerId, resellerId: 7, number: 'A-2' });
  const numbers = async (...filter: string[]) =>
    (await json<{ invoices: { number: string }[] }>('invoice', 'list', ...filter)).invoices
      .map(({ number }) => number)
      .sort((a, b) => a.localeCompare(b));
  expect(await numbers('--customer', 'C-1')).toEqual(['A-1', 'A-2']);
  expect(await json('invoice', 'show', 'A-1')).toMatchObject({ status: 'open', due: '110.00', lines: [] });
  expect(await json('invoice', 'dispute', 'A-1', '--note', 'called')).toMatchObject({ status: 'disputed' });
  expect(await json('invoice', 'reopen', 'A-1', '--note', 'agreed')).toMatchObject({ status: 'open' });
  const money = ['--reference', 'bank-1', '--received', '2026-01-05'];
  expect(await json('invoice', 'settle', 'A-1', ...money)).toMatchObject({ status: 'paid', due: '0.00' });
  expect(await run('invoice', 'void', 'A-1', '--note', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('was paid or credited'),
  });
  expect(await json('invoice', 'void', 'A-2', '--note', 'twice')).toMatchObject({ status: 'void' });
  expect(await numbers('--status', 'void')).toEqual(['A-2']);
  expect(await run('invoice', 'list', '--due-to', '2026-02-31')).toMatchObject({ code: 2 });
  expect(await run('invoice', 'show', 'A-9')).toMatchObject({ code: 1 });
  const { out } = await run('audit', '--reseller', '7');
  expect(out.match(/invoice\.changed/g)).toHaveLength(3);
});

it('a corrected invoice waits, and takes the place of the first one by command', async () => {
  await json('reseller', 'add', '--name', 'Southwind', '--id', '8');
  await json('customer', 'add', '--reseller', '8', '--label', 'Acme', '--ref', 'C-1');
  const take = async (document: SampleDocument) => {
    const file = join(commands.folder, 'invoice.xml');
    await writeFile(file, sampleUbl(document));
    return run('import', file, '--reseller', '8', '--customer', 'C-1');
  };
  await take({ number: 'B-1' });
  await take({ number: 'B-1', lines: [{ name: 'Other', amount: '10.00' }] });
  const waiting = ['quarantine', 'list', '--reseller', '8'] as const;
  const { entries } = await json<{ entries: { id: string; cause: string }[] }>(...waiting);
  expect(entries).toMatchObject([{ cause: 'differs' }]);
  const id = entries[0]?.id ?? '';
  expect(await run('invoice', 'correct', id, '--reseller', '7', '--note', 'x')).toMatchObject({ code: 1 });
  expect(await json('invoice', 'correct', id, '--note', 'the first was wrong')).toMatchObject({
    number: 'B-1',
  });
  expect(await json('invoice', 'show', 'B-1')).toMatchObject({ status: 'open', lines: [{ name: 'Other' }] });
  expect(await json(...waiting)).toMatchObject({ entries: [] });
  expect((await run('audit', '--reseller', '8')).out).toContain('invoice.corrected');
});
