import { formatDecimal, type Money, money } from '@counterfoil/domain/money/money.ts';
import type { XmlElement } from '../text/xml.ts';
import { all, CamtFault, first, moneyOf, signAt, textAt } from './camt-values.ts';

/**
 * Why the entries of a statement cannot be all of it: its opening balance and they do not come to its closing balance.
 * @returns null where they do, or where the statement has no such balances
 */
export function balanceWarning(statement: XmlElement, entries: readonly XmlElement[]): string | null {
  try {
    const opening = balance(statement, 'OPBD') ?? balance(statement, 'PRCD');
    const closing = balance(statement, 'CLBD');
    if (opening === undefined || closing === undefined || opening.currency !== closing.currency) return null;
    let sum = opening.minor as bigint;
    for (const entry of entries) {
      const amount = signed(entry);
      if (amount?.currency !== closing.currency) return null;
      sum += amount.minor;
    }
    if (sum === closing.minor) return null;
    const [is, said] = [sum, closing.minor].map((minor) => formatDecimal(money(minor, closing.currency)));
    return `opening balance and entries come to ${is}, the closing balance is ${said} ${closing.currency}`;
  } catch (error) {
    if (error instanceof CamtFault) return null;
    throw error;
  }
}

function balance(statement: XmlElement, code: string): Money | undefined {
  const found = all(statement, 'Bal').find((one) => textAt(one, 'Tp/CdOrPrtry/Cd') === code);
  return found === undefined ? undefined : signed(found);
}

function signed(from: XmlElement): Money | undefined {
  const element = first(from, 'Amt');
  if (element === undefined) return undefined;
  const { minor, currency } = moneyOf(element);
  return money(signAt(from) === 'credit' ? minor : -minor, currency);
}
