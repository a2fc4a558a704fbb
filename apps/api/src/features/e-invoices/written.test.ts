import { describe, expect, it } from 'vitest';
import { type ReadDocument, readDocument } from '../imports/service.ts';
import { composeEInvoice } from './compose.ts';
import { checkEInvoice } from './rules.ts';
import { generatedRows, type SampleRows } from './sample-rows.ts';
import { writeCii } from './write-cii.ts';
import { writeUbl } from './write-ubl.ts';

const COUNT = 200;

function invoiceOf(read: ReadDocument) {
  if (!read.ok) throw new Error(`line ${read.line}: ${read.reason}`);
  return { ...read.invoice, lines: read.invoice.lines.map(({ at: _, ...line }) => line) };
}

const isHandedOut = ({ row, lines, facts }: SampleRows): boolean =>
  checkEInvoice(composeEInvoice(row, lines, facts)).length === 0;

const handedOut = Array.from({ length: COUNT }, (_, seed) => generatedRows(seed)).filter(isHandedOut);

describe('written e-invoices', () => {
  it('are read back from both syntaxes as the invoice of the books, to the cent', async () => {
    expect(handedOut.length).toBeGreaterThan(COUNT / 10);
    for (const { row, lines, facts } of handedOut) {
      const invoice = composeEInvoice(row, lines, facts);
      const ubl = invoiceOf(await readDocument(writeUbl(invoice)));
      const cii = invoiceOf(await readDocument(writeCii(invoice)));
      // UBL has no due date in a credit note, and names what is paid only where it says how.
      const dueOn = row.kind === 'creditNote' ? null : row.due_on;
      expect({ ...cii, dueOn, paymentTerms: null }).toEqual({ ...ubl, paymentTerms: null });
      const sign = row.kind === 'creditNote' ? -1n : 1n;
      expect([ubl.kind, ubl.number, ubl.currency]).toEqual([row.kind, row.number, row.currency]);
      expect([ubl.totals.taxExclusiveMinor, ubl.taxMinor, ubl.totals.payableMinor]).toEqual(
        [row.subtotal_minor, row.tax_minor, row.payable_minor].map((minor) => sign * minor),
      );
      expect(ubl.lines.map(({ amountMinor }) => amountMinor)).toEqual(
        lines.filter(({ kind }) => kind === 'line').map((line) => sign * line.amount_minor),
      );
    }
  });
});
