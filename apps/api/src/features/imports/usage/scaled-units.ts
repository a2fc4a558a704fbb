import {
  divideRounded,
  formatScaled,
  magnitude,
  parseDecimal,
  powerOfTen,
} from '@counterfoil/domain/money/integer.ts';

/** An exact factor. */
export interface Scale {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Decimals and whole digits of the columns `units` and `price`, numeric(18,6). */
const DECIMALS = 6;
const LIMIT = powerOfTen(18);

/** Reads '0.001', '1e-9' or '1/60', as the contract allows them. */
export function parseScale(text: string): Scale {
  const [over = '', under] = text.split('/');
  if (under !== undefined) return { numerator: BigInt(over), denominator: BigInt(under) };
  const [digits = '', exponent] = text.split('e');
  const parts = parseDecimal(digits);
  if (parts === null) throw new RangeError(`not a factor: ${text}`);
  const power = Number(exponent ?? 0) - parts.fraction.length;
  const number = BigInt(parts.whole + parts.fraction);
  return power < 0
    ? { numerator: number, denominator: powerOfTen(-power) }
    : { numerator: number * powerOfTen(power), denominator: 1n };
}

/**
 * Multiplies a plain decimal, rounds once, half away from zero, to six decimals.
 * @returns null when the text is no plain decimal or the product does not fit numeric(18,6)
 */
export function scaledText(text: string, { numerator, denominator }: Scale): string | null {
  // Most are small whole numbers that stay as they are.
  if (numerator === denominator && /^\d{1,12}$/.test(text)) return text;
  const parts = parseDecimal(text);
  if (parts === null) return null;
  const exact = BigInt(parts.whole + parts.fraction) * numerator * powerOfTen(DECIMALS);
  const scaled = divideRounded(exact, denominator * powerOfTen(parts.fraction.length));
  if (magnitude(scaled) >= LIMIT) return null;
  return formatScaled(parts.isNegative ? -scaled : scaled, DECIMALS);
}
