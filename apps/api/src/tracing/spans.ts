/**
 * What a span tells, by the names of OpenTelemetry's conventions where they have one. Only what the program itself wrote: names of
 * routes, tables, jobs and gateways, states, codes. Never an address, an id of somebody's, or a value that came from outside.
 */
export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Who began the work: a caller (`server`), we at another system (`client`), the queue (`consumer`), a round of ours. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** A piece of work that is being timed. */
export interface OpenSpan {
  tell(facts: Facts): void;
  rename(name: string): void;
  /** @param kind as `error.type`: a code or the name of a class, no message */
  fail(kind: string): void;
  end(): void;
  /** Runs work whose own spans belong below this one. */
  within<T>(work: () => T): T;
}

/** What makes spans of work; there is one in processes that are traced. */
export interface Tracer {
  /** @param parent the caller's `traceparent`, where callers are believed */
  begin(kind: SpanKind, name: string, facts: Facts, parent?: string): OpenSpan;
  /** Whether this very work is part of a span. */
  isWithin(): boolean;
}

let tracer: Tracer | undefined;

/** From now on work is traced, or is not any more. */
export function traceWith(given: Tracer | undefined): void {
  tracer = given;
}

/** The tracer of this process; undefined where nothing is traced, which is the one thing asked for then. */
export const currentTracer = (): Tracer | undefined => tracer;

/**
 * Runs work as a span, or just runs it where nothing is traced.
 * @throws what the work throws; the span has its kind
 */
export async function traced<T>(
  kind: SpanKind,
  name: string,
  facts: Facts,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work(undefined);
  const span = tracer.begin(kind, name, facts);
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Gives items on as they are taken, and ends the span when the last was, or nobody wants more. */
export async function* watched<T>(
  span: OpenSpan,
  items: AsyncIterable<T>,
  fail: (span: OpenSpan, error: unknown) => void = (of, error) => of.fail(kindOf(error)),
): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

const CODE = /^[\w.]{1,60}$/;

/** A word for an error that holds nothing of anybody: its code, else the name of its class. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return error.cause instanceof Error && error.name === 'TypeError' ? kindOf(error.cause) : error.name;
}
