import {
  addMoney,
  currencyExponent,
  formatDecimal,
  isCurrencyCode,
  type Money,
  parseMoney,
  subtractMoney,
  sumMoney,
} from '@counterfoil/domain/money/money.ts';
import { multiplyRates, parseRate, roundRate } from '@counterfoil/domain/money/rate.ts';

type Line = Record<string, unknown>;

/**
 * Makes up the sums of an invoice that a file leaves out, where they follow exactly from what it says: amounts of lines from
 * quantity and price, the parts of the tax from the lines, totals from both. What is given stays, and is checked by who takes it.
 * @param value as rows say it; changed
 */
export function completeInvoice(value: Record<string, unknown>): void {
  const { currency, lines } = value;
  if (typeof currency !== 'string' || !isCurrencyCode(currency) || !Array.isArray(lines)) return;
  const moneyOf = (one: unknown): Money | undefined =>
    typeof one === 'string' ? moneyIn(one, currency) : undefined;
  for (const line of lines as Line[]) completeLine(line, currency);
  const amounts = (lines as Line[]).map(({ amount }) => moneyOf(amount));
  const known = amounts.filter((one) => one !== undefined);
  if (known.length < amounts.length) return;
  value['subtotal'] ??= formatDecimal(sumMoney(known, currency));
  const subtotal = moneyOf(value['subtotal']);
  completeTaxes(value, lines as Line[], currency);
  const tax = moneyOf(value['tax'] ?? '0');
  if (subtotal === undefined || tax === undefined) return;
  value['total'] ??= formatDecimal(addMoney(subtotal, tax));
  const total = moneyOf(value['total']);
  const [rounding, prepaid] = [moneyOf(value['rounding'] ?? '0'), moneyOf(value['prepaid'] ?? '0')];
  if (total === undefined || rounding === undefined || prepaid === undefined) return;
  value['payable'] ??= formatDecimal(subtractMoney(addMoney(total, rounding), prepaid));
}

/** A decimal in a currency, where it is one. */
function moneyIn(decimal: string, currency: string): Money | undefined {
  try {
    return parseMoney(decimal, currency);
  } catch {
    return undefined;
  }
}

function completeLine(line: Line, currency: string): void {
  takeDiscountOff(line, currency);
  const { amount, price, quantity = '1' } = line;
  if (amount === undefined && typeof price === 'string' && typeof quantity === 'string') {
    const product = productOf(quantity, price);
    const exact = product === undefined ? undefined : moneyIn(product, currency);
    if (exact !== undefined) line['amount'] = formatDecimal(exact);
  }
  if (price === undefined && typeof amount === 'string' && quantity === '1') line['price'] = amount;
}

/** A percentage becomes an amount that is taken off, rounded as the currency is. */
function takeDiscountOff(line: Line, currency: string): void {
  const { discount, amount, price, quantity = '1' } = line;
  delete line['discount'];
  if (typeof discount !== 'string' || typeof price !== 'string' || typeof quantity !== 'string') return;
  const product = productOf(quantity, price);
  const gross = product === undefined ? undefined : moneyIn(product, currency);
  const share = productOf(discount, '0.01');
  const part = product === undefined || share === undefined ? undefined : productOf(product, share);
  if (gross === undefined || part === undefined) return;
  const off = moneyIn(roundRate(parseRate(part), currencyExponent(gross.currency)), currency);
  const net = typeof amount === 'string' ? moneyIn(amount, currency) : off && subtractMoney(gross, off);
  if (net === undefined) return;
  line['amount'] = formatDecimal(net);
  if (net.minor < gross.minor)
    line['allowances'] = [{ reason: 'Discount', amount: formatDecimal(subtractMoney(gross, net)) }];
}

function productOf(quantity: string, price: string): string | undefined {
  try {
    return multiplyRates(parseRate(quantity), parseRate(price));
  } catch {
    return undefined;
  }
}

/** Of lines with a tax of their own, by category and rate; of lines of one rate, that of the invoice. */
function completeTaxes(value: Record<string, unknown>, lines: readonly Line[], currency: string): void {
  const own = lines.map((line) => line['tax']);
  for (const line of lines) delete line['tax'];
  const key = ({ taxCategory = '', taxPercent = null }: Line) => JSON.stringify([taxCategory, taxPercent]);
  const groups = Map.groupBy(lines.entries(), ([, line]) => key(line));
  const sum = (texts: readonly unknown[]): Money | undefined => {
    const read = texts.map((one) => (typeof one === 'string' ? moneyIn(one, currency) : undefined));
    const known = read.filter((one) => one !== undefined);
    return known.length < read.length ? undefined : sumMoney(known, currency);
  };
  const taxed = own.every((one) => one !== undefined);
  if (taxed) {
    const tax = sum(own);
    if (tax !== undefined) value['tax'] ??= formatDecimal(tax);
  }
  const isOneRate = groups.size === 1 && value['tax'] !== undefined;
  if (value['taxes'] !== undefined || (!taxed && !isOneRate)) return;
  const taxes: unknown[] = [];
  for (const [name, members] of groups) {
    const [category, percent] = JSON.parse(name) as [string, string | null];
    const taxable = sum(members.map(([, { amount }]) => amount));
    const amount = taxed ? sum(members.map(([at]) => own[at])) : sum([value['tax']]);
    if (taxable === undefined || amount === undefined) return;
    taxes.push({ category, percent, taxable: formatDecimal(taxable), amount: formatDecimal(amount) });
  }
  value['taxes'] = taxes;
}
