import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import type { Access, AreaFlag } from '../guards/access.ts';

/** The part of OpenAPI 3.1 that our own document uses. */
export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  /** What the server itself sends, by type. */
  readonly webhooks?: Readonly<Record<string, { readonly post: OperationObject }>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface OperationObject {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, Answer>>;
  /** Schemes with what each has to allow. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-access'?: Access;
  /** Brand settings: where all of them are off, the call is not there. */
  readonly 'x-areas'?: readonly AreaFlag[];
  readonly 'x-in-person-only'?: boolean;
  /** Errors it answers with; in the document they stand among its answers. */
  readonly 'x-refusals'?: readonly ErrorCode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Answer {
  readonly description: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

/** JSON Schema 2020-12, as the contract's schemas are written out. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One call of the document. */
export interface Operation extends OperationObject {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly access: Access;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** Every call the document describes, in its order, with the named objects written out where they stand. */
export function operationsOf(document: OpenapiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        ...(writtenOut(operation, document) as OperationObject),
        method: method.toUpperCase(),
        path,
        access: operation['x-access'] ?? 'public',
      })),
  );
}

function writtenOut(part: unknown, document: OpenapiDocument): unknown {
  if (Array.isArray(part)) return part.map((each) => writtenOut(each, document));
  if (typeof part !== 'object' || part === null) return part;
  const named = '$ref' in part ? /^#\/components\/schemas\/(\w+)$/.exec(String(part.$ref)) : null;
  if (named !== null) return writtenOut(document.components?.schemas?.[named[1] ?? ''], document);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, writtenOut(value, document)]));
}
