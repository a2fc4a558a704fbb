import { describe, expect, it } from 'vitest';
import { resellerId, useImportFixture } from '../../../test/fixtures/import-fixture.ts';
import { sql } from '../../db/sql.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { type ReadDocument, readDocument } from '../imports/service.ts';
import { composeEInvoice } from './compose.ts';
import { checkEInvoice } from './rules.ts';
import { generatedRows, sampleFacts } from './sample-rows.ts';
import { ublOf } from './service.ts';
import { writeCii } from './write-cii.ts';
import { writeUbl } from './write-ubl.ts';

const fixture = useImportFixture();
/** With PROVE=1 a thousand go out and in. */
const COUNT = process.env['PROVE'] === '1' ? 1_000 : 30;

/** Invoices that keep to all rules, and credit notes of invoices that are not here. */
function* handedOut() {
  for (let seed = 0; ; seed += 1) {
    const { row, lines, facts } = generatedRows(seed);
    const isCredit = row.kind === 'creditNote';
    if (isCredit && row.payable_minor > 0n) continue;
    const billingReferences = [{ number: `INV-${seed}`, issuedOn: null }];
    // UBL has no due date in a credit note.
    const parts = isCredit ? { due_on: null, details: { ...row.details, billingReferences } } : {};
    const invoice = composeEInvoice({ ...row, ...parts }, lines, facts);
    if (checkEInvoice(invoice).length === 0) yield invoice;
  }
}

/** What a document says, but for what lines say of their discounts in words once they are in the books. */
function told(read: ReadDocument) {
  if (!read.ok) throw new Error(`line ${read.line}: ${read.reason}`);
  return { ...read.invoice, lines: read.invoice.lines.map(({ at: _, description: __, ...line }) => line) };
}

describe('e-invoices that come back', () => {
  it('are one and the same as UBL and as CII, and go out as they came in', async () => {
    const invoices = handedOut().take(COUNT).toArray();
    const [asUbl, asCii] = await Promise.all(
      [writeUbl, writeCii].map((write) => Promise.all(invoices.map((one) => fixture.file(write(one))))),
    );
    const options = { customer: fixture.customerId };
    const first = await fixture.run(asUbl ?? [], options);
    expect(first.files.filter(({ created }) => created !== 1)).toEqual([]);
    const again = await fixture.run(asCii ?? [], options);
    expect(again.files.filter(({ unchanged }) => unchanged !== 1)).toEqual([]);
    await fixture.query('update brand set settings = settings || $2 where reseller_id = $1', [
      resellerId,
      { eInvoice: sampleFacts.settings },
    ]);
    const scope = authorisedCustomer(fixture.customerId, resellerId, 'system');
    for (const invoice of invoices) {
      const { id } = await fixture.db.one<{ id: string }>(
        sql`select id from invoice where number = ${invoice.number}`,
      );
      const { xml } = await ublOf(fixture.db, scope, id, 'provider');
      expect(told(await readDocument(xml))).toEqual(told(await readDocument(writeUbl(invoice))));
    }
  });
});
