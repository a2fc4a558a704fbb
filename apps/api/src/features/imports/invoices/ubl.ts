import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { Day } from '@counterfoil/domain/time/dates.ts';
import { decodeXml } from '../text/encoding.ts';
import { readXml, type XmlElement } from '../text/xml.ts';
import { maxDocumentBytes } from './document-bound.ts';
import type { ImportedInvoice, ImportedTotals, InvoiceResult } from './imported-invoice.ts';
import { allowancesOf, documentObjectOf, linesOf, periodAt } from './ubl-lines.ts';
import { partyAt } from './ubl-party.ts';
import { taxElsewhereOf, taxesOf } from './ubl-tax.ts';
import {
  all,
  amountAt,
  currencyAt,
  dayAt,
  first,
  requiredAmount,
  requiredText,
  textAt,
  textOf,
  UblFault,
} from './ubl-values.ts';

/** Most lines of one document. */
const maxLines = 20_000;

const roots: Readonly<Record<string, 'invoice' | 'creditNote'>> = {
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 Invoice': 'invoice',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2 CreditNote': 'creditNote',
};

/** Type codes that make a document a credit note even in an Invoice element (EN 16931, BT-3 as used in UBL). */
const creditCodes = new Set(['381', '396', '81', '83', '261', '262', '296', '308', '420', '458', '532']);

/**
 * Reads a UBL 2.1 invoice or credit note (OASIS UBL 2.1; EN 16931 names the members it needs).
 * @param bytes the whole file, at most {@link maxDocumentBytes}
 * @returns the invoice with the document's own figures, contradictions included; or the line and the reason it
 *   cannot be taken. Never throws on any input.
 */
export function readUbl(bytes: Uint8Array): InvoiceResult {
  if (bytes.length > maxDocumentBytes) {
    return { ok: false, line: 1, reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB` };
  }
  const decoded = decodeXml(bytes);
  if (!decoded.ok) return { ok: false, line: 1, reason: decoded.reason };
  const xml = readXml(decoded.text);
  if (!xml.ok) return xml;
  try {
    return { ok: true, invoice: invoiceOf(xml.root) };
  } catch (error) {
    if (error instanceof UblFault) return { ok: false, line: error.line, reason: error.message };
    throw error;
  }
}

function invoiceOf(root: XmlElement): ImportedInvoice {
  const form = roots[`${root.namespace} ${root.name}`];
  if (form === undefined) throw new UblFault(root.line, otherDocument(root));
  const typeCode =
    textAt(root, 'cbc:InvoiceTypeCode') ??
    textAt(root, 'cbc:CreditNoteTypeCode') ??
    (form === 'invoice' ? '380' : '381');
  const currency = currencyAt(root, 'cbc:DocumentCurrencyCode');
  const lines = linesOf(root, currency);
  if (lines.length === 0) throw new UblFault(root.line, 'there are no lines');
  if (lines.length > maxLines) throw new UblFault(root.line, `more than ${maxLines} lines`);
  return {
    kind: creditCodes.has(typeCode) ? 'creditNote' : form,
    number: numberOf(root),
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
    lines,
    allowances: allowancesOf(root, currency),
    ...taxesOf(root, currency),
    taxElsewhere: taxElsewhereOf(root, currency),
    totals: totalsOf(root, currency),
  };
}

function otherDocument(root: XmlElement): string {
  if (root.name === 'CrossIndustryInvoice') return 'a UN/CEFACT cross industry invoice (CII), not UBL';
  return `'${root.name.slice(0, 40)}' is not a UBL 2.1 Invoice or CreditNote`;
}

function numberOf(root: XmlElement): string {
  const number = requiredText(root, 'cbc:ID');
  if (number.length > 200) throw new UblFault(root.line, 'the number is longer than 200 characters');
  return number;
}

function issuedOn(root: XmlElement): Day {
  const day = dayAt(root, 'cbc:IssueDate');
  if (day === null) throw new UblFault(root.line, 'IssueDate is missing');
  return day;
}

function textsAt(root: XmlElement, path: string): readonly string[] {
  return all(root, path).flatMap((element) => textOf(element) ?? []);
}

function billingReferencesOf(root: XmlElement): ImportedInvoice['billingReferences'] {
  return all(root, 'cac:BillingReference/cac:InvoiceDocumentReference').flatMap((reference) => {
    const number = textAt(reference, 'cbc:ID');
    return number === null ? [] : [{ number, issuedOn: dayAt(reference, 'cbc:IssueDate') }];
  });
}

function totalsOf(root: XmlElement, currency: CurrencyCode): ImportedTotals {
  const total = first(root, 'cac:LegalMonetaryTotal');
  if (total === undefined) throw new UblFault(root.line, 'LegalMonetaryTotal is missing');
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
