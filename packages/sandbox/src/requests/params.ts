/**
 * Parameter rules: what a request may contain, checked and read, each fault naming its parameter.
 * A rule that clears turns an empty value into `null` (to unset it); elsewhere an empty value is refused.
 */
import type { Form, FormMap } from './form.ts';
import { ParamFault, type ParamProblem } from './param-fault.ts';

const invalid = (message: string, param: string, problem: ParamProblem = 'shape') =>
  new ParamFault(problem, param, message);

export interface Rule<T> {
  read(form: Form | undefined, name: string): T;
}
export type Read<R> = R extends Rule<infer T> ? T : never;
type Fields = Readonly<Record<string, Rule<unknown>>>;
/** The values of a set of rules. */
export type ReadFields<F extends Fields> = { readonly [K in keyof F]: Read<F[K]> };

/** Makes an optional rule a required one. */
export function required<T>(rule: Rule<T | undefined | null>): Rule<NonNullable<T>> {
  return {
    read(form, name) {
      if (form === undefined) throw invalid(`Missing required param: ${name}.`, name, 'missing');
      if (form === '') throw emptyRefused(name);
      return rule.read(form, name) as NonNullable<T>;
    },
  };
}

function emptyRefused(name: string) {
  return invalid(
    `You passed an empty string for '${name}'. We assume empty values are an attempt to unset a parameter; however '${name}' cannot be unset. You should remove '${name}' from your request or supply a non-empty value.`,
    name,
    'empty',
  );
}

/** A string; the empty one clears. */
export function text(most = 5000): Rule<string | null | undefined> {
  return {
    read(form, name) {
      if (form === undefined) return undefined;
      if (typeof form !== 'string') throw invalid('Invalid string: expected a string', name);
      if (form.includes('\0')) throw invalid('Invalid string: it contains a null character', name);
      if (form.length > most) {
        throw invalid(`Invalid string: must be at most ${most} characters`, name, 'length');
      }
      return form === '' ? null : form;
    },
  };
}

/** A string that cannot be cleared, such as an id. */
export function id(most = 255): Rule<string | undefined> {
  const rule = text(most);
  return {
    read(form, name) {
      const value = rule.read(form, name);
      if (value === null) throw emptyRefused(name);
      return value;
    },
  };
}

export function oneOf<const T extends string>(...values: readonly T[]): Rule<T | undefined> {
  return {
    read(form, name) {
      if (form === undefined) return undefined;
      const found = values.find((value) => value === form);
      if (found === undefined) {
        throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, name);
      }
      return found;
    },
  };
}

export function whole(
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): Rule<number | undefined> {
  return {
    read(form, name) {
      if (form === undefined) return undefined;
      if (form === '') throw emptyRefused(name);
      if (typeof form !== 'string' || !/^[+-]?\d{1,15}$/.test(form)) {
        throw invalid(`Invalid integer: ${typeof form === 'string' ? form : ''}`, name, 'integer');
      }
      const value = Number(form);
      if (value < least) throw invalid(`Invalid integer: must be at least ${least}`, name, 'integer');
      if (value > most) throw invalid(`Invalid integer: must be at most ${most}`, name, 'integer');
      return value;
    },
  };
}

export const flag: Rule<boolean | undefined> = {
  read(form, name) {
    if (form === undefined) return undefined;
    if (form === 'true') return true;
    if (form === 'false') return false;
    throw invalid(`Invalid boolean: ${typeof form === 'string' ? form : ''}`, name);
  },
};

export function list<T>(rule: Rule<T>, most = 100): Rule<NonNullable<T>[] | undefined> {
  return {
    read(form, name) {
      if (form === undefined) return undefined;
      if (form === '') return [];
      if (!Array.isArray(form)) throw invalid('Invalid array', name);
      if (form.length > most) throw invalid(`Invalid array: at most ${most} values`, name);
      return form.map((child: Form, index) => rule.read(child, `${name}[${index}]`) as NonNullable<T>);
    },
  };
}

/** A group of named parameters; an unknown name is refused. */
export function group<F extends Fields>(fields: F): Rule<ReadFields<F> | undefined> {
  return {
    read(form, name) {
      if (form === undefined || form === '') return undefined;
      if (typeof form === 'string' || Array.isArray(form)) throw invalid('Invalid object', name);
      return readFields(fields, form as FormMap, name);
    },
  };
}

/** Reads all parameters of a request. */
export function readParams<F extends Fields>(fields: F, form: FormMap): ReadFields<F> {
  return readFields(fields, form, '');
}

function readFields<F extends Fields>(fields: F, form: FormMap, prefix: string): ReadFields<F> {
  const named = (name: string) => (prefix === '' ? name : `${prefix}[${name}]`);
  for (const name of Object.keys(form)) {
    if (!Object.hasOwn(fields, name)) {
      throw invalid(`Received unknown parameter: ${named(name)}`, named(name), 'unknown');
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(fields)) values[name] = rule.read(form[name], named(name));
  return values as ReadFields<F>;
}

/** How much metadata a gateway takes: keys, and characters of a key and of a value. */
export interface MetadataLimits {
  readonly keys: number;
  readonly key: number;
  readonly value: number;
}

/** Names with texts; an empty value removes a key, an empty group all of them (`clear`). */
export function metadataRule(
  limits: MetadataLimits,
): Rule<Readonly<Record<string, string>> | 'clear' | undefined> {
  return {
    read(form, name) {
      if (form === undefined) return undefined;
      if (form === '') return 'clear';
      if (typeof form === 'string') throw invalid('Invalid object', name);
      const entries = Object.entries(form);
      if (entries.length > limits.keys) throw invalid(`Metadata can have at most ${limits.keys} keys.`, name);
      for (const [key, value] of entries) {
        const at = `${name}[${key}]`;
        if (typeof value !== 'string') throw invalid('Metadata values must be strings.', at);
        if (key.length > limits.key)
          throw invalid(
            `Metadata keys can have up to ${limits.key} characters, '${key}' has ${key.length}.`,
            at,
          );
        if (value.length > limits.value)
          throw invalid(
            `Metadata values can have up to ${limits.value} characters, '${key}' has ${value.length}.`,
            at,
          );
      }
      return Object.fromEntries(entries) as Record<string, string>;
    },
  };
}

/** An address with a scheme. */
export const webAddress: Rule<string | undefined> = {
  read(form, name) {
    const value = text(2048).read(form, name) ?? undefined;
    if (value !== undefined && !(URL.canParse(value) && /^[a-z][a-z0-9+.-]*:\/\//i.test(value))) {
      throw invalid('Not a valid URL', name, 'address');
    }
    return value;
  },
};
