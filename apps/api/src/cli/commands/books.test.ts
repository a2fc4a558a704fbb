import { expect, it } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';

const { run, json, database } = useCommands();

it('says that the books agree, and where they do not', async () => {
  await json('reseller', 'add', '--id', '4301', '--name', 'Ledger');
  const { id } = await json<{ id: string }>('customer', 'add', '--reseller', '4301', '--label', 'Quay');
  expect(await run('books', 'verify')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^All \d+ rules of the books hold\.$/),
  });
  await database
    .pool()
    .query(
      "insert into account_day (customer_id, currency, day, billed_minor) values ($1, 'USD', '2026-01-01', 5)",
      [id],
    );
  expect(await run('books', 'verify')).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      `Broken: the sums of an account have what was summed of its invoices. 1 times: ${id}\n`,
    ),
  });
});
