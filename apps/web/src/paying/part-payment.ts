import { formatDecimal, type Money } from '@counterfoil/domain/money/money.ts';
import { isChoice, type PartRange, readPart } from '@counterfoil/domain/paying/part-payment.ts';

/** What may be paid of an invoice, decimal texts without fee. */
export type Part = PartRange;
export { isChoice };

/**
 * Reads an amount as people type it: '40', '1,284.16', '$40.00'.
 * @param symbol of the currency, which may stand before it
 * @returns undefined where it is none, or not one that can be paid
 */
export function typedPart(text: string, part: Part, symbol = ''): Money | undefined {
  const read = readTyped(text.trim().replace(symbol.trim(), ''), part);
  return typeof read === 'string' ? undefined : read;
}

/** Why what is typed cannot be paid; undefined where it can. */
export function whyNot(text: string, part: Part): string | undefined {
  const read = readTyped(text.replace(/^\D+/, ''), part);
  return typeof read === 'string' ? read : undefined;
}

function readTyped(text: string, part: Part): ReturnType<typeof readPart> {
  const bare = text.trim();
  return readPart(/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare) ? bare.replaceAll(',', '') : bare, part);
}

/** Whether a text stands for an amount. @param decimal '40.00' or '40' */
export const isSameAmount = (typed: Money | undefined, decimal: string): boolean =>
  typed !== undefined && Number(formatDecimal(typed)) === Number(decimal);
