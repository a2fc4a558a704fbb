import { inspect } from 'node:util';

/**
 * Room for bytes that are to be overwritten, outside of the heap of JavaScript. A small typed array made by its length, by `slice` or
 * by `filter` lies within, where the collector moves it and leaves what it held behind.
 */
export const bytesToOverwrite = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(length));

/** The same bytes in room of their own that can be overwritten. */
export function copyToOverwrite(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = bytesToOverwrite(bytes.length);
  copy.set(bytes);
  return copy;
}

/** All of them in a row, in room that can be overwritten. */
export function joinToOverwrite(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = bytesToOverwrite(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Bytes (a card number, a CVC, an account number) that may be looked at once and are then overwritten. */
export interface SecretBytes {
  /**
   * Hands the bytes to `f` and zeroes them when `f` ends, however it ends. They must not be copied into a
   * string: strings cannot be overwritten.
   * @throws {Error} on a second use
   */
  use<T>(f: (bytes: Uint8Array) => T | Promise<T>): Promise<T>;
  /** Zeroes the bytes unused. */
  destroy(): void;
  /**
   * Hands the bytes to a new owner, who uses or destroys them; these are spent.
   * @throws {Error} when they were used or destroyed
   */
  move(): SecretBytes;
}

const hidden = '[secret]';

class ZeroingBytes implements SecretBytes {
  #bytes: Uint8Array;
  #state: 'fresh' | 'spent' = 'fresh';

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  async use<T>(f: (bytes: Uint8Array) => T | Promise<T>): Promise<T> {
    const bytes = this.#spend();
    try {
      return await f(bytes);
    } finally {
      bytes.fill(0);
    }
  }

  move(): SecretBytes {
    const bytes = this.#spend();
    this.#bytes = new Uint8Array();
    return new ZeroingBytes(bytes);
  }

  #spend(): Uint8Array {
    if (this.#state === 'spent') throw new Error('these secret bytes were used or destroyed already');
    this.#state = 'spent';
    return this.#bytes;
  }

  destroy(): void {
    this.#state = 'spent';
    this.#bytes.fill(0);
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

type Secrets = Readonly<Record<string, SecretBytes | undefined>>;

/** Zeroes the numbers of an input that will not be used. */
export function destroySecrets(input: { readonly secrets: Secrets } | object): void {
  if ('secrets' in input) for (const secret of Object.values(input.secrets)) secret?.destroy();
}

/**
 * Lends an input to `f` as the new owner of its numbers, and zeroes what is left of them when `f` ends, however it ends.
 * @throws {Error} when they were used or destroyed already
 */
export async function lendSecrets<Input extends { readonly secrets: Secrets } | object, T>(
  input: Input,
  f: (input: Input) => Promise<T>,
): Promise<T> {
  if (!('secrets' in input)) return f(input);
  const moved: [string, SecretBytes | undefined][] = [];
  try {
    for (const [name, secret] of Object.entries<SecretBytes | undefined>({ ...input.secrets }))
      moved.push([name, secret?.move()]);
    return await f(Object.assign({}, input, { secrets: Object.fromEntries(moved) }));
  } finally {
    for (const [, secret] of moved) secret?.destroy();
  }
}

/**
 * Takes over `bytes`: the caller keeps no other copy, and the very buffer given is the one zeroed.
 * Printing, serialising or logging the result shows `[secret]`.
 */
export const secretBytes = (bytes: Uint8Array): SecretBytes => new ZeroingBytes(bytes);
