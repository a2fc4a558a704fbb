import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { EAllowance, EInvoice, ELine, EParty, EPeriod, ETax } from './model.ts';
import { document, leaf, node, type Xml } from './xml-writer.ts';

const INVOICED_OBJECT = '130';
const CREDIT_TRANSFER = '30';
/** Eight digits, UNTDID 2379. */
const DATE_FORMAT = '102';

/**
 * Writes an e-invoice as a UN/CEFACT cross industry invoice (D16B), profile EN 16931 of Factur-X 1.0 and ZUGFeRD 2.
 * @returns the document in UTF-8; whether it keeps to the rules, `checkEInvoice` says
 */
export function writeCii(invoice: EInvoice): Buffer {
  const write = writerOf(invoice.currency);
  return document(
    'rsm:CrossIndustryInvoice',
    {
      rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
      qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
      udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
    },
    node(
      'rsm:ExchangedDocumentContext',
      node('ram:GuidelineSpecifiedDocumentContextParameter', leaf('ram:ID', 'urn:cen.eu:en16931:2017')),
    ),
    node(
      'rsm:ExchangedDocument',
      leaf('ram:ID', invoice.number),
      leaf('ram:TypeCode', invoice.typeCode),
      dayOf('ram:IssueDateTime', invoice.issuedOn),
      node('ram:IncludedNote', leaf('ram:Content', invoice.note)),
    ),
    node(
      'rsm:SupplyChainTradeTransaction',
      invoice.lines.map(write.line),
      agreementOf(invoice),
      '<ram:ApplicableHeaderTradeDelivery/>',
      write.settlement(invoice),
    ),
  );
}

const agreementOf = (invoice: EInvoice): Xml =>
  node(
    'ram:ApplicableHeaderTradeAgreement',
    leaf('ram:BuyerReference', invoice.buyerReference),
    partyOf('ram:SellerTradeParty', invoice.seller),
    partyOf('ram:BuyerTradeParty', invoice.buyer),
    referenceOf('ram:BuyerOrderReferencedDocument', invoice.orderReference),
    referenceOf('ram:ContractReferencedDocument', invoice.contractReference),
    objectOf(invoice.serviceItem),
  );

const referenceOf = (name: string, id: string | null): Xml => node(name, leaf('ram:IssuerAssignedID', id));

const objectOf = (id: string | null): Xml =>
  id === null
    ? null
    : node(
        'ram:AdditionalReferencedDocument',
        leaf('ram:IssuerAssignedID', id),
        leaf('ram:TypeCode', INVOICED_OBJECT),
      );

function dayOf(name: string, day: string | null | undefined, library: 'udt' | 'qdt' = 'udt'): Xml {
  return node(name, leaf(`${library}:DateTimeString`, day?.replaceAll('-', ''), { format: DATE_FORMAT }));
}

const periodOf = (period: EPeriod | null): Xml =>
  node(
    'ram:BillingSpecifiedPeriod',
    dayOf('ram:StartDateTime', period?.from),
    dayOf('ram:EndDateTime', period?.to),
  );

const accountOf = (costCentre: string | null): Xml =>
  node('ram:ReceivableSpecifiedTradeAccountingAccount', leaf('ram:ID', costCentre));

function partyOf(name: string, party: EParty): Xml {
  const { identifier, legalId, endpoint } = party;
  const hasScheme = (identifier?.scheme ?? '') !== '';
  return node(
    name,
    hasScheme ? null : leaf('ram:ID', identifier?.id),
    hasScheme ? leaf('ram:GlobalID', identifier?.id, { schemeID: identifier?.scheme ?? '' }) : null,
    leaf('ram:Name', party.name),
    node(
      'ram:SpecifiedLegalOrganization',
      leaf('ram:ID', legalId?.id, { schemeID: legalId?.scheme ?? '' }),
      leaf('ram:TradingBusinessName', party.tradingName),
    ),
    node(
      'ram:PostalTradeAddress',
      leaf('ram:PostcodeCode', party.postalCode),
      leaf('ram:LineOne', party.street[0]),
      leaf('ram:LineTwo', party.street[1]),
      leaf('ram:LineThree', party.street[2]),
      leaf('ram:CityName', party.city),
      leaf('ram:CountryID', party.country),
      leaf('ram:CountrySubDivisionName', party.region),
    ),
    node(
      'ram:URIUniversalCommunication',
      leaf('ram:URIID', endpoint?.id, { schemeID: endpoint?.scheme ?? '' }),
    ),
    node('ram:SpecifiedTaxRegistration', leaf('ram:ID', party.vatId, { schemeID: 'VA' })),
  );
}

