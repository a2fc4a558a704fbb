import { formatDecimal } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { contradictionsOf } from '../invoices/contradictions.ts';
import type { ImportedInvoice } from '../invoices/imported-invoice.ts';
import { type SampleDocument, sampleUbl } from '../invoices/sample-documents.ts';
import { readXmlInvoice } from './read-xml.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(document: SampleDocument): ImportedInvoice {
  const result = readXmlInvoice(bytes(sampleUbl(document)));
  if (!result.ok) throw new Error(`line ${result.line}: ${result.reason}`);
  return result.invoice;
}

function reasonFor(document: SampleDocument): string {
  const result = readXmlInvoice(bytes(sampleUbl(document)));
  return result.ok ? 'accepted' : result.reason;
}

describe('readXmlInvoice', () => {
  it('reads an invoice into minor units, exact rates and days', () => {
    const invoice = read({
      number: 'A-7',
      more: '<b:AccountingCost>CC 12</b:AccountingCost><a:InvoicePeriod><b:StartDate>2026-02-01</b:StartDate><b:EndDate>2026-02-28</b:EndDate></a:InvoicePeriod><a:AdditionalDocumentReference><b:ID>555-0100</b:ID><b:DocumentTypeCode>130</b:DocumentTypeCode></a:AdditionalDocumentReference>',
      lines: [
        {
          name: 'Minutes',
          quantity: '100.50',
          price: '0.100',
          amount: '10.05',
          more: '<b:AccountingCost>CC 13</b:AccountingCost>',
        },
      ],
      sums: ['10.05', '2.01', '12.06', '12.10'],
      totals: '<b:PayableRoundingAmount currencyID="EUR">+0.04</b:PayableRoundingAmount>',
    });
    expect(invoice).toMatchObject({
      kind: 'invoice',
      number: 'A-7',
      typeCode: '380',
      issuedOn: '2026-03-01',
      dueOn: null,
      costCentre: 'CC 12',
      serviceItem: '555-0100',
      period: { from: '2026-02-01', to: '2026-02-28' },
      taxMinor: 201n,
      taxes: [{ category: 'S', percent: '20', taxableMinor: 1005n, taxMinor: 201n }],
      totals: { taxExclusiveMinor: 1005n, taxInclusiveMinor: 1206n, roundingMinor: 4n, payableMinor: 1210n },
      lines: [
        {
          id: '1',
          name: 'Minutes',
          quantity: '100.5',
          price: '0.1',
          amountMinor: 1005n,
          costCentre: 'CC 13',
          unitCode: 'MIN',
        },
      ],
      supplier: { endpoint: { scheme: '0088', id: '7300010000001' }, name: 'Northline Telecom' },
      buyer: { name: 'Harbour Office' },
    });
    expect(contradictionsOf(invoice)).toEqual([]);
  });

  it('tells credit notes, negative invoices and corrected invoices apart', () => {
    expect(read({ kind: 'creditNote', credits: 'N-0' })).toMatchObject({
      kind: 'creditNote',
      typeCode: '381',
      billingReferences: [{ number: 'N-0', issuedOn: null }],
    });
    expect(read({ typeCode: '381' }).kind).toBe('creditNote');
    expect(read({ typeCode: '384' })).toMatchObject({ kind: 'invoice', typeCode: '384' });
    const negative = read({
      lines: [{ quantity: '-1', price: '10.00', amount: '-10.00' }],
      sums: ['-10', '-2', '-12', '-12'],
    });
    expect(negative).toMatchObject({ kind: 'invoice', totals: { payableMinor: -1200n } });
    expect(contradictionsOf(negative)).toEqual([]);
  });

  it.each<[string, Partial<Record<'other' | 'tax' | 'rate' | 'source' | 'target', string>>, object | null]>([
    [
      'with its rate',
      {},
      { taxMinor: 2_251n, rate: expect.stringMatching(/^11\.2550*$/), rateOn: '2026-02-28' },
    ],
    ['without a rate', { rate: '' }, { taxMinor: 2_251n, rate: null, rateOn: null }],
    ['with a rate the other way', { source: 'SEK', target: 'EUR' }, { taxMinor: 2_251n, rate: null }],
    ['that has too many decimals', { tax: '22.513' }, null],
    ['of a currency that is not known', { other: 'XYZ' }, null],
    ['of the document’s own currency', { other: 'EUR', tax: '2.00' }, null],
  ])('reads the tax in the currency it is paid in, %s', (_name, over, expected) => {
    const { other = 'SEK', tax = '22.51', rate = '11.2550', source = 'EUR', target = 'SEK' } = over;
    const exchange =
      rate === ''
        ? ''
        : `<a:TaxExchangeRate><b:SourceCurrencyCode>${source}</b:SourceCurrencyCode><b:TargetCurrencyCode>${target}</b:TargetCurrencyCode>
           <b:CalculationRate>${rate}</b:CalculationRate><b:Date>2026-02-28</b:Date></a:TaxExchangeRate>`;
    const more = `<b:TaxCurrencyCode>${other}</b:TaxCurrencyCode>${exchange}${
      other === 'EUR'
        ? ''
        : `<a:TaxTotal><b:TaxAmount currencyID="${other}">${tax}</b:TaxAmount></a:TaxTotal>`
    }`;
    const { taxElsewhere, taxMinor } = read({ more });
    expect(taxMinor).toBe(200n);
    if (expected === null) expect(taxElsewhere).toBeNull();
    else expect(taxElsewhere).toMatchObject({ currency: 'SEK', ...expected });
  });

  it('knows the decimals of a currency', () => {
    expect(
      read({ currency: 'JPY', lines: [{ amount: '10.0' }], sums: ['10', '2', '12', '12'] }).totals
        .payableMinor,
    ).toBe(12n);
    expect(
      read({ currency: 'KWD', lines: [{ amount: '10.005' }], sums: ['10.005', '2', '12.005', '12.005'] })
        .totals.payableMinor,
    ).toBe(12_005n);
    expect(reasonFor({ currency: 'JPY', lines: [{ amount: '10.5' }] })).toMatch(
      /more than the 0 decimals of JPY/,
    );
  });

  it.each<[SampleDocument, RegExp]>([
    [{ lines: [{ amount: '10.005' }] }, /LineExtensionAmount 10\.005 has more than the 2 decimals of EUR/],
    [{ lines: [{ amount: '1e1' }] }, /'1e1' is not a number/],
    [{ lines: [{ amount: '10.00', price: '0.1234567' }] }, /PriceAmount 0\.1234567 has more than 6 decimals/],
    [{ lines: [{ amount: '10.00', quantity: '9'.repeat(13) }] }, /InvoicedQuantity .* is too large/],
    [{ sums: ['10', '2', '9'.repeat(20), '12'] }, /TaxInclusiveAmount .* is too large/],
    [{ sums: ['10', '2', '12', ''] }, /PayableAmount '' is not a number/],
    [{ currency: 'XYZ' }, /currency 'XYZ' is not known/],
    [{ issuedOn: '2026-02-30' }, /IssueDate '2026-02-30' is not a date/],
    [{ issuedOn: '' }, /IssueDate is missing/],
    [{ number: '' }, /ID is missing/],
    [{ number: 'x'.repeat(201) }, /longer than 200/],
    [{ lines: [] }, /no lines/],
    [
      { totals: '<b:PrepaidAmount currencyID="USD">1</b:PrepaidAmount>' },
      /PrepaidAmount is in USD in a document in EUR/,
    ],
    [
      {
        more: '<a:InvoicePeriod><b:StartDate>2026-02-02</b:StartDate><b:EndDate>2026-02-01</b:EndDate></a:InvoicePeriod>',
      },
      /ends before it starts/,
    ],
    [
      { more: '<a:AllowanceCharge><b:ChargeIndicator>yes</b:ChargeIndicator></a:AllowanceCharge>' },
      /neither true nor false/,
    ],
    [{ more: `<b:Note>${'x'.repeat(20_000)}</b:Note>` }, /Note is longer than/],
  ])('refuses what it cannot take exactly: %j', (document, reason) => {
    expect(reasonFor(document)).toMatch(reason);
  });

  it('gives the line of the file at which it stopped', () => {
    const text = sampleUbl({ issuedOn: 'soon' });
    const result = readXmlInvoice(bytes(text));
    expect(result).toMatchObject({
      ok: false,
      line: text.slice(0, text.indexOf('IssueDate')).split('\n').length,
    });
  });

  it('refuses other documents, other encodings and oversized files by name', () => {
    const reason = (data: Uint8Array): string => {
      const result = readXmlInvoice(data);
      return result.ok ? 'accepted' : result.reason;
    };
    expect(reason(bytes('<rsm:CrossIndustryInvoice xmlns:rsm="urn:x"/>'))).toMatch(/CII/);
    expect(reason(bytes('<html></html>'))).toMatch(/'html' is neither a UBL/);
    expect(reason(bytes('<Invoice></Invoice>'))).toMatch(/'Invoice' is neither a UBL/);
    expect(reason(bytes('<?xml version="1.0" encoding="EBCDIC"?><a/>'))).toMatch(/'EBCDIC' is not supported/);
    expect(reason(Buffer.from(sampleUbl({ buyerName: 'Caf\u00e9' }), 'latin1'))).toMatch(/not valid UTF-8/);
    expect(reason(new Uint8Array(21 * 1024 * 1024))).toMatch(/larger than 20 MiB/);
  });

  it('reads declared Latin-1 and marked UTF-16', () => {
    const latin = sampleUbl({ buyerName: 'Caf\u00e9' }).replace('UTF-8', 'ISO-8859-1');
    expect(readXmlInvoice(Buffer.from(latin, 'latin1'))).toMatchObject({
      invoice: { buyer: { name: 'Caf\u00e9' } },
    });
    const wide = Buffer.from(`\ufeff${sampleUbl({ buyerName: 'Caf\u00e9' })}`, 'utf16le');
    expect(readXmlInvoice(wide)).toMatchObject({ invoice: { buyer: { name: 'Caf\u00e9' } } });
  });
});

