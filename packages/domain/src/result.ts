/** A call that can be refused in an expected way: the answer is a value, nothing is thrown. */
export type Result<T, E> = Ok<T> | Err<E>;

/** The accepted side of a {@link Result}. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** The refused side of a {@link Result}. */
export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Wraps an accepted value. */
export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

/** Wraps the reason of a refusal. */
export const err = <E>(error: E): Err<E> => ({ ok: false, error });

/**
 * Turns a parser that throws {@link InvalidValue} into one that returns its refusal.
 * Anything else that is thrown is a fault of ours and passes through.
 */
export function tryParse<T>(parse: () => T): Result<T, InvalidValue> {
  try {
    return ok(parse());
  } catch (cause) {
    if (cause instanceof InvalidValue) return err(cause);
    throw cause;
  }
}

/** What a text was meant to be when it could not be read. */
export type ValueKind = 'currency' | 'money' | 'rate' | 'day' | 'timeZone' | 'localTime';

/**
 * Thrown by every parser of this package for text it cannot read. The offending text is kept apart from the
 * message and cut to 80 characters, so that a log line stays short.
 */
export class InvalidValue extends RangeError {
  override readonly name = 'InvalidValue';
  readonly kind: ValueKind;
  readonly text: string;

  constructor(kind: ValueKind, text: string, why: string) {
    const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
    super(`Not a valid ${kind}: ${JSON.stringify(shown)} (${why})`);
    this.kind = kind;
    this.text = shown;
  }
}
