import { inspect } from 'node:util';

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
}

const hidden = '[secret]';

class ZeroingBytes implements SecretBytes {
  readonly #bytes: Uint8Array;
  #state: 'fresh' | 'spent' = 'fresh';

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  async use<T>(f: (bytes: Uint8Array) => T | Promise<T>): Promise<T> {
    if (this.#state === 'spent') throw new Error('these secret bytes were used or destroyed already');
    this.#state = 'spent';
    try {
      return await f(this.#bytes);
    } finally {
      this.#bytes.fill(0);
    }
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

/** Zeroes the numbers of an input that will not be used. */
export function destroySecrets(
  input: { readonly secrets: Readonly<Record<string, SecretBytes | undefined>> } | object,
): void {
  if ('secrets' in input) for (const secret of Object.values(input.secrets)) secret?.destroy();
}

/**
 * Takes over `bytes`: the caller keeps no other copy, and the very buffer given is the one zeroed.
 * Printing, serialising or logging the result shows `[secret]`.
 */
export const secretBytes = (bytes: Uint8Array): SecretBytes => new ZeroingBytes(bytes);
