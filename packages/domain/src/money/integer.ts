/**
 * Divides two integers and rounds half away from zero: 5/2 is 3, -5/2 is -3.
 * The only rounding rule of the product (specification, decisions 5 'Digits').
 * @throws {RangeError} when the divisor is 0
 */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) throw new RangeError('Division by zero');
  const isNegative = dividend < 0n !== divisor < 0n;
  const n = magnitude(dividend);
  const d = magnitude(divisor);
  const rounded = (n * 2n + d) / (d * 2n);
  return isNegative ? -rounded : rounded;
}

/** The absolute value of an integer. */
export const magnitude = (n: bigint): bigint => (n < 0n ? -n : n);

/** 10 to the power of a small non-negative integer. */
export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Writes a scaled integer with exactly that many decimals: (1234n, 2) is '12.34', (12n, 0) is '12'. */
export function formatScaled(scaled: bigint, decimals: number): string {
  const digits = magnitude(scaled)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`;
  return scaled < 0n ? `-${text}` : text;
}

/** The parts of a plain decimal number; `fraction` has no trailing zeros. */
export interface Decimal {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

const plainDecimal = /^([+-]?)(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Reads '12', '-12.50', '+0.1'. No exponent, no grouping, no blanks, at most 30 digits on either side: what a
 * person or a file writes otherwise has to be brought into this form by whoever knows its format.
 * @returns null when the text is not a plain decimal
 */
export function parseDecimal(text: string): Decimal | null {
  const match = plainDecimal.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  return { isNegative: sign === '-', whole, fraction: fraction.replace(/0+$/, '') };
}

/**
 * A decimal as an integer of the given scale ('12.3' at 2 is 1230n); digits beyond the scale are rounded half
 * away from zero.
 */
export function scaleDecimal({ isNegative, whole, fraction }: Decimal, decimals: number): bigint {
  const length = Math.max(decimals, fraction.length);
  const exact = BigInt(whole + fraction.padEnd(length, '0'));
  const scaled = divideRounded(exact, powerOfTen(length - decimals));
  return isNegative ? -scaled : scaled;
}
