import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesMatching } from '../../../../../../tools/project-files.ts';
import { sampleUbl } from '../invoices/sample-documents.ts';
import type { ReadDocument } from './read-document.ts';
import { readDocument } from './read-document.ts';
import { samplePdf } from './sample-pdf.ts';

const samples = join(import.meta.dirname, '../../../../../../../shared/samples');
const areHere = existsSync(samples);
const note = areHere ? '' : ' (skipped: no ../shared/samples beside the checkout)';

const reasonOf = (read: ReadDocument): string => (read.ok ? 'accepted' : `${read.line}: ${read.reason}`);
const invoiceOf = (read: ReadDocument) => {
  if (!read.ok) throw new Error(reasonOf(read));
  // Lines of the file differ, and nothing else may.
  return { ...read.invoice, lines: read.invoice.lines.map(({ at: _, ...line }) => line) };
};

describe(`one invoice in three syntaxes${note}`, () => {
  it.skipIf(!areHere)('reads the same from UBL, CII and the PDF', async () => {
    const files = filesMatching(samples, /EN16931_Einfach[^/]*\.(xml|pdf)$/);
    const read = await Promise.all(files.map((name) => readDocument(readFileSync(join(samples, name)))));
    const [first, ...others] = read.map(invoiceOf);
    expect(others).toEqual([first, first]);
    expect(read.filter((one) => one.ok && one.pdf !== undefined)).toHaveLength(1);
  });
});

describe('readDocument', () => {
  it('reads the invoice inside a PDF, whatever the case of its name', async () => {
    const pdf = samplePdf({ name: 'Factur-X.XML', content: sampleUbl({ number: 'P-1' }) });
    const read = await readDocument(pdf);
    expect(read).toMatchObject({ ok: true, invoice: { number: 'P-1' } });
    expect(read.pdf).toBe(pdf);
  });

  it.each([
    ['nothing inside', {}, /^1: a PDF without an e-invoice inside \(no factur-x\.xml/],
    ['another file', { name: 'notes.txt' }, /attachments are no e-invoice .*there is notes\.txt/],
    ['an empty one', { content: '' }, /factur-x\.xml in the PDF is empty/],
    ['broken XML', { content: '<a>\n<b></a>' }, /^\d: factur-x\.xml in the PDF: not well-formed XML/],
    ['no invoice', { content: '<html/>' }, /'html' is neither a UBL/],
    ['entities', { content: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }, /DOCTYPE/],
    ['a password', { isEncrypted: true }, /the PDF is encrypted: it opens only with a password/],
    ['only its beginning', { keep: 200 }, /the PDF cannot be read: Invalid PDF structure/],
  ])('says why it cannot take a PDF with %s', async (_, parts, reason) => {
    const hasInvoice = 'name' in parts || 'content' in parts || 'isEncrypted' in parts;
    const pdf = samplePdf(hasInvoice ? { name: 'factur-x.xml', content: sampleUbl(), ...parts } : parts);
    expect(reasonOf(await readDocument(pdf))).toMatch(reason);
  });

  it('gives up a small PDF that unpacks to gigabytes, and reads the next one', async () => {
    const bomb = samplePdf({ name: 'factur-x.xml', content: 'bomb' });
    expect(reasonOf(await readDocument(bomb))).toMatch(/unpacks to more than may be held in memory/);
    expect(await readDocument(samplePdf({ name: 'factur-x.xml', content: sampleUbl() }))).toMatchObject({
      ok: true,
    });
  });
});
