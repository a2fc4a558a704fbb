import { readFile } from 'node:fs/promises';

/** Who can open a backup. Neither: whoever has the file. */
export interface Lock {
  /** Public keys of age, `age1…`. */
  readonly keys: readonly string[];
  readonly passphrase: string | undefined;
}

/** What opens one. */
export interface Opener {
  /** Secret keys of age, `AGE-SECRET-KEY-…`. */
  readonly keys: readonly string[];
  readonly passphrase: string | undefined;
}

/** A key is none, or opens nothing; the message says which. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

// age (https://age-encryption.org/v1): chunks of 64 KiB, each authenticated, the last one marked, so that nothing can be cut off.
const FIRST_LINE = 'age-encryption.org/v1\n';

/** Whether a file that begins so is encrypted. @param begin its first bytes */
export const isLocked = (begin: Uint8Array): boolean =>
  Buffer.from(begin).toString('latin1').startsWith(FIRST_LINE);

export const FIRST_BYTES = FIRST_LINE.length;

/** Encrypts what passes. @throws {KeyRefused} */
export async function lockStream(
  content: ReadableStream<Uint8Array>,
  { keys, passphrase }: Lock,
): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if (passphrase !== undefined) encrypter.setPassphrase(passphrase);
  for (const key of keys) {
    try {
      encrypter.addRecipient(key);
    } catch {
      throw new KeyRefused(`'${key}' is no public key of age: one begins with age1`);
    }
  }
  return encrypter.encrypt(content);
}

/** Decrypts what passes. @throws {KeyRefused} where nothing opens it */
export async function openStream(
  content: ReadableStream<Uint8Array>,
  { keys, passphrase }: Opener,
): Promise<ReadableStream<Uint8Array>> {
  if (keys.length === 0 && passphrase === undefined)
    throw new KeyRefused('it is encrypted: --key-file or --passphrase-file opens it');
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  for (const key of keys) {
    try {
      decrypter.addIdentity(key);
    } catch {
      throw new KeyRefused('what --key-file names holds a line that is no secret key of age');
    }
  }
  try {
    return await decrypter.decrypt(content);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new KeyRefused(`it does not open with this key or passphrase (${why})`);
  }
}

/** A fresh pair: who has the secret one opens what the public one locks. */
export async function newKeyPair(): Promise<{ readonly publicKey: string; readonly secretKey: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const secretKey = await generateX25519Identity();
  return { secretKey, publicKey: await identityToRecipient(secretKey) };
}

/** Lines of a file of keys, as age-keygen writes it: without empty ones and remarks. */
export async function readKeyLines(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