describe('contradictionsOf', () => {
  const kinds = (document: SampleDocument) =>
    contradictionsOf(read(document)).map(({ kind, lineNo, expected, stated }) => [
      kind,
      lineNo,
      formatDecimal(expected),
      formatDecimal(stated),
    ]);

  it('names every pair of figures that disagree and changes none', () => {
    expect(kinds({ lines: [{ quantity: '2', price: '10', amount: '10.00' }] })).toEqual([
      ['lineAmount', 1, '20.00', '10.00'],
    ]);
    expect(kinds({ lines: [{ amount: '9.00' }] })).toEqual([['linesVsSubtotal', null, '9.00', '10.00']]);
    expect(kinds({ sums: ['10', '2', '12.01', '12.01'] })).toEqual([
      ['subtotalPlusTaxVsTotal', null, '12.00', '12.01'],
    ]);
    expect(kinds({ sums: ['10', '2', '12', '13'] })).toEqual([['totalVsPayable', null, '12.00', '13.00']]);
    expect(kinds({ totals: '<b:AllowanceTotalAmount currencyID="EUR">1</b:AllowanceTotalAmount>' })).toEqual([
      ['allowances', null, '0.00', '1.00'],
    ]);
  });

  it('counts allowances and charges of the document and of a line', () => {
    const entry = (isCharge: boolean, amount: string): string =>
      `<a:AllowanceCharge><b:ChargeIndicator>${isCharge}</b:ChargeIndicator><b:Amount currencyID="EUR">${amount}</b:Amount></a:AllowanceCharge>`;
    const document: SampleDocument = {
      more: entry(false, '3.00') + entry(true, '1.00'),
      totals:
        '<b:AllowanceTotalAmount currencyID="EUR">3</b:AllowanceTotalAmount><b:ChargeTotalAmount currencyID="EUR">1</b:ChargeTotalAmount>',
      lines: [{ quantity: '3', price: '5', amount: '12.00', more: entry(false, '4') + entry(true, '1') }],
    };
    expect(kinds(document)).toEqual([]);
  });

  it('words them for a person', () => {
    const [found] = contradictionsOf(read({ lines: [{ quantity: '2', price: '10', amount: '10.00' }] }));
    expect(found?.text).toBe(
      'line 1: quantity × price, less allowances, plus charges: 20.00, stated 10.00 EUR',
    );
  });
});
