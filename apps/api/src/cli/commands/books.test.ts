import { expect, it, vi } from 'vitest';
import { useCommands } from '../../../test/fixtures/test-commands.ts';
import { slowRules } from './books.ts';

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

it('says which rule it is at where one takes long', () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const { onRule, end } = slowRules((line) => lines.push(line));
    onRule('short', 1, 3);
    vi.advanceTimersByTime(900);
    onRule('long', 2, 3);
    vi.advanceTimersByTime(30_000);
    onRule('last', 3, 3);
    vi.advanceTimersByTime(500);
    end();
    vi.advanceTimersByTime(30_000);
    expect(lines).toEqual(['rule 2 of 3: long']);
  } finally {
    vi.useRealTimers();
  }
});
