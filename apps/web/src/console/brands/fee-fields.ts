import { feeFor, feeRuleOf } from '@counterfoil/domain/money/fee.ts';
import { formatDecimal, isCurrencyCode, money, parseMoney } from '@counterfoil/domain/money/money.ts';

/** A fee as it is edited: a part that could not be read is the text that was typed, which the server refuses. */
export interface FeeDraft {
  readonly basisPoints: number | string;
  readonly fixedMinor: number | string;
  /** Null: no limit. */
  readonly capMinor: number | string | null;
}
export type FeePart = keyof FeeDraft;

const MOST_BASIS_POINTS = 10_000;

/** A currency to read amounts in, also while another one is being typed. */
const known = (currency: string): string => (isCurrencyCode(currency) ? currency : 'USD');

/** A part as it is typed: 1.5 for 150 basis points, 0.30 for 30 minor units, nothing for no limit. */
export function feeText(part: FeePart, value: number | string | null, currency: string): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (part === 'basisPoints') return String(value / 100);
  return formatDecimal(money(BigInt(value), known(currency)));
}

/** What was typed as it is stored; what is no such number stays the text it is. */
export function readFee(part: FeePart, typed: string, currency: string): number | string | null {
  const text = typed.trim().replace(',', '.');
  if (text === '') return part === 'capMinor' ? null : 0;
  return (part === 'basisPoints' ? basisPointsOf(text) : minorOf(text, currency)) ?? typed;
}

function basisPointsOf(text: string): number | undefined {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const points = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return points > MOST_BASIS_POINTS ? undefined : points;
}

function minorOf(text: string, currency: string): number | undefined {
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text)) return undefined;
  try {
    return Number(parseMoney(text, known(currency)).minor);
  } catch {
    return undefined;
  }
}

/** The fee of an amount as it would be charged, an exact decimal; null while a part cannot be read. */
export function feeOf(amount: string, fee: FeeDraft, currency: string): string | null {
  const { basisPoints, fixedMinor, capMinor } = fee;
  if (typeof basisPoints === 'string' || typeof fixedMinor === 'string' || typeof capMinor === 'string')
    return null;
  const rule = feeRuleOf({ basisPoints, fixedMinor, capMinor });
  return formatDecimal(feeFor(parseMoney(amount, known(currency)), rule));
}
