import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { counts, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { entityWriters } from '../../../bulk-kinds.ts';
import { sql } from '../../../db/sql.ts';
import { createSecrets } from '../../../secrets.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
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
