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
