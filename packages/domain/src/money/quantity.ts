import { type Rate, rateToMillionths } from './rate.ts';

/** What quantities of usage and of charges are counted in. */
export const quantityUnits = [
  ...(['second', 'minute', 'hour', 'byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const),
  ...(['message', 'event', 'piece', 'day', 'week', 'month', 'year'] as const),
] as const;
export type QuantityUnit = (typeof quantityUnits)[number];

type Kind = 'time' | 'data' | 'count' | 'calendar';

interface Known {
  readonly kind: Kind;
  /** As it stands beside a number; '' for a time, whose form says it. */
  readonly label: string;
  /** The same beside a 1, where that is another word. */
  readonly one?: string;
  /** How many seconds, of a time. */
  readonly seconds?: bigint;
  /** Code of UN/ECE Recommendation 20, and short forms; the word itself and its plural count too. */
  readonly written: readonly string[];
}

const time = (seconds: bigint, ...written: string[]): Known => ({
  kind: 'time',
  label: '',
  seconds,
  written,
});
const data = (label: string, ...written: string[]): Known => ({
  kind: 'data',
  label,
  written: [...written, label],
});
const counted = (kind: 'count' | 'calendar', one: string, ...written: string[]): Known => ({
  kind,
  one,
  label: `${one}s`,
  written,
});

const units: Readonly<Record<QuantityUnit, Known>> = {
  second: time(1n, 'SEC', 'sec', 's'),
  minute: time(60n, 'MIN', 'min'),
  hour: time(3_600n, 'HUR', 'h'),
  byte: data('B', 'AD'),
  kilobyte: data('KB', '2P', 'kB'),
  megabyte: data('MB', '4L'),
  gigabyte: data('GB', 'E34'),
  terabyte: data('TB', 'E35'),
  message: counted('count', 'message'),
  event: counted('count', 'event'),
  piece: counted('count', 'piece', 'H87'),
  day: counted('calendar', 'day', 'DAY'),
  week: counted('calendar', 'week', 'WEE'),
  month: counted('calendar', 'month', 'MON'),
  year: counted('calendar', 'year', 'ANN'),
};

const byText = new Map<string, QuantityUnit>(
  quantityUnits.flatMap((unit) => units[unit].written.map((text) => [text, unit] as const)),
);
const isUnit = (text: string): text is QuantityUnit => (quantityUnits as readonly string[]).includes(text);

/**
 * The unit that a code of UN/ECE Recommendation 20, a short form or a word means: 'SEC', 'MB', 'Minutes'. Short forms
 * count as they are written: 'Mb' is no megabyte.
 * @returns null for what is not known, and for codes that only count ('C62')
 */
export function unitOf(text: string): QuantityUnit | null {
  const known = byText.get(text);
  if (known !== undefined) return known;
  const word = text.trim().toLowerCase();
  if (isUnit(word)) return word;
  const one = word.replace(/s$/, '');
  return isUnit(one) ? one : null;
}

/** Units that can be added up once one is turned into the other; none of different kinds ever can. */
export const kindOfUnit = (unit: QuantityUnit): Kind => units[unit].kind;

/** What stands beside a quantity: 'MB', 'messages'; nothing beside a time. @param isOne the quantity is 1 or −1 */
export const unitLabel = (unit: QuantityUnit, isOne = false): string =>
  (isOne ? units[unit].one : undefined) ?? units[unit].label;

/** Codes that say no more than the number does. */
const counts = new Set(['C62', 'EA', '']);

/** {@link unitLabel} of a unit as a bill writes it; what is not known stands as it is written. */
export function writtenUnitLabel(text: string, isOne = false): string {
  const unit = unitOf(text);
  if (unit !== null) return unitLabel(unit, isOne);
  return counts.has(text) ? '' : text;
}

/**
 * What the quantity of a bill's line is counted in: what it is written in; where that says no more than the number, what its
 * usage counts one by one, such as messages.
 * @param ofRecords of the line's record type; null: none, or not known
 */
export function unitOfLine(written: string, ofRecords: QuantityUnit | null): QuantityUnit | null {
  if (!counts.has(written)) return unitOf(written);
  return ofRecords !== null && kindOfUnit(ofRecords) === 'count' ? ofRecords : null;
}

/**
 * A time as 'h:mm:ss', rounded to the second; undefined for units of another kind.
 * @param grouped writes the hours
 */
export function durationText(
  quantity: Rate,
  unit: QuantityUnit,
  grouped: (hours: string) => string,
): string | undefined {
  const { seconds: length } = units[unit];
  if (length === undefined) return undefined;
  const millionths = rateToMillionths(quantity) * length;
  const seconds = ((millionths < 0n ? -millionths : millionths) + 500_000n) / 1_000_000n;
  const two = (part: bigint): string => String(part).padStart(2, '0');
  const text = `${grouped(String(seconds / 3_600n))}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return millionths < 0n && seconds > 0n ? `−${text}` : text;
}
