import type { StatementEntry } from '@counterfoil/contract/statement.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/signed-in.ts';
import { type Person, statementRows } from '../../../test/statement-rows.ts';
import { useWorld } from '../../../test/test-world.ts';
import { nodesOf, readPdf } from '../../pdf/read-pdf.ts';

const world = useWorld();
const { post, bill, statement } = statementRows(world);

beforeAll(() => world.clock.set('2026-05-10T12:00:00Z'));

describe('GET /v1/ec/statement/pdf', () => {
  const pdf = (person: Person, query: string) => person.get(`/v1/ec/statement/pdf?${query}`);
  const march = 'dateFrom=2026-03-01&dateTo=2026-03-31';
  /** As a table's cells are printed. */
  const printed = (amount: number) =>
    amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const printedDay = (day: string) => day.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2.$3.$1');

  it('holds the figures of the statement, and nothing of another customer', async () => {
    const [person, other] = [await signedIn(world), await signedIn(world)];
    await bill(person, 'P-1', '2026-02-01', 1_234_567n, { dueOn: '2026-02-20' });
    await bill(person, 'P-2', '2026-03-01', 5_000n);
    await post(person.customer.id, 'external', 'receivable', 6_000n, '2026-03-20T10:00:00Z');
    await post(person.customer.id, 'gateway', 'customerCredit', 7n, '2026-03-21T10:00:00Z');
    await bill(person, 'P-3', '2026-04-01', 1n);
    await bill(other, 'foreign-1', '2026-03-01', 999n);
    const answer = await pdf(person, march);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(answer.headers['content-disposition']).toContain(
      'attachment; filename="Statement_2026-03-01_2026-03-31.pdf"',
    );
    const read = await readPdf(answer.rawPayload);
    const table = nodesOf(read.pages[0]?.structure, 'TR').map((row) => row.children.map(({ text }) => text));
    const { opening, entries, closing, billed, paidAndCredited, ageing } = await statement(
      person,
      '2026-03-01',
      '2026-03-31',
    );
    const kinds: Record<string, string> = { invoice: 'Invoice', payment: 'Payment' };
    expect(table).toEqual([
      ['Date', 'Entry', 'Reference', 'Amount', 'Balance'],
      ['03.01.2026', 'Opening balance', '', '', printed(opening)],
      ...entries.map((entry: StatementEntry) => [
        ...[printedDay(entry.date), kinds[entry.kind], entry.reference],
        ...[printed(entry.amount), printed(entry.balance)],
      ]),
      ['03.31.2026', 'Closing balance', '', '', printed(closing)],
    ]);
    expect([table[1]?.[4], entries.length, table.at(-1)?.[4]]).toEqual(['12,345.67', 3, '12,335.60']);
    const paragraphs = nodesOf(read.pages[0]?.structure, 'P').map(({ text }) => text);
    expect(paragraphs).toEqual([
      expect.stringContaining(person.customer.label),
      'Period: 03.01.2026 – 03.31.2026',
      'Currency: USD',
      `Billed: ${printed(billed)}`,
      `Paid and credited: ${printed(paidAndCredited)}`,
      'Generated: 05.10.2026 12:00:00 UTC',
      `Not due ${printed(ageing.notDue)}`,
      `1–30 days overdue ${printed(ageing.days1To30)}`,
      `31–60 days overdue ${printed(ageing.days31To60)}`,
      `61–90 days overdue ${printed(ageing.days61To90)}`,
      `Over 90 days overdue ${printed(ageing.over90)}`,
      `Total ${printed(ageing.total)}`,
      `Unused credit ${printed(ageing.credit)}`,
    ]);
    expect(read.isMarked).toBe(true);
    expect(read.text).not.toMatch(/foreign|9\.99/);
  });

  it('refuses a reversed span, days that do not exist and more entries than it takes', async () => {
    const person = await signedIn(world);
    const refused = await pdf(person, 'dateFrom=2026-03-02&dateTo=2026-03-01');
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'usage.badRange']);
    expect((await pdf(person, 'dateFrom=2026-02-30&dateTo=2026-03-01')).statusCode).toBe(400);
    const add = (count: number) =>
      world.database.pool().query(
        `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
         select $1, id, 'external', 'receivable', 'USD', 1, 'external', id, 'x', '2026-03-05T00:00:00Z'
           from (select gen_random_uuid() as id from generate_series(1, $2::int)) ids`,
        [person.customer.id, count],
      );
    await add(2_000);
    expect((await pdf(person, march)).statusCode).toBe(200);
    await add(1);
    const tooLong = await pdf(person, march);
    expect([tooLong.statusCode, tooLong.json().code]).toEqual([413, 'statement.tooLong']);
  });
});
