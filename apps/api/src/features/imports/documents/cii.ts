import { type CurrencyCode, isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { ImportedInvoice, ImportedTaxElsewhere, ImportedTotals } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { ciiAllowancesOf, ciiLinesOf } from './cii-lines.ts';
import { ciiPartyAt } from './cii-party.ts';
import { ciiDayAt, ciiObjectOf, ciiPeriodAt } from './cii-values.ts';
import { boundedLines, isCreditCode, numberAt } from './document.ts';
import {
  all,
  amountAt,
  amountOf,
  currencyAt,
  DocumentFault,
  first,
  rateAt,
  requiredAmount,
  requiredText,
  textAt,
  textOf,
  textsAt,
} from './values.ts';

const ROOT = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100 CrossIndustryInvoice';

/**
 * A UN/CEFACT cross industry invoice (CII, D16B): the XML of Factur-X and ZUGFeRD, and a syntax of XRechnung. The members
 * are those that EN 16931 binds (CEN/TS 16931-3-3).
 * @returns undefined for a root element of another kind
 * @throws {DocumentFault}
 */
export function invoiceOfCii(root: XmlElement): ImportedInvoice | undefined {
  if (`${root.namespace} ${root.name}` !== ROOT) return undefined;
  const document = partOf(root, 'rsm:ExchangedDocument');
  const transaction = partOf(root, 'rsm:SupplyChainTradeTransaction');
  const agreement = partOf(transaction, 'ram:ApplicableHeaderTradeAgreement');
  const settlement = partOf(transaction, 'ram:ApplicableHeaderTradeSettlement');
  const typeCode = requiredText(document, 'ram:TypeCode');
  const currency = currencyAt(settlement, 'ram:InvoiceCurrencyCode');
  const issuedOn = ciiDayAt(document, 'ram:IssueDateTime');
  if (issuedOn === null) throw new DocumentFault(document.line, 'IssueDateTime is missing');
  return {
    kind: isCreditCode(typeCode) ? 'creditNote' : 'invoice',
    number: numberAt(document, 'ram:ID'),
    typeCode,
    issuedOn,
    dueOn: ciiDayAt(settlement, 'ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime'),
    currency,
    period: ciiPeriodAt(settlement, 'ram:BillingSpecifiedPeriod'),
    supplier: ciiPartyAt(agreement, 'SellerTradeParty'),
    buyer: ciiPartyAt(agreement, 'BuyerTradeParty'),
    notes: notesOf(document),
    costCentre: textAt(settlement, 'ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID'),
    serviceItem: ciiObjectOf(agreement),
    buyerReference: textAt(agreement, 'ram:BuyerReference'),
    orderReference: textAt(agreement, 'ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID'),
    contractReference: textAt(agreement, 'ram:ContractReferencedDocument/ram:IssuerAssignedID'),
    paymentTerms: textAt(settlement, 'ram:SpecifiedTradePaymentTerms/ram:Description'),
    paymentReferences: [...new Set(textsAt(settlement, 'ram:PaymentReference'))],
    billingReferences: billingReferencesOf(settlement),
    lines: boundedLines(root, ciiLinesOf(transaction, currency)),
    allowances: ciiAllowancesOf(settlement, currency),
    ...taxesOf(settlement, currency),
    taxElsewhere: taxElsewhereOf(settlement, currency),
    totals: totalsOf(settlement, currency),
  };
}

function partOf(from: XmlElement, path: string): XmlElement {
  const part = first(from, path);
  if (part === undefined) throw new DocumentFault(from.line, `${path.slice(4)} is missing`);
  return part;
}

/** A note with a subject code is written as in UBL: `#REG#text` (EN 16931, BT-21). */
function notesOf(document: XmlElement): readonly string[] {
  return all(document, 'ram:IncludedNote').flatMap((note) => {
    const content = textAt(note, 'ram:Content');
    const subject = textAt(note, 'ram:SubjectCode');
    return content === null ? [] : [subject === null ? content : `#${subject}#${content}`];
  });
}

function billingReferencesOf(settlement: XmlElement): ImportedInvoice['billingReferences'] {
  return all(settlement, 'ram:InvoiceReferencedDocument').flatMap((reference) => {
    const number = textAt(reference, 'ram:IssuerAssignedID');
    return number === null ? [] : [{ number, issuedOn: ciiDayAt(reference, 'ram:FormattedIssueDateTime') }];
  });
}

const SUMS = 'ram:SpecifiedTradeSettlementHeaderMonetarySummation';

function taxesOf(
  settlement: XmlElement,
  currency: CurrencyCode,
): Pick<ImportedInvoice, 'taxMinor' | 'taxes'> {
  const taxes = all(settlement, 'ram:ApplicableTradeTax').map((part) => ({
    category: textAt(part, 'ram:CategoryCode') ?? '',
    percent: rateAt(part, 'ram:RateApplicablePercent'),
    taxableMinor: requiredAmount(part, 'ram:BasisAmount', currency),
    taxMinor: requiredAmount(part, 'ram:CalculatedAmount', currency),
  }));
  const stated = taxTotals(settlement).find(
    (total) => (total.attributes.get('currencyID') ?? currency) === currency,
  );
  return { taxMinor: stated === undefined ? 0n : amountOf(stated, currency), taxes };
}

/** The sum of the tax, once in the currency of the document and once in the one it is paid in. */
const taxTotals = (settlement: XmlElement): readonly XmlElement[] =>
  all(settlement, `${SUMS}/ram:TaxTotalAmount`);

/** As in UBL, one that cannot be read is left aside: it is told beside the invoice's own figures. */
function taxElsewhereOf(settlement: XmlElement, currency: CurrencyCode): ImportedTaxElsewhere | null {
  const other = textAt(settlement, 'ram:TaxCurrencyCode');
  if (other === null || other === currency || !isCurrencyCode(other)) return null;
  const total = taxTotals(settlement).find((one) => one.attributes.get('currencyID') === other);
  if (total === undefined || textOf(total) === null) return null;
  try {
    return { currency: other, taxMinor: amountOf(total, other), rate: null, rateOn: null };
  } catch (error) {
    if (error instanceof DocumentFault) return null;
    throw error;
  }
}

function totalsOf(settlement: XmlElement, currency: CurrencyCode): ImportedTotals {
  const sums = partOf(settlement, SUMS);
  const optional = (name: string): bigint => amountAt(sums, `ram:${name}`, currency) ?? 0n;
  return {
    linesMinor: requiredAmount(sums, 'ram:LineTotalAmount', currency),
    taxExclusiveMinor: requiredAmount(sums, 'ram:TaxBasisTotalAmount', currency),
    taxInclusiveMinor: requiredAmount(sums, 'ram:GrandTotalAmount', currency),
    allowancesMinor: optional('AllowanceTotalAmount'),
    chargesMinor: optional('ChargeTotalAmount'),
    prepaidMinor: optional('TotalPrepaidAmount'),
    roundingMinor: optional('RoundingAmount'),
    payableMinor: requiredAmount(sums, 'ram:DuePayableAmount', currency),
  };
}
