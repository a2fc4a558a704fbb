import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resellerId, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { type SampleDocument, sampleUbl } from './sample-documents.ts';

const fixture = useImportFixture();

const credit = (number: string, credits: string, issuedOn = '2026-03-05'): SampleDocument => ({
  kind: 'creditNote',
  number,
  credits,
  issuedOn,
});
const half = (document: SampleDocument): SampleDocument => ({
  ...document,
  lines: [{ amount: '5.00' }],
  sums: ['5', '1', '6', '6'],
});
const plain = (number: string): SampleDocument => ({ kind: 'creditNote', number });

/** One that the database does not take. */
const broken: SampleDocument = { number: 'BROKEN' };

/** What may be met in one folder; several of these are one and the same invoice, or contradict or need one another. */
const documents: readonly (SampleDocument | string)[] = [
  { number: 'I-1' },
  { number: 'I-1', lines: [{ name: 'Other', amount: '10.00' }] },
  { number: 'I-1', supplier: '7300010000002' },
  { number: 'I-2' },
  { number: 'I-3', buyer: '7300010000903' },
  { number: 'I-4', buyer: '999', buyerName: 'Nobody' },
  { number: 'I-4', buyer: '999', buyerName: 'Pier Café' },
  broken,
  credit('C-1', 'I-1'),
  credit('C-2', 'I-1', '2026-03-04'),
  half(credit('C-3', 'I-2')),
  half(credit('C-4', 'I-2')),
  credit('C-5', 'I-9'),
  credit('C-6', 'I-9'),
  half(plain('C-7')),
  { ...half(plain('C-8')), sums: ['-5', '-1', '-6', '-6'] },
  '<Invoice>',
  'junk',
];

/** The books and all that is kept of imports, but for ids, tokens and times. */
const books = () =>
  Promise.all(
    [
      sql`select kind, number, supplier_key, status, payable_minor, credited_minor, due_minor, c.label
            from invoice i join customer c on c.customer_id = i.customer_id order by 1, 2, 3`,
      sql`select i.number, l.line_no, l.product_name, l.amount_minor, l.tax_minor
            from invoice_line l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id order by 1, i.kind, i.supplier_key, 2`,
      sql`select c.number, i.number as invoice, k.amount_minor
            from invoice_credit k join invoice c on c.customer_id = k.customer_id and c.id = k.credit_invoice_id
            join invoice i on i.customer_id = k.customer_id and i.id = k.invoice_id order by 1, 2`,
      sql`select debit, credit, amount_minor, source from ledger order by 1, 2, 3, 4`,
      sql`select balance_minor, held_minor from customer_credit order by 1`,
      sql`select i.number, count(*)::int as links from invoice_pay_link p
            join invoice i on i.customer_id = p.customer_id and i.id = p.invoice_id group by i.id, 1 order by 1`,
      sql`select identity, cause, reason, missing, length(record) as bytes from quarantine_entry order by identity`,
      sql`select m.type, m.data ->> 'number' as number, m.data ->> 'status' as status, count(*)::int as n from webhook_message m group by 1, 2, 3 order by 1, 2, 3`,
    ]
      .map((query) => fixture.db.many(query))
      .concat(files()),
  );

/** The files, with the numbers of what each made; put together here, since Citus joins nothing that is spread with what the coordinator alone has. */
async function files() {
  const numbers = new Map(
    (await fixture.db.many<{ id: string; number: string }>(sql`select id, number from invoice`)).map(
      ({ id, number }) => [id, number],
    ),
  );
  const rows = await fixture.db.many<{ made: readonly string[] }>(sql`
    select name, format, state, created_n, unchanged_n, quarantined_n, warnings,
           coalesce((select array_agg(made.id) from import_change m, unnest(m.ids) as made(id) where m.file_id = f.id), '{}')::text[] as made,
           (select array_agg(q.reason order by q.reason) from import_quarantine q where q.file_id = f.id) as reasons
      from import_file f order by name, created_n desc, quarantined_n`);
  return rows.map((row) => ({ ...row, made: row.made.map((id) => numbers.get(id)).sort() }));
}

async function empty(): Promise<void> {
  await fixture.query(`truncate invoice, invoice_identity, pay_link, ledger, customer_credit, import_file, import_quarantine,
    quarantine_entry, webhook_message, webhook_delivery cascade`);
}

/** Imports files so many at once. @returns what it said; or the fault that it broke off with */
async function take(files: readonly string[], setFiles: number): Promise<unknown> {
  try {
    const { invoices, ...report } = await fixture.run(files, { setFiles });
    return {
      ...report,
      invoices: invoices.map(({ payLink, ...one }) => ({ ...one, hasLink: payLink !== null })),
    };
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

describe('files that go in by sets', () => {
  it('end as if one came after the other, whatever they are, where one breaks off too', async () => {
    await fixture.addCustomer('Pier Café', { endpoint: '0088:7300010000903' });
    await fixture.query(
      `insert into webhook_endpoint (id, reseller_id, url, description, state, types, secret_sealed, created_at, updated_at)
       values (gen_random_uuid(), $1, 'https://hooks.example', '', 'enabled', '{}', '\\x00', now(), now())`,
      [resellerId],
    );
    const paths = await Promise.all(
      documents.map((one) => fixture.file(typeof one === 'string' ? one : sampleUbl(one))),
    );
    const whole = paths.filter((_, at) => documents[at] !== broken);
    await fixture.query("alter table invoice add constraint broken check (number <> 'BROKEN')");
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...paths), { minLength: 2, maxLength: 25 }),
          fc.integer({ min: 2, max: 30 }),
          async (files, setFiles) => {
            await empty();
            const alone = [await take(files, 1), await books()];
            await empty();
            expect([await take(files, setFiles), await books()]).toEqual(alone);
          },
        ),
        {
          numRuns: 10,
          examples: [
            [whole, 100],
            [[...whole, ...whole.toReversed()], 25],
          ],
        },
      );
    } finally {
      await fixture.query('alter table invoice drop constraint broken');
    }
  });
});
