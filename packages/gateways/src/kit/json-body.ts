/** JSON bodies with numbers that stand in no string: they are written into the bytes, and overwritten after use. */
import { randomUUID } from 'node:crypto';
import { copyToOverwrite, joinToOverwrite, type SecretBytes } from './secret-bytes.ts';

/** What a body may hold, besides what JSON does. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | SecretBytes
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

const isSecret = (value: unknown): value is SecretBytes =>
  typeof value === 'object' && value !== null && 'use' in value && typeof value.use === 'function';

/**
 * Lends the bytes of a JSON document to `f` and overwrites them when it ends. Its secrets are used up; each becomes a string of
 * digits. Members that are undefined stay away.
 * @throws {RangeError} for a secret that is not of digits alone: it could end its string
 */
export async function lendJson<T>(
  value: JsonValue,
  f: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const secrets: SecretBytes[] = [];
  // Longer than anybody guesses: no text of a request can be taken for a place of a secret.
  const mark = randomUUID();
  // A secret's own `toJSON` hides it before a replacer sees it, so that the places are marked first.
  const marked = (one: JsonValue): unknown => {
    if (isSecret(one)) return `${mark}${secrets.push(one) - 1}`;
    if (Array.isArray(one)) return one.map(marked);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, marked(member)]));
  };
  const texts = JSON.stringify(marked(value)).split(new RegExp(`${mark}\\d+`));
  const parts: Uint8Array[] = [];
  let document = new Uint8Array();
  try {
    for (const [at, text] of texts.entries()) {
      parts.push(new TextEncoder().encode(text));
      const secret = secrets[at];
      if (secret === undefined) continue;
      const bytes = await secret.use(copyToOverwrite);
      parts.push(bytes);
      if (bytes.some((byte) => byte < 0x30 || byte > 0x39))
        throw new RangeError('a secret is not of digits alone');
    }
    document = joinToOverwrite(parts);
    return await f(document);
  } finally {
    for (const secret of secrets) secret.destroy();
    for (const part of parts) part.fill(0);
    document.fill(0);
  }
}
