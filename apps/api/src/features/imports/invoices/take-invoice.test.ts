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

describe('invoices', () => {
  it('takes one whole, with its lines and a link to pay it', async () => {
    const report = await fixture.take({ number: 'A-1' });
    expect(counts(report)).toEqual([[1, 0, 0, 0]]);
    expect(report.invoices).toEqual([
      {
        number: 'A-1',
        customerId: fixture.customerId,
        kind: 'invoice',
        currency: 'EUR',
        total: '12.00',
        payLink: expect.stringMatching(/^http:\/\/bills\.example:3000\/pay\/[\w-]{22}$/),
      },
    ]);
    expect(await invoiceOf('A-1')).toMatchObject({ status: 10, due_minor: 1200n });
    const lines = await fixture.db.many(
      sql`select product_name, quantity, price, amount_minor, tax_minor from invoice_line`,
    );
    expect(lines).toEqual([
      {
        product_name: 'Calls',
        quantity: '1.000000',
        price: '10.000000',
        amount_minor: 1000n,
        tax_minor: 200n,
      },
    ]);
  });

  it('changes nothing the second time and shows the same link [decisions.5.invoice-same]', async () => {
    const first = await fixture.take({ number: 'A-1' });
    const again = await fixture.take({ number: 'A-1' });
    expect(counts(again)).toEqual([[0, 0, 1, 0]]);
    expect(again.invoices).toEqual(first.invoices);
    const { n } = await fixture.db.one<{ n: number }>(sql`select count(*)::int as n from invoice`);
    expect(n).toBe(1);
  });

  it('quarantines other content under the same identity [decisions.5.error.invoice-differs]', async () => {
    await fixture.take({ number: 'A-1' });
    const report = await fixture.take({ number: 'A-1', lines: [{ name: 'Other', amount: '10.00' }] });
    expect(counts(report)).toEqual([[0, 0, 0, 1]]);
    expect(report.quarantine[0]?.reason).toContain('differs');
    expect(report.quarantine[0]?.reason).toMatch(
      /^invoice A-1 .* from the one already taken from 'Northline Telecom'/,
    );
    expect(await fixture.db.many(sql`select reason from import_quarantine`)).toHaveLength(1);
  });

  it('tells apart what shares only a number [decisions.5.credits-same-table, decisions.5.invoice-identity]', async () => {
    const report = await fixture.run([
      await fixture.file(sampleUbl({ number: '7' })),
      await fixture.file(sampleUbl({ number: '7', kind: 'creditNote' })),
      await fixture.file(sampleUbl({ number: '7', supplier: '7300010000002' })),
    ]);
    expect(counts(report)).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ]);
  });

  it('flags contradictions and keeps the figures', async () => {
    const report = await fixture.take({
      number: 'A-1',
      lines: [{ quantity: '2', price: '10', amount: '10.00' }],
    });
    expect(report.files[0]?.warnings).toEqual([
      'line 1: quantity × price, less allowances, plus charges: 20.00, stated 10.00 EUR',
    ]);
    const row = await fixture.db.one<{ discrepancies: unknown; payable_minor: bigint }>(
      sql`select * from invoice`,
    );
    expect(row.payable_minor).toBe(1200n);
    expect(row.discrepancies).toEqual([
      { kind: 'lineAmount', lineNo: 1, expectedMinor: 2000, statedMinor: 1000 },
    ]);
  });

  it('takes totals of twelve digits before the point, and quarantines one more', async () => {
    const most = '999999999999.99';
    const report = await fixture.take({
      number: 'A-1',
      lines: [{ amount: most }],
      sums: [most, '0', most, most],
    });
    expect(counts(report)).toEqual([[1, 0, 0, 0]]);
    const more = '1000000000000.00';
    const path = await fixture.file(sampleUbl({ number: 'A-2', sums: [most, '0', most, more] }));
    const { quarantine } = await fixture.run([path]);
    expect(quarantine).toMatchObject([{ reason: expect.stringMatching(/PayableAmount .* is too large/) }]);
    expect(await fixture.db.many(sql`select payable_minor from invoice`)).toEqual([
      { payable_minor: 99_999_999_999_999n },
    ]);
  });

  it('keeps allowances and charges as lines and splits the tax over all', async () => {
    const entry = (isCharge: boolean, amount: string): string =>
      `<a:AllowanceCharge><b:ChargeIndicator>${isCharge}</b:ChargeIndicator><b:AllowanceChargeReason>Why</b:AllowanceChargeReason><b:Amount currencyID="EUR">${amount}</b:Amount><a:TaxCategory><b:ID>S</b:ID><b:Percent>20</b:Percent></a:TaxCategory></a:AllowanceCharge>`;
    await fixture.take({
      more: entry(false, '3.00') + entry(true, '1.00'),
      totals:
        '<b:AllowanceTotalAmount currencyID="EUR">3</b:AllowanceTotalAmount><b:ChargeTotalAmount currencyID="EUR">1</b:ChargeTotalAmount>',
      lines: [{ amount: '5.00' }, { amount: '7.00' }],
    });
    const rows = await fixture.db.many(
      sql`select line_no, kind, amount_minor, tax_minor from invoice_line order by line_no`,
    );
    expect(rows).toEqual([
      { line_no: 1, kind: 'line', amount_minor: 500n, tax_minor: 100n },
      { line_no: 2, kind: 'line', amount_minor: 700n, tax_minor: 140n },
      { line_no: 3, kind: 'allowance', amount_minor: -300n, tax_minor: -60n },
      { line_no: 4, kind: 'charge', amount_minor: 100n, tax_minor: 20n },
    ]);
  });

  it('finds the customer by electronic address, else legal id, else name [decisions.5.{ubl-customer-endpoint,ubl-customer-legal-id,ubl-customer-name}]', async () => {
    const byId = await fixture.addCustomer('Quay Ltd', { legalId: 'Q-55' });
    const byName = await fixture.addCustomer('Pier Café');
    const owner = async (document: SampleDocument) => (await fixture.take(document)).invoices[0]?.customerId;
    expect(await owner({ number: '1', buyerName: 'Pier Café' })).toBe(fixture.customerId);
    expect(await owner({ number: '2', buyer: 'unknown', legalId: 'Q-55', buyerName: 'Pier Café' })).toBe(
      byId,
    );
    expect(await owner({ number: '3', buyer: '', buyerName: 'Pier Café' })).toBe(byName);
  });

  it('quarantines an unknown buyer by name, unless a customer is given', async () => {
    const path = await fixture.file(sampleUbl({ buyer: '999', buyerName: 'Nobody' }));
    expect((await fixture.run([path])).quarantine).toMatchObject([
      { file: path, line: null, reason: "the buyer 'Nobody' (0088:999) is no known customer" },
    ]);
    expect(counts(await fixture.run([path], { customer: fixture.customerId }))).toEqual([[1, 0, 0, 0]]);
  });

  it('binds a line to the service item it names', async () => {
    const serviceItem = await fixture.addServiceItem('555-0100');
    await fixture.take({
      more: '<a:AdditionalDocumentReference><b:ID>555-0100</b:ID><b:DocumentTypeCode>130</b:DocumentTypeCode></a:AdditionalDocumentReference>',
    });
    expect(await fixture.db.one(sql`select service_item, service_item_id from invoice_line`)).toEqual({
      service_item: '555-0100',
      service_item_id: serviceItem,
    });
  });
});
