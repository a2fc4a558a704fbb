import type { Schema } from './openapi-document.ts';

/** One member of a body or answer, flattened: `data.lines[].price`. */
export interface Member {
  /** Path from the top; empty for the value itself. */
  readonly path: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** Limits and meaning, in words. */
  readonly notes: string;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Every member of a schema, outermost first. Objects that only hold members have no row of their own. */
export function membersOf(schema: Schema, schemas: Schemas = {}, path = '', isOptional = false): Member[] {
  const resolved = resolve(schema, schemas);
  const { inner, isNullable } = withoutNull(resolved);
  const { properties, items } = inner;
  if (properties !== undefined) {
    const own =
      path === '' || !(isOptional || isNullable) ? [] : [member(inner, path, isOptional, isNullable)];
    const required = inner.required ?? [];
    const members = Object.entries(properties).flatMap(([name, one]) =>
      membersOf(one, schemas, path === '' ? name : `${path}.${name}`, !required.includes(name)),
    );
    return [...own, ...members];
  }
  if (items !== undefined) {
    const item = resolve(items, schemas);
    if (item.properties !== undefined || item.items !== undefined) {
      return membersOf(item, schemas, `${path}[]`, isOptional);
    }
  }
  return [member(inner, path, isOptional, isNullable)];
}

function member(schema: Schema, path: string, isOptional: boolean, isNullable: boolean): Member {
  const type = `${typeText(schema)}${isNullable ? ' or null' : ''}`;
  return { path, type, isOptional, notes: notesOf(schema) };
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

/** A value or nothing is written as two alternatives, or as two types. */
function withoutNull(schema: Schema): { inner: Schema; isNullable: boolean } {
  const others = schema.anyOf?.filter((one) => one.type !== 'null') ?? [];
  const [only] = others;
  if (others.length === 1 && only !== undefined) {
    return { inner: only, isNullable: others.length !== schema.anyOf?.length };
  }
  return { inner: schema, isNullable: Array.isArray(schema.type) && schema.type.includes('null') };
}

/** The type in words: 'text', 'whole number', 'list of text'. */
export function typeText(schema: Schema): string {
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  if (schema.format === 'uuid') return 'id (UUID)';
  if (schema.format === 'binary') return 'file';
  return (typeof type === 'string' ? WORDS[type] : undefined) ?? 'any value';
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
};

/** What a value must be beyond its type. */
export function notesOf(schema: Schema): string {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const notes = [
    schema.description,
    choices === undefined ? undefined : `one of: ${choices.map(String).join(', ')}`,
    rangeText(schema.minimum, bounded(schema.maximum), ''),
    rangeText(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern === undefined || schema.format !== undefined ? undefined : `matches ${schema.pattern}`,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ];
  return notes.filter((note) => note !== undefined).join('; ');
}

/** The limits of the JSON number itself say nothing. */
function bounded(limit: number | undefined): number | undefined {
  return limit === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function rangeText(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const least = from === Number.MIN_SAFE_INTEGER ? undefined : from;
  if (least === undefined) return to === undefined ? undefined : `at most ${to}${unit}`;
  return to === undefined ? `at least ${least}${unit}` : `${least} to ${to}${unit}`;
}
