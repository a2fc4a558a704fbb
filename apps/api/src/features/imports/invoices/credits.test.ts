import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counts, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { type SampleDocument, sampleUbl } from './sample-documents.ts';

const fixture = useImportFixture();

const invoiceOf = (number: string) =>
  fixture.db.one<{
    status: number;
    due_minor: bigint;
    credited_minor: bigint;
    payable_minor: bigint;
    id: string;
  }>(sql`
    select * from invoice where number = ${number} and payable_minor > 0`);

describe('credits', () => {
  const invoice: SampleDocument = { number: 'I-1' };
  const note: SampleDocument = { kind: 'creditNote', number: 'C-1', credits: 'I-1', issuedOn: '2026-03-05' };
  const negative: SampleDocument = {
    number: 'C-1',
    credits: 'I-1',
    issuedOn: '2026-03-05',
    lines: [{ quantity: '-1', price: '10.00', amount: '-10.00' }],
    sums: ['-10', '-2', '-12', '-12'],
  };
  const half = (number: string): SampleDocument => ({
    ...note,
    number,
    lines: [{ amount: '5.00' }],
    sums: ['5', '1', '6', '6'],
  });

  it.each([
    ['a credit note', note],
    ['a negative invoice', negative],
  ])('%s settles the invoice it names', async (_name, credit) => {
    await fixture.take(invoice);
    const report = await fixture.take(credit);
    expect(report.invoices).toMatchObject([{ number: 'C-1', total: '-12.00', payLink: null }]);
    expect(await invoiceOf('I-1')).toMatchObject({ status: 12, due_minor: 0n, credited_minor: 1200n });
  });

  it('a credit that comes first is applied when its invoice comes', async () => {
    expect((await fixture.take(note)).files[0]?.warnings).toEqual([
      'credits invoice I-1, which is not here yet',
    ]);
    await fixture.take(invoice);
    expect(await invoiceOf('I-1')).toMatchObject({ status: 12, due_minor: 0n });
  });

  it('a second full credit of one invoice is quarantined, also while the invoice is missing [decisions.5.error.second-full-credit]', async () => {
    await fixture.take(note);
    const early = await fixture.take(negative);
    expect(early.quarantine[0]?.reason).toBe(
      'credits invoice I-1, which is credited in full already (by C-1)',
    );
    await fixture.take(invoice);
    const late = await fixture.take(negative);
    expect(counts(late)).toEqual([[0, 0, 0, 1]]);
    expect(await invoiceOf('I-1')).toMatchObject({ credited_minor: 1200n });
  });

  it('part credits add up, and what is left over stays the customer’s [decisions.5.credited-by-credit, decisions.5.credit-left-over]', async () => {
    await fixture.take(invoice);
    await fixture.take(half('C-1'));
    expect(await invoiceOf('I-1')).toMatchObject({ status: 10, due_minor: 600n });
    await fixture.take(half('C-2'));
    await fixture.take(half('C-3'));
    expect(await invoiceOf('I-1')).toMatchObject({ status: 12, due_minor: 0n });
    const [balance] = await fixture.db.many<{ left: bigint }>(sql`
      select (sum(amount_minor) filter (where credit = 'customerCredit')
            - sum(amount_minor) filter (where debit = 'customerCredit'))::bigint as left from ledger`);
    expect(balance?.left).toBe(600n);
  });

  it('leaves alone what an open payment holds', async () => {
    await fixture.take(invoice);
    await fixture.query("update invoice set held_minor = 1200 where number = 'I-1'");
    await fixture.take(note);
    expect(await invoiceOf('I-1')).toMatchObject({ status: 10, credited_minor: 0n, due_minor: 1200n });
  });

  it('gives a later invoice only what was not used otherwise meanwhile, and is not promised', async () => {
    await fixture.take(note);
    // As a payment does that uses 3.00 of it, and another that is open with 4.00.
    await fixture.query(`update customer_credit set balance_minor = balance_minor - 300, held_minor = 400`);
    await fixture.take(invoice);
    expect(await invoiceOf('I-1')).toMatchObject({ status: 10, credited_minor: 500n, due_minor: 700n });
    const [left] = await fixture.db.many(sql`select balance_minor, held_minor from customer_credit`);
    expect(left).toEqual({ balance_minor: 400n, held_minor: 400n });
  });

  it('is not taken by a credit note below zero', async () => {
    const report = await fixture.take({ ...negative, kind: 'creditNote' });
    expect(report.quarantine[0]?.reason).toMatch(/below zero/);
  });

  it('ends the same in whatever order the files come', async () => {
    const documents = [invoice, note, negative, { number: 'I-2' }, { ...half('C-9'), credits: 'I-2' }];
    const paths = await Promise.all(documents.map((document) => fixture.file(sampleUbl(document))));
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(paths, { minLength: paths.length }),
        fc.integer({ min: 0, max: 5 }),
        async (order, cut) => {
          await fixture.query(
            'truncate invoice, invoice_identity, pay_link, ledger, customer_credit cascade',
          );
          // In one go, then all again: a second run never changes anything.
          await fixture.run(order);
          await fixture.run(order.slice(cut));
          const rows = await fixture.db.many<{ number: string }>(sql`
          select kind, number, payable_minor::text, credited_minor::text, due_minor::text, status
            from invoice order by kind, number, payable_minor`);
          ends.add(JSON.stringify(rows));
        },
      ),
      { numRuns: 12 },
    );
    expect(ends.size).toBe(1);
    expect([...ends][0]).toContain('"status":12');
  });

  it('run by run, the invoice ends the same whichever credit came first', async () => {
    const paths = await Promise.all(
      [invoice, note, negative].map((document) => fixture.file(sampleUbl(document))),
    );
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(paths, { minLength: paths.length }), async (order) => {
        await fixture.query('truncate invoice, invoice_identity, pay_link, ledger, customer_credit cascade');
        const quarantined: number[] = [];
        for (const path of order)
          quarantined.push(...(await fixture.run([path])).files.map((entry) => entry.quarantined));
        expect(quarantined.filter((n) => n === 1)).toHaveLength(1);
        expect(await invoiceOf('I-1')).toMatchObject({ status: 12, due_minor: 0n, credited_minor: 1200n });
      }),
      { numRuns: 8 },
    );
  });

  it('two imports at once take each document once', async () => {
    const paths = await Promise.all(
      [invoice, note, half('C-2')].map((document) => fixture.file(sampleUbl(document))),
    );
    const reports = await Promise.all([
      fixture.run(paths),
      fixture.run([...paths].reverse()),
      fixture.run(paths),
    ]);
    const created = reports.flatMap((report) => report.files).reduce((sum, entry) => sum + entry.created, 0);
    expect(created).toBe(3);
    expect(await invoiceOf('I-1')).toMatchObject({ status: 12, credited_minor: 1200n });
  });
});
