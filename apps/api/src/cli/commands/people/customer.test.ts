import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const { run, json, database } = useCommands();

it('changes, disables, enables and finds a customer, on record with before and after', async () => {
  await json('reseller', 'add', '--id', '7300', '--name', 'Harbour');
  const add = (email: string) =>
    run(
      'customer',
      'add',
      '--reseller',
      '7300',
      '--label',
      'Quay',
      '--ref',
      'Q-1',
      '--email',
      email,
      '--city',
      'Oslo',
    );
  expect(await add('old@quay.example')).toMatchObject({ code: 0 });
  expect(await add('old@quay.example')).toMatchObject({ code: 0, out: expect.stringContaining('already') });
  // Who would change it is told how.
  expect(await add('new@quay.example')).toMatchObject({
    code: 1,
    err: expect.stringContaining('customer set'),
  });

  const set = (...args: string[]) => json<object>('customer', 'set', '--customer', 'Q-1', ...args);
  expect(await set('--email', 'New@Quay.Example', '--country', 'no')).toMatchObject({
    outcome: 'changed',
    email: 'new@quay.example',
    country: 'NO',
    address: { city: 'Oslo' },
  });
  expect(await set('--email', 'new@quay.example')).toMatchObject({ outcome: 'unchanged' });
  expect(await set('--country', '', '--address', '1 Quay St', '--account-code', 'A-1')).toMatchObject({
    country: null,
    address: { lines: ['1 Quay St'], city: 'Oslo' },
    added: [{ kind: 'accountCode', value: 'A-1' }],
  });
  for (const [args, words] of [
    [[], 'nothing to change'],
    [['--email', 'nobody'], 'email'],
    [['--label', ' '], 'label'],
    [['--brand', 'x'], 'brandId'],
  ] as const)
    expect(await run('customer', 'set', '--customer', 'Q-1', ...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    });
  expect(await run('customer', 'set', '--customer', 'Q-1', '--brand', '99')).toMatchObject({
    code: 1,
    err: expect.stringContaining('brand'),
  });

  expect(await json('customer', 'disable', '--customer', 'Q-1')).toMatchObject({ status: 'disabled' });
  const found = async (...args: string[]) =>
    (await json<{ customers: object[] }>('customer', 'list', '--reseller', '7300', ...args)).customers;
  expect(await found('--status', 'disabled', '--email', 'New@quay.example')).toMatchObject([
    { reference: 'Q-1', users: 0 },
  ]);
  expect(await json('customer', 'enable', '--customer', 'Q-1')).toMatchObject({ status: 'active' });
  expect(await found('--status', 'disabled')).toEqual([]);
  expect(await run('customer', 'list', '--status', 'gone')).toMatchObject({ code: 2 });

  const { rows } = await database
    .pool()
    .query("select action, detail from audit_event where action like 'customer.%' order by id");
  expect(rows).toMatchObject([
    { action: 'customer.added' },
    {
      action: 'customer.changed',
      detail: {
        'before.email': 'old@quay.example',
        'after.email': 'new@quay.example',
        'after.country': 'NO',
      },
    },
    { action: 'customer.changed', detail: { 'before.country': 'NO', 'after.country': null } },
    { action: 'customer.changed', detail: { knownBy: 'accountCode A-1' } },
    { action: 'customer.disabled' },
    { action: 'customer.enabled' },
  ]);
});
