import { expect, it } from 'vitest';
import { useCommands } from '../../../../test/fixtures/test-commands.ts';

const { run, json } = useCommands();

it('money from outside is booked once, listed, and taken back; refusals are those of the interface', async () => {
  await json('reseller', 'add', '--name', 'Northwind', '--id', '7');
  await json('brand', 'add', '--reseller', '7', '--name', 'Northwind');
  await json('customer', 'add', '--reseller', '7', '--label', 'Acme', '--ref', 'C-1');
  const add = ['payments', 'add', '--customer', 'C-1', '--reference', 'bank-1', '--amount', '12.50'];
  const more = ['--currency', 'eur', '--received', '2026-01-05'];
  const first = await json<{ id: string }>(...add, ...more);
  expect(first).toMatchObject({ isNew: true, toCredit: '12.50', currency: 'EUR', method: 'bankTransfer' });
  expect(await json(...add, ...more)).toMatchObject({ isNew: false, id: first.id });
  expect(await run(...add, '--currency', 'EUR', '--received', '2026-01-06')).toMatchObject({
    code: 1,
    err: expect.stringContaining('This reference names another payment'),
  });
  expect(await run(...add, '--currency', 'EUR', '--received', 'yesterday')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--received'),
  });
  expect(await json('payments', 'void', first.id, '--note', 'bounced')).toMatchObject({ status: 'voided' });
  expect((await run('payments', 'external', '--customer', 'C-1')).out).toMatch(/bank-1/);
  const { out } = await run('audit', '--reseller', '7');
  expect(['recorded', 'voided'].filter((what) => out.includes(`externalPayment.${what}`))).toHaveLength(2);
});
