import { isId } from '@counterfoil/domain/text/ids.ts';
import { isDay } from '@counterfoil/domain/time/day.ts';
import { type Invocation, UsageError } from '../command.ts';

/** The value of an option that must be given. @throws {UsageError} */
export function needed(invocation: Invocation, name: string): string {
  const value = invocation.text(name);
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** One of the words that an option takes. @throws {UsageError} */
export function oneOf<T extends string>(
  invocation: Invocation,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = invocation.text(name);
  const word = words.find((one) => one === text);
  if (text !== undefined && word === undefined)
    throw new UsageError(`--${name} is one of ${words.join(', ')}`);
  return word;
}

/** A whole number from 1. @throws {UsageError} */
function checkedNumber(name: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 2_147_483_647) return value;
  throw new UsageError(`--${name} takes a whole number from 1, not '${text}'`);
}

/** A whole number from 1. @throws {UsageError} */
export function optionalNumber(invocation: Invocation, name: string): number | undefined {
  const text = invocation.text(name);
  return text === undefined ? undefined : checkedNumber(name, text);
}

/** @throws {UsageError} when it is missing or no whole number */
export const neededNumber = (invocation: Invocation, name: string): number =>
  checkedNumber(name, needed(invocation, name));

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A day, or a time of a day, in ISO 8601; UTC where no zone is given.
 * @param otherwise what else the option takes, for the message
 * @throws {UsageError} for another form, and for a day or an hour that does not exist
 */
export function checkedMoment(name: string, text: string, otherwise = ''): Date {
  const [match, day = '', zone] = ISO.exec(text) ?? [];
  // The language itself would take 2026-02-31 for the third of March.
  if (match !== undefined && !isDay(day)) throw new UsageError(`--${name}: there is no day ${day}`);
  const isUtc = zone === undefined && text !== day;
  const moment = new Date(isUtc ? `${text}Z` : text);
  if (match !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new UsageError(
    `--${name} takes a day or time such as 2026-03-15 or 2026-03-15T06:00:00Z${otherwise}, not '${text}'`,
  );
}

const DAY_MS = 86_400_000;
const AGES: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** Milliseconds of a span such as `24h`; undefined for anything else. */
function spanOf(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const length = AGES[unit];
  return length === undefined ? undefined : Number(count) * length;
}

/** A moment, or how long ago: `7d`. @throws {UsageError} */
function momentOrAge(name: string, given: string): Date {
  const text = given.trim();
  const span = spanOf(text);
  if (span !== undefined) return new Date(Date.now() - span);
  return checkedMoment(name, text, ', or an age such as 30m, 24h, 7d or 4w');
}

/** How long, in milliseconds. @throws {UsageError} */
export function checkedSpan(name: string, given: string): number {
  const span = spanOf(given.trim());
  if (span !== undefined) return span;
  throw new UsageError(`--${name} takes a span such as 30m, 24h, 7d or 4w, not '${given}'`);
}

/** A moment to come, or how long from now: `90d`. @throws {UsageError} also for one that has passed */
export function checkedMomentAhead(name: string, given: string, now: Date = new Date()): Date {
  const text = given.trim();
  const span = spanOf(text);
  const moment =
    span === undefined
      ? checkedMoment(name, text, ', or a span such as 24h, 90d or 52w')
      : new Date(now.getTime() + span);
  if (moment > now) return moment;
  throw new UsageError(`--${name}: ${text} has passed`);
}

/** The moment of `--since` or `--until`. */
export function optionalMoment(invocation: Invocation, name: 'since' | 'until'): Date | undefined {
  const text = invocation.text(name);
  return text === undefined ? undefined : momentOrAge(name, text);
}

/** An id of ours that stands as a word. @throws {UsageError} */
export function checkedId(text: string): string {
  if (isId(text)) return text.toLowerCase();
  throw new UsageError(`'${text}' is no id such as 01924f2e-…`);
}

/** @throws {UsageError} when words stand where only options may */
export function noWords(invocation: Invocation): void {
  const [first] = invocation.positionals;
  if (first !== undefined) throw new UsageError(`'${first}' is not expected here`);
}

/*
 * Options that several commands have: the same words, the same values and the same faults in all of them. What an
 * option means for a command, its summary, usage or details say.
 */

export const resellerOption = {
  reseller: { type: 'string', value: '<id>', help: 'the reseller, by its number', check: checkedNumber },
} as const;

const customer = {
  type: 'string',
  value: '<id or ref>',
  help: 'the customer, by its id or your own reference of it (customer list)',
} as const;
export const customerOption = { customer } as const;
/** May be given several times. */
export const customersOption = { customer: { ...customer, multiple: true } } as const;

export const sinceOption = {
  since: {
    type: 'string',
    value: '<when>',
    check: momentOrAge,
    help: 'from then on: a day or time (ISO 8601, UTC where no zone is given), or an age such as 24h or 7d',
  },
} as const;
export const untilOption = {
  until: { ...sinceOption.since, help: 'before then, in the same forms as --since' },
} as const;

/** How many rows a list shows. */
export const limitOption = {
  limit: {
    type: 'string',
    value: '<n>',
    check: checkedNumber,
    help: 'how many at most (100; of an export 100,000)',
  },
} as const;
/** @param standard where nothing is said */
export const limitOf = (invocation: Invocation, standard = 100): number =>
  Math.min(optionalNumber(invocation, 'limit') ?? standard, 100_000);
