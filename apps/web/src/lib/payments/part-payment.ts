import { formatDecimal, type Money } from '@counterfoil/domain/money.ts';
import { readPart } from '@counterfoil/domain/part-payment.ts';

/** What may be paid of an invoice, decimal texts without fee. */
export interface Part {
  readonly least: Money;
  readonly most: Money;
}

/** Whether there is anything to choose. */
export const isChoice = ({ least, most }: Part): boolean => least.minor < most.minor;

/**
 * Reads an amount as people type it: '40', '1,284.16', '$40.00'.
 * @param symbol of the currency, which may stand before it
 * @returns undefined where it is none, or not one that can be paid
 */
export function typedPart(text: string, part: Part, symbol = ''): Money | undefined {
  const bare = text.trim().replace(symbol.trim(), '').trim();
  const plain = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : bare;
  const read = readPart(plain, part);
  return typeof read === 'string' ? undefined : read;
}

/** Whether a text stands for an amount. @param decimal '40.00' or '40' */
export const isSameAmount = (typed: Money | undefined, decimal: string): boolean =>
  typed !== undefined && Number(formatDecimal(typed)) === Number(decimal);
