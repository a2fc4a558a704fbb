import { isDay } from '@counterfoil/domain/day.ts';
import { isId } from '@counterfoil/domain/ids.ts';
import { type Invocation, UsageError } from './command.ts';

/** The value of an option that must be given. @throws {UsageError} */
export function needed(invocation: Invocation, name: string): string {
  const value = invocation.text(name);
  if (value === undefined || value.trim() === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** A whole number from 1. @throws {UsageError} */
export function optionalNumber(invocation: Invocation, name: string): number | undefined {
  const text = invocation.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 2_147_483_647) return value;
  throw new UsageError(`--${name} takes a whole number from 1, not '${text}'`);
}

/** @throws {UsageError} when it is missing or no whole number */
export function neededNumber(invocation: Invocation, name: string): number {
  needed(invocation, name);
  return optionalNumber(invocation, name) ?? 0;
}

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

/** An id of ours. @throws {UsageError} */
export function checkedId(name: string, text: string): string {
  if (isId(text)) return text.toLowerCase();
  throw new UsageError(`--${name} takes an id such as 01924f2e-…, not '${text}'`);
}

/** @throws {UsageError} when words stand where only options may */
export function noWords(invocation: Invocation): void {
  const [first] = invocation.positionals;
  if (first !== undefined) throw new UsageError(`'${first}' is not expected here`);
}

/** How many rows a list shows. */
export const limitOption = {
  limit: { type: 'string', value: '<n>', help: 'how many at most (100)' },
} as const;
export const limitOf = (invocation: Invocation): number =>
  Math.min(optionalNumber(invocation, 'limit') ?? 100, 100_000);
