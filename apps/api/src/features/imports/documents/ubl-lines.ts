import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import { parseRate, type Rate } from '@counterfoil/domain/money/rate.ts';
import type { ImportedAllowance, ImportedLine, Period } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import {
  all,
  amountAt,
  DocumentFault,
  dayAt,
  first,
  rateAt,
  requiredAmount,
  requiredText,
  textAt,
} from './values.ts';

/** Document type code of the invoiced object: the service item (UNTDID 1001, 130; EN 16931 BT-18 and BT-128). */
const invoicedObject = '130';

const one = parseRate('1');

/** The lines of an invoice or credit note, in document order. @throws {DocumentFault} */
export function linesOf(document: XmlElement, currency: CurrencyCode): readonly ImportedLine[] {
  const lines = [...all(document, 'cac:InvoiceLine'), ...all(document, 'cac:CreditNoteLine')];
  return lines.map((line) => lineOf(line, currency));
}

function lineOf(line: XmlElement, currency: CurrencyCode): ImportedLine {
  const item = first(line, 'cac:Item');
  if (item === undefined) throw new DocumentFault(line.line, 'Item is missing');
  const quantityPath = line.name === 'CreditNoteLine' ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity';
  const description = textAt(item, 'cbc:Description');
  return {
    at: line.line,
    id: requiredText(line, 'cbc:ID'),
    name: textAt(item, 'cbc:Name') ?? description ?? '',
    description,
    note: textAt(line, 'cbc:Note'),
    productCode: textAt(item, 'cac:SellersItemIdentification/cbc:ID'),
    quantity: rateAt(line, quantityPath) ?? one,
    unitCode: first(line, quantityPath)?.attributes.get('unitCode') ?? '',
    price: priceOf(line),
    baseQuantity: baseQuantityOf(line),
    amountMinor: requiredAmount(line, 'cbc:LineExtensionAmount', currency),
    period: periodAt(line),
    costCentre: textAt(line, 'cbc:AccountingCost'),
    serviceItem: lineObjectOf(line),
    orderLine: textAt(line, 'cac:OrderLineReference/cbc:LineID'),
    allowances: allowancesOf(line, currency),
    taxCategory: textAt(item, 'cac:ClassifiedTaxCategory/cbc:ID') ?? '',
    taxPercent: rateAt(item, 'cac:ClassifiedTaxCategory/cbc:Percent'),
  };
}

function priceOf(line: XmlElement): Rate {
  const price = rateAt(line, 'cac:Price/cbc:PriceAmount');
  if (price === null) throw new DocumentFault(line.line, 'PriceAmount is missing');
  return price;
}

function baseQuantityOf(line: XmlElement): Rate {
  const quantity = rateAt(line, 'cac:Price/cbc:BaseQuantity') ?? one;
  if (quantity === '0' || quantity.startsWith('-')) {
    throw new DocumentFault(line.line, `BaseQuantity '${quantity}' is not above zero`);
  }
  return quantity;
}

/** Before 2.1's profile asked for the code, files left it out: a line's bare document reference is the object. */
function lineObjectOf(line: XmlElement): string | null {
  const references = all(line, 'cac:DocumentReference');
  const coded = references.find((reference) => textAt(reference, 'cbc:DocumentTypeCode') === invoicedObject);
  const bare = references.find((reference) => textAt(reference, 'cbc:DocumentTypeCode') === null);
  const reference = coded ?? bare;
  return reference === undefined ? null : textAt(reference, 'cbc:ID');
}

/** The service item the whole document is about, or null. */
export function documentObjectOf(document: XmlElement): string | null {
  const reference = all(document, 'cac:AdditionalDocumentReference').find(
    (candidate) => textAt(candidate, 'cbc:DocumentTypeCode') === invoicedObject,
  );
  return reference === undefined ? null : textAt(reference, 'cbc:ID');
}

/** The billing period an element states. @throws {DocumentFault} when it ends before it starts */
export function periodAt(from: XmlElement): Period | null {
  const period = first(from, 'cac:InvoicePeriod');
  if (period === undefined) return null;
  const start = dayAt(period, 'cbc:StartDate');
  const end = dayAt(period, 'cbc:EndDate');
  if (start === null && end === null) return null;
  if (start !== null && end !== null && end < start)
    throw new DocumentFault(period.line, 'InvoicePeriod ends before it starts');
  return { from: start, to: end };
}

/** Allowances and charges directly inside an element: a document's or a line's. */
export function allowancesOf(from: XmlElement, currency: CurrencyCode): readonly ImportedAllowance[] {
  return all(from, 'cac:AllowanceCharge').map((element) => ({
    isCharge: chargeIndicatorOf(element),
    reason: textAt(element, 'cbc:AllowanceChargeReason') ?? textAt(element, 'cbc:AllowanceChargeReasonCode'),
    percent: rateAt(element, 'cbc:MultiplierFactorNumeric'),
    amountMinor: requiredAmount(element, 'cbc:Amount', currency),
    baseMinor: amountAt(element, 'cbc:BaseAmount', currency),
    taxCategory: textAt(element, 'cac:TaxCategory/cbc:ID') ?? '',
    taxPercent: rateAt(element, 'cac:TaxCategory/cbc:Percent'),
  }));
}

function chargeIndicatorOf(element: XmlElement): boolean {
  const text = requiredText(element, 'cbc:ChargeIndicator');
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new DocumentFault(element.line, `ChargeIndicator '${text.slice(0, 20)}' is neither true nor false`);
}
