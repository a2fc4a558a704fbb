import { createHash, randomUUID } from 'node:crypto';
import type { Aggregate } from './scope.ts';
import { calculate, coerce, compare, keyOf, type Value } from './values.ts';

/** What time the database has; that of the test. */
export const databaseClock = { now: () => new Date() };

interface Known {
  readonly type: string | undefined;
  readonly call: (args: readonly Value[]) => Value;
  /** Null in, null out, unless it looks at nulls itself. */
  readonly takesNull?: true;
  /** What has no type takes that of the others. */
  readonly isOfOneType?: true;
}

const length = (text: Value) => [...String(text)].length;
const pick = (args: readonly Value[], sign: number): Value =>
  args
    .filter((arg) => arg !== null)
    .reduce(
      (best: Value, arg) => (best === undefined || compare(arg, best) * sign > 0 ? arg : best),
      undefined,
    ) ?? null;

/** Jobs are counted; nobody here runs them. */
let jobs = 0n;

const known: Readonly<Record<string, Known>> = {
  coalesce: {
    type: undefined,
    takesNull: true,
    isOfOneType: true,
    call: (args) => args.find((arg) => arg !== null) ?? null,
  },
  greatest: { type: undefined, takesNull: true, isOfOneType: true, call: (args) => pick(args, 1) },
  least: { type: undefined, takesNull: true, isOfOneType: true, call: (args) => pick(args, -1) },
  nullif: {
    type: undefined,
    takesNull: true,
    isOfOneType: true,
    call: ([a, b]) => (a !== null && b !== null && compare(a, b) === 0 ? null : (a ?? null)),
  },
  now: { type: 'timestamptz', call: () => databaseClock.now() },
  gen_random_uuid: { type: 'uuid', call: () => randomUUID() },
  lower: { type: 'text', call: ([text]) => String(text).toLowerCase() },
  upper: { type: 'text', call: ([text]) => String(text).toUpperCase() },
  length: { type: 'integer', call: ([text]) => (Buffer.isBuffer(text) ? text.length : length(text)) },
  char_length: { type: 'integer', call: ([text]) => length(text) },
  octet_length: {
    type: 'integer',
    call: ([text]) => (Buffer.isBuffer(text) ? text.length : Buffer.byteLength(String(text))),
  },
  cardinality: { type: 'integer', call: ([array]) => (array as unknown[]).length },
  array_length: { type: 'integer', call: ([array]) => (array as unknown[]).length },
  abs: { type: undefined, call: ([n]) => (compare(n, 0) < 0 ? calculate('-', 0, n) : n) },
  md5: { type: 'text', call: ([text]) => createHash('md5').update(String(text)).digest('hex') },
  encode: { type: 'text', call: ([bytes]) => (bytes as Buffer).toString('hex') },
  jsonb_typeof: {
    type: 'text',
    call: ([json]) => (Array.isArray(json) ? 'array' : typeof json),
  },
  json_build_object: {
    type: 'json',
    takesNull: true,
    call: (args) => {
      const built: Record<string, Value> = {};
      for (let n = 0; n < args.length; n += 2) built[String(args[n])] = args[n + 1];
      return built;
    },
  },
  'graphile_worker.add_job': {
    type: undefined,
    takesNull: true,
    call: () => {
      jobs += 1n;
      return { id: jobs };
    },
  },
};

/** @throws {ReferenceError} for one that is not known here */
export function functionNamed(name: string): Known {
  const found = known[name.replace(/^pg_catalog\./, '')];
  if (found === undefined) throw new ReferenceError(`the function ${name} is not known here`);
  return found;
}

/** What one group of rows comes to; `values` are the argument's, in the order wanted. */
export function aggregate({ call: { name, star } }: Aggregate, all: readonly Value[]): Value {
  const values = star ? all : all.filter((value) => value !== null);
  switch (name) {
    case 'count':
      return BigInt(values.length);
    case 'sum':
      return values.length === 0
        ? null
        : values.reduce((sum, value) => calculate('+', sum, asWhole(value)), 0n);
    case 'min':
      return pick(values, -1);
    case 'max':
      return pick(values, 1);
    case 'bool_or':
      return values.length === 0 ? null : values.includes(true);
    case 'bool_and':
      return values.length === 0 ? null : !values.includes(false);
    case 'json_agg':
    case 'array_agg':
      return all.length === 0 ? null : [...all];
    default:
      throw new ReferenceError(`${name} is not known here`);
  }
}

const asWhole = (value: Value): bigint => coerce('bigint', value) as bigint;

export const typeOfAggregate = (name: string, of: string | undefined): string | undefined => {
  if (name === 'count' || name === 'sum') return 'bigint';
  if (name.startsWith('bool')) return 'boolean';
  return name === 'json_agg' ? 'json' : name === 'array_agg' ? `${of}[]` : of;
};

/** Rows that are equal in all columns once. */
export function distinct<T extends object>(rows: readonly T[]): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = Object.values(row).map(keyOf).join('\u0000');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
