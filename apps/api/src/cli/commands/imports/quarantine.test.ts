import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';
import { sampleCall, sampleUbl } from '../../../features/imports/invoices/sample-documents.ts';

const cli = useCommands();
const { run, json } = cli;

interface Listed {
  readonly waiting: number;
  readonly reasons: readonly { readonly cause: string; readonly count: number }[];
  readonly entries: readonly {
    readonly id: string;
    readonly cause: string;
    readonly record: string | null;
  }[];
}

it('what an import leaves is listed with its remedy, goes in when the customer is known, or is dropped', async () => {
  const at = (name: string) => join(cli.folder, name);
  await json('reseller', 'add', '--id', '4500', '--name', 'Quarantine');
  await writeFile(at('calls.csv'), sampleCall({ accountCode: '4711' }) + sampleCall({ accountCode: '9' }));
  await writeFile(at('invoice.xml'), sampleUbl({ number: 'Q-1', buyer: '555' }));
  const files = [at('calls.csv'), at('invoice.xml')];
  const told = await run('import', ...files);
  expect(told.code).toBe(3);
  expect(told.out).toMatch(/nobody is known by account code '4711'/);
  expect(told.out).toMatch(/2 × no customer is known by .*counterfoil customer add.*--account-code/);
  expect(told.out.split('\n').at(-1)).toMatch(/^Nothing went in; 3 are in quarantine\./);

  const list = (...args: readonly string[]) => json<Listed>('quarantine', 'list', ...args);
  expect(await list('--reseller', '4500')).toMatchObject({
    waiting: 3,
    reasons: [
      { cause: 'owner', count: 2 },
      { cause: 'buyer', count: 1 },
    ],
  });
  expect(await list('--reseller', '4501')).toMatchObject({ waiting: 0, entries: [] });
  expect((await run('quarantine', 'list', '--limit', '1')).out).toContain('… and 2 more');
  expect(await run('quarantine', 'list', '--reason', 'weather')).toMatchObject({ code: 2 });

  const known = ['--reseller', '4500', '--label', 'Quay', '--ref', 'K-1'];
  await json('customer', 'add', ...known, '--account-code', '4711');
  const set = ['customer', 'set', '--customer', 'K-1', '--endpoint', '0088:555'];
  expect(await json(...set)).toMatchObject({ added: [{ kind: 'endpoint', value: '0088:555' }] });
  expect(await json(...set)).toMatchObject({ added: [] });
  expect(await run('customer', 'set', '--customer', 'K-1')).toMatchObject({ code: 2 });

  // One still waits: its account is nobody's.
  const retried = await run('quarantine', 'retry', '--json');
  expect(retried.code).toBe(1);
  expect(JSON.parse(retried.out)).toMatchObject({
    tried: 3,
    taken: 2,
    waiting: 1,
    invoices: [{ number: 'Q-1', payLink: expect.stringContaining('/pay/') }],
  });
  const { entries } = await list();
  expect(entries).toMatchObject([{ cause: 'owner', record: expect.stringContaining('"9"') }]);
  const id = entries[0]?.id ?? '';
  expect(await json('quarantine', 'drop', id)).toEqual({ dropped: [id], notThere: [] });
  expect(await run('quarantine', 'drop', id)).toMatchObject({ code: 1 });
  expect(await run('quarantine', 'drop')).toMatchObject({ code: 2 });
  expect(await list()).toMatchObject({ waiting: 0 });
  const { events } = await json<{ events: { action: string }[] }>(
    'audit',
    '--reseller',
    '4500',
    '--since',
    '1h',
  );
  expect(events.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['quarantine.dropped', 'customer.changed']),
  );
});
