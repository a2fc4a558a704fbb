import { describe, expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { FEW_ROWS } from '../../../http/answers/whole-list.ts';
import type { LetterPart } from '../../../pdf/letter/letter.ts';
import { renderLetter } from '../../../pdf/letter/render-letter.ts';
import { sampleLetter } from '../../../pdf/letter/sample-letter.ts';
import { readPdf } from '../../../pdf/read-pdf.ts';
import type { InvoiceLineRow } from '../invoice-row.ts';
import { classOf, LINE_CLASSES, LineFacts } from './line-facts.ts';
import { chargeRows, chargesOf, manyCharges, WidestRows } from './summary.ts';

const line = (at: number, over: Partial<InvoiceLineRow> = {}): InvoiceLineRow => ({
  id: `${at}`,
  line_no: at,
  kind: 'line',
  product_name: `Product ${at % 23}`,
  details:
    at % 7 === 0 ? 'with more to say about it than the width of its column has room for'.repeat(2) : '',
  service_name: null,
  record_type: null,
  record_unit: null,
  service_item: `item ${at}`,
  cost_centre: null,
  date_from: null,
  date_to: null,
  quantity: String((at * 7919) % 90_000),
  unit: '',
  price: String(((at * 104_729) % 100_000) / 10_000),
  base_quantity: '1',
  amount_minor: BigInt((at * 15_485_863) % 10_000_000) - 2_000n,
  tax_minor: 0n,
  tax_percent: '10',
  usage_records: 0,
  has_archived_usage: false,
  ...over,
});
const many = (count: number, over: (at: number) => Partial<InvoiceLineRow>) =>
  Array.from({ length: count }, (_, at) => line(at, over(at)));

describe('charges whose rows come', () => {
  const month = { date_from: '2026-10-01', date_to: '2026-10-31' };
  it.each<[string, readonly InvoiceLineRow[]]>([
    ['plain lines', many(400, () => ({}))],
    ['lines of one period', many(120, () => month)],
    [
      'all classes, units and periods',
      many(
        700,
        (at) =>
          [
            { unit: 'SEC', ...month },
            { unit: 'MON' },
            { unit: '4L', ...(at > 9 ? month : {}) },
            { kind: 'allowance' as const, amount_minor: -BigInt(at) },
          ][at % 4] ?? {},
      ),
    ],
    ['as few as stand together', many(3, () => ({}))],
    ['one', many(1, () => ({}))],
    ['none', []],
  ])('stand on paper as those that are there: %s', async (_name, lines) => {
    const written = {
      show: (minor: bigint) => `${minor < 0n ? '−' : ''}$${minor < 0n ? -minor : minor}.00`,
      sign: '$',
      decimals: 2,
      costCentre: null,
    };
    const letter = sampleLetter(3);
    const whole = await chargesOf(lines)(written, -1);
    const facts = new LineFacts(lines);
    const widest = new WidestRows(facts, written);
    for (const one of lines) widest.add(one);
    const coming = await manyCharges(facts, widest)(written, -1);
    expect(coming).toMatchObject({ columns: whole.columns, rows: whole.rows });
    if (whole.all === undefined || coming.all === undefined) throw new Error('not all charges follow');
    const parts: LetterPart[] = [];
    const ordered = LINE_CLASSES.flatMap((of) => lines.filter((one) => classOf(one) === of));
    for await (const rows of chargeRows(ordered, facts, written)) parts.push({ kind: 'lines', lines: rows });
    const [one, other] = [
      renderLetter({ ...letter, blocks: [...letter.blocks, whole.all] }),
      renderLetter({ ...letter, blocks: [...letter.blocks, coming.all] }, parts),
    ];
    expect(await readPdf(other)).toEqual(await readPdf(one));
    if (parts.length > 1)
      expect(() =>
        renderLetter({ ...letter, blocks: coming.all ? [coming.all] : [] }, parts.slice(1)),
      ).toThrow('missing');
  });
});

const fixture = useFixture();

describe('the PDF of an invoice with more lines than are read at once', () => {
  const LINES = FEW_ROWS + 205;
  const run = (text: string, values: unknown[]) => fixture.database.pool().query(text, values);

  it('has each line once, class by class, in parts; nobody else is shown it', async () => {
    const mine = await signedIn(fixture);
    const other = await signedIn(fixture);
    const invoice = await fixture.seedPayable(mine.customer);
    await run(
      `insert into invoice_line (customer_id, id, invoice_id, line_no, kind, product_name, quantity, unit, price, currency, amount_minor)
       select $1, gen_random_uuid(), $2, n, case when n % 3 = 2 then 'allowance' else 'line' end,
              'P' || n || case n % 3 when 0 then 'fixed' when 1 then 'usage' else 'off' end, n,
              case n % 3 when 0 then 'MON' when 1 then 'SEC' else 'C62' end, 1, 'USD', 100
         from generate_series(1, $3::int) n`,
      [mine.customer.id, invoice.id, LINES],
    );
    const path = `/v1/ec/invoices/${invoice.id}`;
    const answer = await mine.get(path);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
    // Its length is not known when it begins.
    expect(answer.headers['content-length']).toBeUndefined();
    const { pages } = await readPdf(answer.rawPayload);
    const first = pages.findIndex(({ text }) => text.includes('All charges'));
    const drawn = pages.slice(first).flatMap(({ text }) => text.match(/\bP\d+(fixed|usage|off)\b/g) ?? []);
    const all = Array.from({ length: LINES }, (_, at) => at + 1);
    expect(drawn).toEqual([
      ...all.filter((n) => n % 3 === 0).map((n) => `P${n}fixed`),
      ...all.filter((n) => n % 3 === 1).map((n) => `P${n}usage`),
      ...all.filter((n) => n % 3 === 2).map((n) => `P${n}off`),
    ]);
    expect((await other.get(path)).statusCode).toBe(404);
  });
});
