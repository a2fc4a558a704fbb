import type { CurrencyCode } from '@counterfoil/domain/money/money.ts';
import { parseRate, type Rate } from '@counterfoil/domain/money/rate.ts';
import type { ImportedAllowance, ImportedLine } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { ciiObjectOf, ciiPeriodAt } from './cii-values.ts';
import {
  all,
  amountAt,
  DocumentFault,
  first,
  rateAt,
  requiredAmount,
  requiredText,
  textAt,
  textsAt,
} from './values.ts';

const one = parseRate('1');

const NET = 'ram:NetPriceProductTradePrice';
const GROSS = 'ram:GrossPriceProductTradePrice';
const QUANTITY = 'ram:BilledQuantity';

/** The lines of a cross industry invoice, in document order. @throws {DocumentFault} */
export const ciiLinesOf = (transaction: XmlElement, currency: CurrencyCode): readonly ImportedLine[] =>
  all(transaction, 'ram:IncludedSupplyChainTradeLineItem').map((line) => lineOf(line, currency));

function lineOf(line: XmlElement, currency: CurrencyCode): ImportedLine {
  const document = partOf(line, 'AssociatedDocumentLineDocument');
  const product = partOf(line, 'SpecifiedTradeProduct');
  const agreement = partOf(line, 'SpecifiedLineTradeAgreement');
  const delivery = partOf(line, 'SpecifiedLineTradeDelivery');
  const settlement = partOf(line, 'SpecifiedLineTradeSettlement');
  const description = textAt(product, 'ram:Description');
  const notes = textsAt(document, 'ram:IncludedNote/ram:Content');
  return {
    at: line.line,
    id: requiredText(document, 'ram:LineID'),
    name: textAt(product, 'ram:Name') ?? description ?? '',
    description,
    note: notes.length === 0 ? null : notes.join('\n'),
    productCode: textAt(product, 'ram:SellerAssignedID'),
    quantity: rateAt(delivery, QUANTITY) ?? one,
    unitCode: first(delivery, QUANTITY)?.attributes.get('unitCode') ?? '',
    price: priceOf(agreement),
    baseQuantity: baseQuantityOf(agreement),
    amountMinor: requiredAmount(
      settlement,
      'ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
      currency,
    ),
    period: ciiPeriodAt(settlement, 'ram:BillingSpecifiedPeriod'),
    costCentre: textAt(settlement, 'ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID'),
    serviceItem: ciiObjectOf(settlement),
    orderLine: textAt(agreement, 'ram:BuyerOrderReferencedDocument/ram:LineID'),
    allowances: ciiAllowancesOf(settlement, currency),
    taxCategory: textAt(settlement, 'ram:ApplicableTradeTax/ram:CategoryCode') ?? '',
    taxPercent: rateAt(settlement, 'ram:ApplicableTradeTax/ram:RateApplicablePercent'),
  };
}

function partOf(line: XmlElement, name: string): XmlElement {
  const part = first(line, `ram:${name}`);
  if (part === undefined) throw new DocumentFault(line.line, `${name} is missing`);
  return part;
}

function priceOf(agreement: XmlElement): Rate {
  const price = rateAt(agreement, `${NET}/ram:ChargeAmount`);
  if (price === null) throw new DocumentFault(agreement.line, 'ChargeAmount of the net price is missing');
  return price;
}

function baseQuantityOf(agreement: XmlElement): Rate {
  const stated = [NET, GROSS].map((price) => rateAt(agreement, `${price}/ram:BasisQuantity`));
  const quantity = stated.find((one) => one !== null) ?? one;
  if (quantity === '0' || quantity.startsWith('-'))
    throw new DocumentFault(agreement.line, `BasisQuantity '${quantity}' is not above zero`);
  return quantity;
}

/** Allowances and charges of a settlement: a document's or a line's. */
export function ciiAllowancesOf(
  settlement: XmlElement,
  currency: CurrencyCode,
): readonly ImportedAllowance[] {
  return all(settlement, 'ram:SpecifiedTradeAllowanceCharge').map((element) => ({
    isCharge: isChargeOf(element),
    reason: textAt(element, 'ram:Reason') ?? textAt(element, 'ram:ReasonCode'),
    percent: rateAt(element, 'ram:CalculationPercent'),
    amountMinor: requiredAmount(element, 'ram:ActualAmount', currency),
    baseMinor: amountAt(element, 'ram:BasisAmount', currency),
    taxCategory: textAt(element, 'ram:CategoryTradeTax/ram:CategoryCode') ?? '',
    taxPercent: rateAt(element, 'ram:CategoryTradeTax/ram:RateApplicablePercent'),
  }));
}

function isChargeOf(element: XmlElement): boolean {
  const text = requiredText(element, 'ram:ChargeIndicator/udt:Indicator');
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new DocumentFault(element.line, `Indicator '${text.slice(0, 20)}' is neither true nor false`);
}