/** What is written in one currency: amounts have no attribute but the sums of the tax. */
function writerOf(currency: EInvoice['currency']) {
  const text = (minor: bigint): string => formatDecimal(money(minor, currency));
  const amount = (name: string, minor: bigint): Xml => leaf(name, text(minor));
  const unlessZero = (name: string, minor: bigint): Xml => (minor === 0n ? null : amount(name, minor));
  const allowance = (one: Pick<EAllowance, 'isCharge' | 'reason' | 'amountMinor'>, tax: Xml = null): Xml =>
    node(
      'ram:SpecifiedTradeAllowanceCharge',
      node('ram:ChargeIndicator', leaf('udt:Indicator', `${one.isCharge}`)),
      amount('ram:ActualAmount', one.amountMinor),
      leaf('ram:Reason', one.reason),
      tax,
    );
  const line = (one: ELine): Xml => {
    const unit = { unitCode: one.unit };
    return node(
      'ram:IncludedSupplyChainTradeLineItem',
      node('ram:AssociatedDocumentLineDocument', leaf('ram:LineID', one.id)),
      node(
        'ram:SpecifiedTradeProduct',
        leaf('ram:SellerAssignedID', one.productCode),
        leaf('ram:Name', one.name),
        leaf('ram:Description', one.description),
      ),
      node(
        'ram:SpecifiedLineTradeAgreement',
        node(
          'ram:NetPriceProductTradePrice',
          leaf('ram:ChargeAmount', one.price),
          one.baseQuantity === '1' ? null : leaf('ram:BasisQuantity', one.baseQuantity, unit),
        ),
      ),
      node('ram:SpecifiedLineTradeDelivery', leaf('ram:BilledQuantity', one.quantity, unit)),
      node(
        'ram:SpecifiedLineTradeSettlement',
        taxOf('ram:ApplicableTradeTax', one),
        periodOf(one.period),
        one.allowances.map((part) => allowance(part)),
        node(
          'ram:SpecifiedTradeSettlementLineMonetarySummation',
          amount('ram:LineTotalAmount', one.amountMinor),
        ),
        objectOf(one.serviceItem),
        accountOf(one.costCentre),
      ),
    );
  };
  const breakdown = (tax: ETax): Xml =>
    node(
      'ram:ApplicableTradeTax',
      amount('ram:CalculatedAmount', tax.taxMinor),
      leaf('ram:TypeCode', 'VAT'),
      leaf('ram:ExemptionReason', tax.exemptionReason),
      amount('ram:BasisAmount', tax.taxableMinor),
      leaf('ram:CategoryCode', tax.category),
      leaf('ram:RateApplicablePercent', tax.percent),
    );
  const sums = ({ totals, allowances, taxElsewhere }: EInvoice): Xml =>
    node(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('ram:LineTotalAmount', totals.linesMinor),
      allowances.some((one) => one.isCharge) ? amount('ram:ChargeTotalAmount', totals.chargesMinor) : null,
      allowances.some((one) => !one.isCharge)
        ? amount('ram:AllowanceTotalAmount', totals.allowancesMinor)
        : null,
      amount('ram:TaxBasisTotalAmount', totals.taxExclusiveMinor),
      leaf('ram:TaxTotalAmount', text(totals.taxMinor), { currencyID: currency }),
      taxElsewhere === null
        ? null
        : leaf('ram:TaxTotalAmount', formatDecimal(money(taxElsewhere.taxMinor, taxElsewhere.currency)), {
            currencyID: taxElsewhere.currency,
          }),
      unlessZero('ram:RoundingAmount', totals.roundingMinor),
      amount('ram:GrandTotalAmount', totals.taxInclusiveMinor),
      unlessZero('ram:TotalPrepaidAmount', totals.prepaidMinor),
      amount('ram:DuePayableAmount', totals.payableMinor),
    );
  const settlement = (invoice: EInvoice): Xml =>
    node(
      'ram:ApplicableHeaderTradeSettlement',
      leaf('ram:PaymentReference', invoice.payment?.reference),
      leaf('ram:TaxCurrencyCode', invoice.taxElsewhere?.currency),
      leaf('ram:InvoiceCurrencyCode', currency),
      paymentOf(invoice),
      invoice.taxes.map(breakdown),
      periodOf(invoice.period),
      invoice.allowances.map((one) => allowance(one, taxOf('ram:CategoryTradeTax', one))),
      node(
        'ram:SpecifiedTradePaymentTerms',
        leaf('ram:Description', invoice.paymentTerms),
        dayOf('ram:DueDateDateTime', invoice.dueOn),
      ),
      sums(invoice),
      invoice.preceding.map(({ number, issuedOn }) =>
        node(
          'ram:InvoiceReferencedDocument',
          leaf('ram:IssuerAssignedID', number),
          dayOf('ram:FormattedIssueDateTime', issuedOn, 'qdt'),
        ),
      ),
      accountOf(invoice.costCentre),
    );
  return { line, settlement };
}

const taxOf = (name: string, { category, percent }: Pick<ETax, 'category' | 'percent'>): Xml =>
  node(
    name,
    leaf('ram:TypeCode', 'VAT'),
    leaf('ram:CategoryCode', category),
    leaf('ram:RateApplicablePercent', percent),
  );

function paymentOf({ payment }: EInvoice): Xml {
  if (payment === null) return null;
  return node(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    leaf('ram:TypeCode', CREDIT_TRANSFER),
    node(
      'ram:PayeePartyCreditorFinancialAccount',
      leaf('ram:IBANID', payment.iban),
      leaf('ram:AccountName', payment.accountName),
    ),
  );
}
