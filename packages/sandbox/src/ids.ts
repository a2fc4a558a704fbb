/** Ids, client secrets and digests. */
import { createHash, randomBytes } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits. */
export function random(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is four times 62: bytes above it would favour the first letters.
      if (byte < 248 && text.length < length) text += letters[byte % 62];
    }
  }
  return text;
}

/** `newId('pi')` gives `pi_` and 24 characters that never hold twelve digits in a row. */
export function newId(prefix: string): string {
  for (;;) {
    const tail = random(24);
    if (!/\d{8}/.test(tail)) return `${prefix}_${tail}`;
  }
}

export function newSecret(id: string): string {
  return `${id}_secret_${random(25)}`;
}

export function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}
