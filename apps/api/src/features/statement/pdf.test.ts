import type { StatementEntry } from '@counterfoil/contract/statement.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { type Person, statementRows } from '../../../test/fixtures/statement-rows.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { nodesOf, readPdf } from '../../pdf/read-pdf.ts';

const fixture = useFixture();
const { post, bill, statement } = statementRows(fixture);

beforeAll(() => fixture.clock.set('2026-05-10T12:00:00Z'));

describe('GET /v1/ec/statement/pdf', () => {
  const pdf = (person: Person, query: string) => person.get(`/v1/ec/statement/pdf?${query}`);
  const march = 'dateFrom=2026-03-01&dateTo=2026-03-31';
  /** As a table's cells are printed. */
  const printed = (amount: number) =>
    amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const printedDay = (day: string) => day.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2.$3.$1');

  it('holds the figures of the statement, and nothing of another customer', async () => {
    const [person, other] = [await signedIn(fixture), await signedIn(fixture)];
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
    const total = (amount: number) => `${amount < 0 ? '−' : ''}$${printed(Math.abs(amount))}`;
    const minus = (amount: number) => printed(amount).replace('-', '−');
    expect(table).toEqual([
      ['Date', 'Document', 'What', 'Charged', 'Paid or credited', 'Balance, USD'],
      ['Opening balance on 03.01.2026', '', '', '', '', total(opening)],
      ...entries.map((entry: StatementEntry) => [
        printedDay(entry.date),
        entry.reference,
        kinds[entry.kind],
        ...(entry.amount > 0 ? [printed(entry.amount), ''] : ['', minus(entry.amount)]),
        printed(entry.balance),
      ]),
      ['3 entries', '', '', total(billed), total(paidAndCredited), ''],
      ['Closing balance on 03.31.2026', '', '', '', '', total(closing)],
      [
        'Open on 05.10.2026',
        'Not yet due',
        '1 – 30 days',
        '31 – 60 days',
        '61 – 90 days',
        'Over 90 days',
        'Together',
      ],
      [
        'Days after the due date',
        ...[
          ageing.notDue,
          ageing.days1To30,
          ageing.days31To60,
          ageing.days61To90,
          ageing.over90,
          ageing.total,
        ].map(total),
      ],
    ]);
    expect([table[1]?.[5], entries.length, table[6]?.[5]]).toEqual(['$12,345.67', 3, '$12,335.60']);
    const paragraphs = nodesOf(read.pages[0]?.structure, 'P').map(({ text }) => text);
    expect(paragraphs).toEqual(
      expect.arrayContaining([
        expect.stringContaining(person.customer.label),
        'Period 03.01.2026 – 03.31.2026',
        'Currency USD, US Dollar',
        `Unused credit: ${total(ageing.credit)}. It stays with us as your credit. It is used by itself for what you pay next, when you pay signed in or by Auto-Pay. If you would rather have it paid back, ask us.`,
      ]),
    );
    // A statement of days that are over asks for nothing.
    expect(read.text).not.toContain('Payment slip');
    expect(read.isMarked).toBe(true);
    expect(read.text).not.toMatch(/foreign|9\.99/);
  });

  it('up to today has a slip: what is overdue and what is due later, less the credit, is its amount', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'Q-1', '2026-04-01', 10_000n, { dueOn: '2026-04-20' });
    await bill(person, 'Q-2', '2026-05-01', 5_000n, { dueOn: '2026-05-20' });
    await bill(person, 'Q-3', '2026-05-02', 4_000n, { dueOn: '2026-06-20' });
    await bill(person, 'Q-4', '2026-05-03', 3_000n, { dueOn: '2026-07-20' });
    await post(person.customer.id, 'gateway', 'customerCredit', 2_000n, '2026-05-04T10:00:00Z');
    const settings = { postalAddress: ['1 Quay'], bankDetails: ['IBAN DE02'] };
    await fixture.database
      .pool()
      .query('update brand set settings = settings || $2 where reseller_id = $1', [
        person.customer.resellerId,
        JSON.stringify(settings),
      ]);
    await fixture.database
      .pool()
      .query("update customer set country = 'US' where customer_id = $1", [person.customer.id]);
    const answer = await pdf(person, 'dateFrom=2026-03-01&dateTo=2026-05-31');
    const [page] = (await readPdf(answer.rawPayload)).pages;
    const paragraphs = nodesOf(page?.structure, 'P').map(({ text }) => text);
    const slip = paragraphs.slice(paragraphs.lastIndexOf('Amount due'));
    expect(slip).toEqual(
      expect.arrayContaining([
        '$200.00',
        'Overdue, due now $100.00',
        'Due 05.20.2026 $50.00',
        'Due 06.20.2026 $40.00',
        'Later $30.00',
        'Your credit −$20.00',
        'IBAN DE02',
      ]),
    );
    expect(paragraphs).toContain('Overdue: $100.00');
    expect([page?.width, page?.height, page?.links.length]).toEqual([612, 792, 1]);
  });

  it('refuses a reversed span, days that do not exist and more entries than it takes', async () => {
    const person = await signedIn(fixture);
    const refused = await pdf(person, 'dateFrom=2026-03-02&dateTo=2026-03-01');
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'usage.badRange']);
    expect((await pdf(person, 'dateFrom=2026-02-30&dateTo=2026-03-01')).statusCode).toBe(400);
    const add = (count: number) =>
      fixture.database.pool().query(
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
