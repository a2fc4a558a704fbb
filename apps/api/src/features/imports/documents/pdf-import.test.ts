import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { counts, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { sql } from '../../../db/sql.ts';
import { createSecrets } from '../../../secrets.ts';
import { numbersOfName } from '../invoices/named-pdf.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
import { previewDocument } from '../invoices/take-document.ts';
import { retryQuarantined } from '../quarantine/retry.ts';
import { undoNow } from '../runs/undo-job.ts';
import { samplePdf } from './sample-pdf.ts';

const fixture = useImportFixture();
const now = new Date('2026-04-02T10:00:00Z');

const pdfOf = (number: string, buyer?: string) =>
  fixture.file(
    samplePdf({
      name: 'factur-x.xml',
      content: sampleUbl({ number, ...(buyer && { buyer, buyerName: 'Quay House' }) }),
    }),
  );
const documents = () =>
  fixture.db.many<{ number: string; file_key: string }>(sql`
    select i.number, d.file_key from invoice_document d
      join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id`);

describe('invoices that come as PDF', () => {
  it('are kept with their PDF, which goes with them when the import is undone', async () => {
    const path = await pdfOf('P-1');
    expect(counts(await fixture.run([path]))).toEqual([[1, 0, 0, 0]]);
    const [kept, ...others] = await documents();
    expect([kept?.number, others]).toEqual(['P-1', []]);
    const file = await fixture.files.read(kept?.file_key ?? '');
    file?.content.destroy();
    expect(file).toBeDefined();
    const { id } = await fixture.db.one<{ id: string }>(sql`
      update import_file set state = 'undoing' where format = 'facturx' returning id`);
    const writers = entityWriters({
      secrets: createSecrets('a key only for this test, long enough'),
      publicUrl: new URL('http://localhost'),
    });
    await undoNow({ db: fixture.db, files: fixture.files, writers }, id, now);
    expect(await documents()).toEqual([]);
    expect(await fixture.files.read(kept?.file_key ?? '')).toBeUndefined();
    expect(counts(await fixture.run([path]))).toEqual([[1, 0, 0, 0]]);
  });

  it('wait with their PDF for a buyer who is not known yet, and come in with it', async () => {
    const buyer = `73${randomUUID().slice(0, 8)}`;
    expect(counts(await fixture.run([await pdfOf('P-2', buyer)]))).toEqual([[0, 0, 0, 1]]);
    await fixture.addCustomer('Quay House', { endpoint: `0088:${buyer}` });
    const { db, files } = fixture;
    const secrets = createSecrets('a key only for this test, long enough');
    const deps = { db, files, secrets, publicUrl: new URL('http://localhost:3000') };
    expect(await retryQuarantined(deps, { only: 'all', now })).toMatchObject({ taken: 1 });
    expect(await documents()).toMatchObject([{ number: 'P-2' }]);
  });
});

describe('a PDF without an e-invoice', () => {
  const plain = (text = '') => Buffer.concat([samplePdf({}), Buffer.from(`%${text}\n`)]);
  const shown = async () =>
    (
      await fixture.db.many<{ number: string; size: number }>(sql`
        select i.number, d.size_bytes as size from invoice_document d
          join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id order by i.number`)
    ).map(({ number, size }) => [number, size]);

  it.each([
    ['INV-2026/7.pdf', ['INV20267']],
    ['inv_2026_7 (2).PDF', ['INV20267']],
    ['Invoice INV-77.pdf', ['INVOICEINV77', 'INV77']],
    ['Rechnung_4711.pdf', ['RECHNUNG4711', '4711']],
    ['invoice.pdf', ['INVOICE']],
    ['№.pdf', []],
  ])('%s may be called by %j', (name, numbers) => {
    expect(numbersOfName(name)).toEqual(numbers);
  });

  it('becomes the document of the invoice that it is called by, and of none where that is in doubt', async () => {
    await fixture.take({ number: 'D-1/7' });
    await fixture.take({ number: 'D-17' });
    await fixture.take({ number: 'D-2' });
    const inDoubt = await fixture.file(plain('a'), 'D-1-7.pdf');
    const unknown = await fixture.file(plain('b'), 'D-2 of Harbour Office.pdf');
    const right = await fixture.file(plain(), 'Invoice_d-2.pdf');
    expect(counts(await fixture.run([inDoubt, unknown, right]))).toEqual([
      [0, 0, 0, 1],
      [0, 0, 0, 1],
      [1, 0, 0, 0],
    ]);
    expect(await shown()).toEqual([['D-2', plain().length]]);
    expect(counts(await fixture.run([right]))).toEqual([[0, 0, 1, 0]]);
    await fixture.file(plain('another'), 'Invoice_d-2.pdf');
    expect(counts(await fixture.run([right]))).toEqual([[0, 1, 0, 0]]);
    expect(await shown()).toEqual([['D-2', plain('another').length]]);
    const before = [await fixture.file(plain(), 'D-9.pdf'), await fixture.file(sampleUbl({ number: 'D-9' }))];
    expect(counts(await fixture.run(before))).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
    const reasons = await fixture.db.many<{ reason: string }>(sql`
      select reason from quarantine_entry order by reason`);
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'a PDF without an e-invoice inside, and not called by the number of an invoice that is in the books',
      'a PDF without an e-invoice inside; several invoices have the number it is called by (D-1/7, D-17)',
    ]);
  });

  it('is of no other customer’s invoice, and goes with its import when that is undone', async () => {
    await fixture.take({ number: 'D-3' });
    const path = await fixture.file(plain(), 'D-3.pdf');
    expect(counts(await fixture.run([path], { customer: await fixture.addCustomer('Other', {}) }))).toEqual([
      [0, 0, 0, 1],
    ]);
    const secrets = createSecrets('a key only for this test, long enough');
    const looked = { name: 'D-3.pdf', target: { resellerId: 7100, defaultCustomerId: null }, now };
    const preview = () =>
      previewDocument(
        { db: fixture.db, secrets, publicUrl: new URL('http://localhost') },
        { ...looked, content: Readable.from([plain()]) },
      );
    expect(await preview()).toMatchObject({ created: 1, warnings: ['D-3.pdf is the document of D-3'] });
    expect(counts(await fixture.run([path]))).toEqual([[1, 0, 0, 0]]);
    expect(await preview()).toMatchObject({ created: 0, unchanged: 1 });
    const { id } = await fixture.db.one<{ id: string }>(sql`
      update import_file set state = 'undoing' where format = 'facturx' and created_n = 1 returning id`);
    const writers = entityWriters({ secrets, publicUrl: new URL('http://localhost') });
    await undoNow({ db: fixture.db, files: fixture.files, writers }, id, now);
    expect(await shown()).toEqual([]);
  });
});
