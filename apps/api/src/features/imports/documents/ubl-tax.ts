import { type CurrencyCode, isCurrencyCode } from '@counterfoil/domain/money/money.ts';
import type { ImportedTax, ImportedTaxElsewhere } from '../invoices/imported-invoice.ts';
import type { XmlElement } from '../text/xml.ts';
import { all, amountOf, DocumentFault, dayAt, first, rateAt, requiredAmount, textAt } from './values.ts';

const currencyOf = (total: XmlElement): string | undefined =>
  first(total, 'cbc:TaxAmount')?.attributes.get('currencyID');

/** Total tax and its parts by category, in the document's currency. */
export function taxesOf(
  document: XmlElement,
  currency: CurrencyCode,
): { readonly taxMinor: bigint; readonly taxes: readonly ImportedTax[] } {
  const totals = all(document, 'cac:TaxTotal').filter(
    (total) => (currencyOf(total) ?? currency) === currency,
  );
  const taxes = totals
    .flatMap((total) => all(total, 'cac:TaxSubtotal'))
    .map((part) => ({
      category: textAt(part, 'cac:TaxCategory/cbc:ID') ?? '',
      percent: rateAt(part, 'cac:TaxCategory/cbc:Percent'),
      taxableMinor: requiredAmount(part, 'cbc:TaxableAmount', currency),
      taxMinor: requiredAmount(part, 'cbc:TaxAmount', currency),
    }));
  const amounts = totals.map((total) => requiredAmount(total, 'cbc:TaxAmount', currency));
  return { taxMinor: amounts.reduce((sum, amount) => sum + amount, 0n), taxes };
}

/**
 * The tax in the currency it is paid in (TaxCurrencyCode), as the document states it: nothing is converted here. A rate
 * only counts from the document's currency to that one. It is told beside the invoice's own figures, so one that cannot be
 * read is left aside and not a reason to refuse the document.
 */
export function taxElsewhereOf(document: XmlElement, currency: CurrencyCode): ImportedTaxElsewhere | null {
  try {
    return readTaxElsewhere(document, currency);
  } catch (error) {
    if (error instanceof DocumentFault) return null;
    throw error;
  }
}

function readTaxElsewhere(document: XmlElement, currency: CurrencyCode): ImportedTaxElsewhere | null {
  const other = textAt(document, 'cbc:TaxCurrencyCode');
  if (other === null || other === currency || !isCurrencyCode(other)) return null;
  const total = all(document, 'cac:TaxTotal').find((one) => currencyOf(one) === other);
  const amount = total === undefined ? undefined : first(total, 'cbc:TaxAmount');
  if (amount === undefined) return null;
  const exchange = first(document, 'cac:TaxExchangeRate');
  const isThatWay =
    exchange !== undefined &&
    textAt(exchange, 'cbc:SourceCurrencyCode') === currency &&
    textAt(exchange, 'cbc:TargetCurrencyCode') === other &&
    (textAt(exchange, 'cbc:MathematicOperatorCode') ?? 'Multiply').toLowerCase() === 'multiply';
  return {
    currency: other,
    taxMinor: amountOf(amount, other),
    rate: isThatWay ? rateAt(exchange, 'cbc:CalculationRate') : null,
    rateOn: isThatWay ? dayAt(exchange, 'cbc:Date') : null,
  };
}
