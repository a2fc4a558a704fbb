/** Documents for this feature's tests: small, our own, valid unless a test breaks them on purpose. */

export interface SampleLine {
  readonly name?: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly amount: string;
  /** Further elements after the amount. */
  readonly more?: string;
}

export interface SampleDocument {
  readonly kind?: 'invoice' | 'creditNote';
  readonly number?: string;
  readonly typeCode?: string;
  readonly issuedOn?: string;
  readonly currency?: string;
  readonly supplier?: string;
  /** Electronic address of the buyer, under scheme 0088; '' for none. */
  readonly buyer?: string;
  readonly buyerName?: string;
  readonly legalId?: string;
  readonly credits?: string;
  readonly lines?: readonly SampleLine[];
  /** Tax-exclusive, tax, tax-inclusive and payable, as text. */
  readonly sums?: readonly [string, string, string, string];
  /** Further elements inside LegalMonetaryTotal, before PayableAmount. */
  readonly totals?: string;
  /** Further elements after the currency. */
  readonly more?: string;
}

const cac = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const cbc = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** A UBL 2.1 document as text. */
export function sampleUbl(document: SampleDocument = {}): string {
  const root = document.kind === 'creditNote' ? 'CreditNote' : 'Invoice';
  const currency = document.currency ?? 'EUR';
  const [net, tax, gross, payable] = document.sums ?? ['10.00', '2.00', '12.00', '12.00'];
  const amount = (name: string, value: string): string =>
    `<b:${name} currencyID="${currency}">${value}</b:${name}>`;
  const lines = document.lines ?? [{ amount: '10.00' }];
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:a="${cac}" xmlns:b="${cbc}">
  <b:ID>${document.number ?? 'N-1'}</b:ID>
  <b:IssueDate>${document.issuedOn ?? '2026-03-01'}</b:IssueDate>
  <b:${root}TypeCode>${document.typeCode ?? (root === 'Invoice' ? '380' : '381')}</b:${root}TypeCode>
  <b:DocumentCurrencyCode>${currency}</b:DocumentCurrencyCode>
  ${document.more ?? ''}
  ${document.credits === undefined ? '' : `<a:BillingReference><a:InvoiceDocumentReference><b:ID>${document.credits}</b:ID></a:InvoiceDocumentReference></a:BillingReference>`}
  <a:AccountingSupplierParty><a:Party>
    <b:EndpointID schemeID="0088">${document.supplier ?? '7300010000001'}</b:EndpointID>
    <a:PartyLegalEntity><b:RegistrationName>Northline Telecom</b:RegistrationName></a:PartyLegalEntity>
  </a:Party></a:AccountingSupplierParty>
  <a:AccountingCustomerParty><a:Party>
    ${document.buyer === '' ? '' : `<b:EndpointID schemeID="0088">${document.buyer ?? '7300010000902'}</b:EndpointID>`}
    <a:PartyLegalEntity><b:RegistrationName>${document.buyerName ?? 'Harbour Office'}</b:RegistrationName>
      ${document.legalId === undefined ? '' : `<b:CompanyID>${document.legalId}</b:CompanyID>`}</a:PartyLegalEntity>
  </a:Party></a:AccountingCustomerParty>
  <a:TaxTotal>${amount('TaxAmount', tax)}<a:TaxSubtotal>${amount('TaxableAmount', net)}${amount('TaxAmount', tax)}
    <a:TaxCategory><b:ID>S</b:ID><b:Percent>20</b:Percent><a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:TaxCategory>
  </a:TaxSubtotal></a:TaxTotal>
  <a:LegalMonetaryTotal>${amount('LineExtensionAmount', net)}${amount('TaxExclusiveAmount', net)}
    ${amount('TaxInclusiveAmount', gross)}${document.totals ?? ''}${amount('PayableAmount', payable)}</a:LegalMonetaryTotal>
  ${lines.map((line, at) => sampleLine(root, currency, line, at + 1)).join('\n  ')}
</${root}>
`;
}

function sampleLine(root: string, currency: string, line: SampleLine, id: number): string {
  const quantity = root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  return `<a:${root}Line><b:ID>${id}</b:ID><b:${quantity} unitCode="MIN">${line.quantity ?? '1'}</b:${quantity}>
    <b:LineExtensionAmount currencyID="${currency}">${line.amount}</b:LineExtensionAmount>${line.more ?? ''}
    <a:Item><b:Name>${line.name ?? 'Calls'}</b:Name><a:ClassifiedTaxCategory><b:ID>S</b:ID><b:Percent>20</b:Percent></a:ClassifiedTaxCategory></a:Item>
    <a:Price><b:PriceAmount currencyID="${currency}">${line.price ?? line.amount}</b:PriceAmount></a:Price></a:${root}Line>`;
}

export interface SampleCall {
  readonly accountCode?: string;
  readonly source?: string;
  readonly destination?: string;
  readonly start?: string;
  readonly answer?: string;
  readonly billsec?: string;
  readonly disposition?: string;
  readonly uniqueId?: string;
}

/** One row of an Asterisk exchange's Master.csv, with its line end. */
export function sampleCall(call: SampleCall = {}): string {
  const start = call.start ?? '2026-03-02 09:00:00';
  const seconds = call.billsec ?? '60';
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return `${[
    quoted(call.accountCode ?? ''),
    quoted(call.source ?? '555-0100'),
    quoted(call.destination ?? '555-0199'),
    quoted('outbound'),
    quoted(`"Front desk" <${call.source ?? '555-0100'}>`),
    quoted('PJSIP/100-00000001'),
    quoted('PJSIP/trunk-00000002'),
    quoted('Dial'),
    quoted('PJSIP/trunk/5550199,30'),
    quoted(start),
    quoted(call.answer ?? start),
    quoted('2026-03-02 09:01:05'),
    '65',
    seconds,
    quoted(call.disposition ?? 'ANSWERED'),
    quoted('DOCUMENTATION'),
    quoted(call.uniqueId ?? '1772442000.1'),
    quoted(''),
  ].join(',')}\n`;
}
