import { compareMoney, currencyExponent, isPositive, type Money, money, parseMoney } from './money.ts';
import { InvalidValue } from './result.ts';

/** What a payer may choose to pay of one invoice, without fee. */
export interface PartRange {
  readonly least: Money;
  readonly most: Money;
}

/**
 * From one unit of the currency (less costs more to charge than it brings in) up to what is due. Where less than a
 * unit is due, that and nothing else.
 * @returns null where nothing is due
 */
export function partRange(due: Money): PartRange | null {
  if (!isPositive(due)) return null;
  const unit = money(10n ** BigInt(currencyExponent(due.currency)), due.currency);
  return { least: compareMoney(unit, due) > 0 ? due : unit, most: due };
}

/**
 * Reads an amount to pay.
 * @param decimal plain, with no more decimals than the currency has
 * @returns why it cannot be paid where it cannot: no amount of the currency or less than the least; more than is due
 */
export function readPart(decimal: string, { least, most }: PartRange): Money | 'tooLittle' | 'tooMuch' {
  let amount: Money;
  try {
    amount = parseMoney(decimal, most.currency);
  } catch (error) {
    if (error instanceof InvalidValue) return 'tooLittle';
    throw error;
  }
  if (compareMoney(amount, least) < 0) return 'tooLittle';
  return compareMoney(amount, most) > 0 ? 'tooMuch' : amount;
}
