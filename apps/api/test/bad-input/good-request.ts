import type { Operation, Parameter, Schema } from '../../src/http/answers/openapi-document.ts';

/** What a caller would send who means well: the starting point of what is then spoilt. */
export interface GoodRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** As a known value: a member or parameter that a caller who means well does not send. */
export const LEFT_OUT = Symbol('left out');

/**
 * Values by the name of their parameter or member, where the schema alone does not say enough; `'/path/{id} id'` names
 * one of that path only.
 */
export type KnownValues = Readonly<Record<string, unknown>>;

/**
 * A request as the document asks for.
 * @throws {Error} when the document does not say enough and the known values do not help out
 */
export function goodRequest(operation: Operation, known: KnownValues): GoodRequest {
  const here = knownAt(operation.path, known);
  const parameters = (place: Parameter['in']): Record<string, string> =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === place && here[parameter.name] !== LEFT_OUT)
        .map(({ name, schema }) => [name, String(goodValue(schema ?? {}, name, here))]),
    );

  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const body =
    content === undefined
      ? {}
      : { contentType: content[0], body: goodValue(content[1].schema ?? {}, 'body', here) };
  return { path: parameters('path'), query: parameters('query'), ...body };
}

/** The known values with those of this path in front. */
function knownAt(path: string, known: KnownValues): KnownValues {
  const own = Object.entries(known).filter(([name]) => name.startsWith(`${path} `));
  return {
    ...known,
    ...Object.fromEntries(own.map(([name, value]) => [name.slice(path.length + 1), value])),
  };
}

function goodValue(schema: Schema, name: string, known: KnownValues): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const isMade = schema.type === 'object' || schema.type === 'array';
  const value = name in known && !isMade ? known[name] : undefined;
  if (value !== undefined)
    return typeof value === 'object' && value !== null ? valueForType(value, schema) : value;
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf?.[0] !== undefined) return goodValue(schema.anyOf[0], name, known);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([key, member]) =>
          known[key] === LEFT_OUT ? [] : [[key, goodValue(member, key, known)]],
        ),
      );
    case 'array':
      return [goodValue(schema.items ?? {}, name, known)];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return goodText(schema, name);
  }
}

/** The same name may be a number in one place and an id in another. */
function valueForType(byType: object, schema: Schema): unknown {
  return Object.entries(byType).find(([type]) => type === schema.type)?.[1];
}

function goodText(schema: Schema, name: string): string {
  const text = 'x'.repeat(Math.max(1, schema.minLength ?? 0));
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(text)) {
    throw new Error(`no good value is known for ${name}: add one in apps/api/test/bad-input/stage.ts`);
  }
  return text;
}
