import type * as z from 'zod/mini';

/**
 * Writes answers of long lists: what the schema does not declare is left out, as everywhere, but values are not looked
 * at one by one. For answers whose values come from typed code, where encoding by the schema would take longer than
 * the answer. An object that is answered again is not written again: its content must never change.
 * @throws {Error} at the start, for kinds of schema that it does not know
 */
export function declaredOnly({ schema }: { readonly schema: unknown }): (data: unknown) => string {
  const pick = pickerOf(schema as z.ZodMiniType);
  const written = new WeakMap<object, string>();
  return (answer) => {
    const { data } = answer as { readonly data: object };
    const known = written.get(data);
    if (known !== undefined) return known;
    const text = JSON.stringify(pick(answer));
    written.set(data, text);
    return text;
  };
}

/** Writes one element of a list in the same way. @throws {Error} at the start, for kinds of schema that it does not know */
export function elementWriter(schema: z.ZodMiniType): (element: unknown) => string {
  const pick = pickerOf(schema);
  return (element) => JSON.stringify(pick(element));
}

type Picker = (value: unknown) => unknown;

const asIs: Picker = (value) => value;

function pickerOf(schema: z.ZodMiniType): Picker {
  const { def } = schema as unknown as { def: Def };
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape).map(([name, member]) => [name, pickerOf(member)] as const);
      return (value) => {
        const picked: Record<string, unknown> = {};
        for (const [name, pick] of members) picked[name] = pick((value as Record<string, unknown>)[name]);
        return picked;
      };
    }
    case 'array': {
      const pick = pickerOf(def.element);
      return (value) => (value as readonly unknown[]).map(pick);
    }
    case 'nullable': {
      const pick = pickerOf(def.innerType);
      return (value) => (value === null ? null : pick(value));
    }
    case 'optional': {
      const pick = pickerOf(def.innerType);
      return (value) => (value === undefined ? undefined : pick(value));
    }
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'string':
    case 'number':
      return asIs;
    default:
      throw new Error(`an answer of kind ${(def as { type: string }).type} is not written this way`);
  }
}

/** Of a schema, what says how it is made. */
type Def =
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.ZodMiniType>> }
  | { readonly type: 'array'; readonly element: z.ZodMiniType }
  | { readonly type: 'nullable' | 'optional'; readonly innerType: z.ZodMiniType }
  | { readonly type: 'boolean' | 'enum' | 'literal' | 'string' | 'number' };
