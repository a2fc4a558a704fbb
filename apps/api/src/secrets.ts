import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** Keys derived from the one `SECRET_KEY`; each use has a key of its own. */
export interface Secrets {
  /** Encrypts (AES-256-GCM). `context` binds the result to its place: it must be given again to open. */
  seal(plain: string, context: string): Buffer;
  /** @throws {Error} when the bytes were changed, or sealed elsewhere or with another key */
  open(sealed: Uint8Array, context: string): string;
  /** Keyed digest for look-ups that must not be guessable from a stolen table. */
  digest(text: string | Uint8Array, context: string): Buffer;
  /** Key that signs access tokens. */
  readonly tokenKey: Uint8Array;
}

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** @param secretKey at least 32 characters */
export function createSecrets(secretKey: string): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, 'counterfoil', use, 32));
  // As keys, not as bytes, which each use would make a key of again: that takes longer than the use itself.
  const sealKey = createSecretKey(derive('seal'));
  const digestKey = createSecretKey(derive('digest'));
  return {
    tokenKey: derive('access-token'),
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== VERSION || bytes.length < 1 + IV_BYTES + TAG_BYTES)
        throw new Error('not a sealed value');
      const iv = bytes.subarray(1, 1 + IV_BYTES);
      const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealKey, iv)
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = bytes.subarray(1 + IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    digest: (text, context) => createHmac('sha256', digestKey).update(`${context}\0`).update(text).digest(),
  };
}

/** Plain SHA-256, for tokens that are random enough not to need a key. */
export function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest();
}
