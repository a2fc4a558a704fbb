import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { EAllowance, EInvoice, ELine, EParty, EPeriod, ETax } from './model.ts';
import { document, leaf, node, type Xml } from './xml-writer.ts';

const INVOICED_OBJECT = '130';
const CREDIT_TRANSFER = '30';

/**
 * Writes an e-invoice as UBL 2.1, Peppol BIS Billing 3.0.
 * @returns the document in UTF-8; whether it keeps to the rules, `checkEInvoice` says
 */
export function writeUbl(invoice: EInvoice): Buffer {
  const root = invoice.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  const { currency } = invoice;
  const write = writerOf(currency);
  return document(
    root,
    {
      '': `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
      cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    },
    leaf('cbc:CustomizationID', 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'),
    leaf('cbc:ProfileID', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'),
    leaf('cbc:ID', invoice.number),
    leaf('cbc:IssueDate', invoice.issuedOn),
    root === 'Invoice' ? leaf('cbc:DueDate', invoice.dueOn) : null,
    leaf(`cbc:${root}TypeCode`, invoice.typeCode),
    leaf('cbc:Note', invoice.note),
    leaf('cbc:DocumentCurrencyCode', currency),
    leaf('cbc:TaxCurrencyCode', invoice.taxElsewhere?.currency),
    leaf('cbc:AccountingCost', invoice.costCentre),
    leaf('cbc:BuyerReference', invoice.buyerReference),
    periodOf(invoice.period),
    node('cac:OrderReference', leaf('cbc:ID', invoice.orderReference)),
    invoice.preceding.map(({ number, issuedOn }) =>
      node(
        'cac:BillingReference',
        node('cac:InvoiceDocumentReference', leaf('cbc:ID', number), leaf('cbc:IssueDate', issuedOn)),
      ),
    ),
    node('cac:ContractDocumentReference', leaf('cbc:ID', invoice.contractReference)),
    objectOf('cac:AdditionalDocumentReference', invoice.serviceItem),
    node('cac:AccountingSupplierParty', partyOf(invoice.seller)),
    node('cac:AccountingCustomerParty', partyOf(invoice.buyer)),
    paymentOf(invoice),
    node('cac:PaymentTerms', leaf('cbc:Note', termsOf(invoice))),
    invoice.allowances.map((one) => write.allowance(one, categoryOf('cac:TaxCategory', one))),
    taxTotals(invoice),
    write.totals(invoice),
    invoice.lines.map((line) => write.line(line, root)),
  );
}

/** A credit note of UBL has no due date but in its terms. */
const termsOf = ({ kind, dueOn, paymentTerms }: EInvoice): string | null =>
  paymentTerms ?? (kind === 'creditNote' && dueOn !== null ? `Due ${dueOn}` : null);

const periodOf = (period: EPeriod | null): Xml =>
  node('cac:InvoicePeriod', leaf('cbc:StartDate', period?.from), leaf('cbc:EndDate', period?.to));

const objectOf = (name: string, id: string | null): Xml =>
  id === null ? null : node(name, leaf('cbc:ID', id), leaf('cbc:DocumentTypeCode', INVOICED_OBJECT));

function partyOf(party: EParty): Xml {
  const { endpoint, identifier, legalId } = party;
  return node(
    'cac:Party',
    leaf('cbc:EndpointID', endpoint?.id, { schemeID: endpoint?.scheme ?? '' }),
    node('cac:PartyIdentification', leaf('cbc:ID', identifier?.id, { schemeID: identifier?.scheme ?? '' })),
    node('cac:PartyName', leaf('cbc:Name', party.tradingName)),
    node(
      'cac:PostalAddress',
      leaf('cbc:StreetName', party.street[0]),
      leaf('cbc:AdditionalStreetName', party.street[1]),
      leaf('cbc:CityName', party.city),
      leaf('cbc:PostalZone', party.postalCode),
      leaf('cbc:CountrySubentity', party.region),
      node('cac:AddressLine', leaf('cbc:Line', party.street[2])),
      node('cac:Country', leaf('cbc:IdentificationCode', party.country)),
    ),
    party.vatId === null ? null : node('cac:PartyTaxScheme', leaf('cbc:CompanyID', party.vatId), vatScheme()),
    node(
      'cac:PartyLegalEntity',
      leaf('cbc:RegistrationName', party.name),
      leaf('cbc:CompanyID', legalId?.id, { schemeID: legalId?.scheme ?? '' }),
    ),
  );
}

const vatScheme = (): Xml => node('cac:TaxScheme', leaf('cbc:ID', 'VAT'));

const categoryOf = (
  name: string,
  { category, percent }: Pick<ETax, 'category' | 'percent'>,
  reason?: string | null,
): Xml =>
  node(
    name,
    leaf('cbc:ID', category),
    leaf('cbc:Percent', percent),
    leaf('cbc:TaxExemptionReason', reason),
    vatScheme(),
  );

function paymentOf({ payment }: EInvoice): Xml {
  if (payment === null) return null;
  return node(
    'cac:PaymentMeans',
    leaf('cbc:PaymentMeansCode', CREDIT_TRANSFER),
    leaf('cbc:PaymentID', payment.reference),
    node('cac:PayeeFinancialAccount', leaf('cbc:ID', payment.iban), leaf('cbc:Name', payment.accountName)),
  );
}

function taxTotals({ taxes, totals, taxElsewhere, currency }: EInvoice): readonly Xml[] {
  const { amount } = writerOf(currency);
  const parts = taxes.map((tax) =>
    node(
      'cac:TaxSubtotal',
      amount('cbc:TaxableAmount', tax.taxableMinor),
      amount('cbc:TaxAmount', tax.taxMinor),
      categoryOf('cac:TaxCategory', tax, tax.exemptionReason),
    ),
  );
  return [
    node('cac:TaxTotal', amount('cbc:TaxAmount', totals.taxMinor), parts),
    taxElsewhere === null
      ? null
      : node('cac:TaxTotal', writerOf(taxElsewhere.currency).amount('cbc:TaxAmount', taxElsewhere.taxMinor)),
  ];
}

/** What is written in one currency. */
function writerOf(currency: EInvoice['currency']) {
  const amount = (name: string, minor: bigint): Xml =>
    leaf(name, formatDecimal(money(minor, currency)), { currencyID: currency });
  const unlessZero = (name: string, minor: bigint): Xml => (minor === 0n ? null : amount(name, minor));
  const allowance = (one: Pick<EAllowance, 'isCharge' | 'reason' | 'amountMinor'>, category: Xml = null) =>
    node(
      'cac:AllowanceCharge',
      leaf('cbc:ChargeIndicator', `${one.isCharge}`),
      leaf('cbc:AllowanceChargeReason', one.reason),
      amount('cbc:Amount', one.amountMinor),
      category,
    );
  return {
    amount,
    allowance,
    totals: ({ totals, allowances }: EInvoice): Xml =>
      node(
        'cac:LegalMonetaryTotal',
        amount('cbc:LineExtensionAmount', totals.linesMinor),
        amount('cbc:TaxExclusiveAmount', totals.taxExclusiveMinor),
        amount('cbc:TaxInclusiveAmount', totals.taxInclusiveMinor),
        allowances.some((one) => !one.isCharge)
          ? amount('cbc:AllowanceTotalAmount', totals.allowancesMinor)
          : null,
        allowances.some((one) => one.isCharge) ? amount('cbc:ChargeTotalAmount', totals.chargesMinor) : null,
        unlessZero('cbc:PrepaidAmount', totals.prepaidMinor),
        unlessZero('cbc:PayableRoundingAmount', totals.roundingMinor),
        amount('cbc:PayableAmount', totals.payableMinor),
      ),
    line: (line: ELine, root: 'Invoice' | 'CreditNote'): Xml => {
      const unit = { unitCode: line.unit };
      return node(
        `cac:${root}Line`,
        leaf('cbc:ID', line.id),
        leaf(root === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', line.quantity, unit),
        amount('cbc:LineExtensionAmount', line.amountMinor),
        leaf('cbc:AccountingCost', line.costCentre),
        periodOf(line.period),
        objectOf('cac:DocumentReference', line.serviceItem),
        line.allowances.map((one) => allowance(one)),
        node(
          'cac:Item',
          leaf('cbc:Description', line.description),
          leaf('cbc:Name', line.name),
          node('cac:SellersItemIdentification', leaf('cbc:ID', line.productCode)),
          categoryOf('cac:ClassifiedTaxCategory', line),
        ),
        node(
          'cac:Price',
          leaf('cbc:PriceAmount', line.price, { currencyID: currency }),
          line.baseQuantity === '1' ? null : leaf('cbc:BaseQuantity', line.baseQuantity, unit),
        ),
      );
    },
  };
}
