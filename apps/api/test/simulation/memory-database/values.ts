/** A value as the driver gives it: bigint, number, text, Date, Buffer, boolean, parsed JSON, array; null for none. */
export type Value = unknown;
/** Columns by name. Rows are never changed, only replaced. */
export type Row = Readonly<Record<string, Value>>;

/** A value as a column of this type holds it. @throws {TypeError} for a type that is not known here */
export function coerce(type: string, value: Value): Value {
  if (value === null || value === undefined) return null;
  if (type.endsWith('[]')) {
    const items = Array.isArray(value) ? value : arrayOf(String(value));
    return items.map((item) => coerce(type.slice(0, -2), item));
  }
  switch (type) {
    case 'bigint':
    case 'int8':
      return typeof value === 'bigint' ? value : BigInt(value as string | number);
    case 'integer':
    case 'int':
    case 'int4':
    case 'smallint':
      return Number(value);
    case 'text':
    case 'name':
      return typeof value === 'object' && !(value instanceof Date) ? jsonText(value) : String(value);
    case 'numeric':
    case 'inet':
      return String(value);
    case 'date':
      return String(value).slice(0, 10);
    case 'uuid':
      return String(value).toLowerCase();
    case 'boolean':
      return value === true || value === 't' || value === 'true';
    case 'timestamptz':
      return value instanceof Date ? value : new Date(String(value));
    case 'json':
    case 'jsonb':
      return typeof value === 'string' ? (JSON.parse(value) as Value) : value;
    case 'bytea':
      return Buffer.isBuffer(value) ? value : Buffer.from(String(value).replace(/^\\x/, ''), 'hex');
    default:
      throw new TypeError(`the type ${type} is not known here`);
  }
}

/** `{a,b}` */
const arrayOf = (text: string): string[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => item.replace(/^"(.*)"$/, '$1'));

/** As PostgreSQL writes `jsonb`: shorter keys first, a space after each sign. */
export function jsonText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`).join(', ')}}`;
}

/** A text that is the same for equal values, for keys of indexes. */
export function keyOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      if (value instanceof Date) return String(value.getTime());
      if (Buffer.isBuffer(value)) return value.toString('latin1');
      return value === null
        ? '\u0001null'
        : Array.isArray(value)
          ? value.map(keyOf).join('\u0002')
          : jsonText(value);
    default:
      return String(value);
  }
}

/** Below, above or equal; neither is null. Times by their moment, rows and arrays item by item, text by its code. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'object' || typeof b === 'object') return compareObjects(a, b);
  // Whole numbers of either kind compare with each other.
  if ((a as string) < (b as string)) return -1;
  return (a as string) > (b as string) ? 1 : 0;
}

function compareObjects(a: Value, b: Value): number {
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime();
  if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [n, item] of a.entries()) {
      const found = compare(item, b[n]);
      if (found !== 0) return found;
    }
    return a.length - b.length;
  }
  if (a instanceof Date || b instanceof Date)
    return compare(coerce('timestamptz', a), coerce('timestamptz', b));
  const [left, right] = [keyOf(a), keyOf(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Sums and products of whole numbers: exact where either side is a bigint. */
export function calculate(op: string, a: Value, b: Value): Value {
  if (op === '||')
    return Array.isArray(a) ? [...a, ...(b as unknown[])] : `${coerce('text', a)}${coerce('text', b)}`;
  if (op === '->' || op === '->>') return member(a, b, op === '->>');
  if (op === '~') return new RegExp(String(b)).test(String(a));
  if (op === '!~') return !new RegExp(String(b)).test(String(a));
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    const [x, y] = [BigInt(a as bigint), BigInt(b as bigint)];
    if (op === '+') return x + y;
    if (op === '-') return x - y;
    if (op === '*') return x * y;
    if (op === '/') return x / y;
    if (op === '%') return x % y;
  } else if (typeof a === 'number' && typeof b === 'number') {
    if (op === '+') return a + b;
    if (op === '-') return a - b;
    if (op === '*') return a * b;
    if (op === '/') return Math.trunc(a / b);
    if (op === '%') return a % b;
  } else if (isDay(a) && typeof b === 'number' && (op === '+' || op === '-')) {
    const moment = new Date(`${a}T00:00:00Z`);
    moment.setUTCDate(moment.getUTCDate() + (op === '+' ? b : -b));
    return moment.toISOString().slice(0, 10);
  }
  throw new TypeError(`${typeof a} ${op} ${typeof b} is not known here`);
}

const isDay = (value: Value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

function member(of: Value, key: Value, asText: boolean): Value {
  const found = (of as Record<string, Value> | null)?.[String(key)];
  if (found === undefined || found === null) return null;
  return asText ? coerce('text', found) : found;
}
