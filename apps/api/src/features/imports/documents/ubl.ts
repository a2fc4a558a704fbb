import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { Day } from '@counterfoil/domain/time/dates.ts';
import type { ImportedInvoice, ImportedTotals } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { boundedLines, isCreditCode, numberAt } from './document.ts';
import { allowancesOf, documentObjectOf, linesOf, periodAt } from './ubl-lines.ts';
import { partyAt } from './ubl-party.ts';
import { taxElsewhereOf, taxesOf } from './ubl-tax.ts';
import {
  all,
  amountAt,
  currencyAt,
  DocumentFault,
  dayAt,
  first,
  requiredAmount,
  textAt,
  textsAt,
} from './values.ts';

const roots: Readonly<Record<string, 'invoice' | 'creditNote'>> = {
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 Invoice': 'invoice',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2 CreditNote': 'creditNote',
};

/**
 * A UBL 2.1 invoice or credit note (OASIS UBL 2.1; EN 16931 names the members it needs).
 * @returns undefined for a root element of another kind
 * @throws {DocumentFault}
 */
export function invoiceOfUbl(root: XmlElement): ImportedInvoice | undefined {
  const form = roots[`${root.namespace} ${root.name}`];
  if (form === undefined) return undefined;
  const typeCode =
    textAt(root, 'cbc:InvoiceTypeCode') ??
    textAt(root, 'cbc:CreditNoteTypeCode') ??
    (form === 'invoice' ? '380' : '381');
  const currency = currencyAt(root, 'cbc:DocumentCurrencyCode');
  return {
    kind: isCreditCode(typeCode) ? 'creditNote' : form,
    number: numberAt(root, 'cbc:ID'),
    typeCode,
    issuedOn: issuedOn(root),
    dueOn: dayAt(root, 'cbc:DueDate') ?? dayAt(root, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    currency,
    period: periodAt(root),
    supplier: partyAt(root, 'AccountingSupplierParty'),
    buyer: partyAt(root, 'AccountingCustomerParty'),
    notes: textsAt(root, 'cbc:Note'),
    costCentre: textAt(root, 'cbc:AccountingCost'),
    serviceItem: documentObjectOf(root),
    buyerReference: textAt(root, 'cbc:BuyerReference'),
    orderReference: textAt(root, 'cac:OrderReference/cbc:ID'),
    contractReference: textAt(root, 'cac:ContractDocumentReference/cbc:ID'),
    paymentTerms: textAt(root, 'cac:PaymentTerms/cbc:Note'),
    paymentReferences: [...new Set(textsAt(root, 'cac:PaymentMeans/cbc:PaymentID'))],
    billingReferences: billingReferencesOf(root),
    lines: boundedLines(root, linesOf(root, currency)),
    allowances: allowancesOf(root, currency),
    ...taxesOf(root, currency),
    taxElsewhere: taxElsewhereOf(root, currency),
    totals: totalsOf(root, currency),
  };
}

function issuedOn(root: XmlElement): Day {
  const day = dayAt(root, 'cbc:IssueDate');
  if (day === null) throw new DocumentFault(root.line, 'IssueDate is missing');
  return day;
}

function billingReferencesOf(root: XmlElement): ImportedInvoice['billingReferences'] {
  return all(root, 'cac:BillingReference/cac:InvoiceDocumentReference').flatMap((reference) => {
    const number = textAt(reference, 'cbc:ID');
    return number === null ? [] : [{ number, issuedOn: dayAt(reference, 'cbc:IssueDate') }];
  });
}

function totalsOf(root: XmlElement, currency: CurrencyCode): ImportedTotals {
  const total = first(root, 'cac:LegalMonetaryTotal');
  if (total === undefined) throw new DocumentFault(root.line, 'LegalMonetaryTotal is missing');
  const optional = (name: string): bigint => amountAt(total, `cbc:${name}`, currency) ?? 0n;
  return {
    linesMinor: requiredAmount(total, 'cbc:LineExtensionAmount', currency),
    taxExclusiveMinor: requiredAmount(total, 'cbc:TaxExclusiveAmount', currency),
    taxInclusiveMinor: requiredAmount(total, 'cbc:TaxInclusiveAmount', currency),
    allowancesMinor: optional('AllowanceTotalAmount'),
    chargesMinor: optional('ChargeTotalAmount'),
    prepaidMinor: optional('PrepaidAmount'),
    roundingMinor: optional('PayableRoundingAmount'),
    payableMinor: requiredAmount(total, 'cbc:PayableAmount', currency),
  };
}
