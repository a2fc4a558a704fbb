import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
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
  /** Keys that access tokens may have been signed with, the own first. */
  readonly tokenKeys: readonly Uint8Array[];
}

/** The same, with what is needed to tell keys apart and to change them. */
export interface SecretKeys extends Secrets {
  /** What a database keeps to tell by which key is its own. */
  readonly check: Buffer;
  /** The same of the key that is accepted beside the own. */
  readonly fallbackCheck: Buffer | undefined;
  /** What everything begins with that is sealed with the own key. */
  readonly sealedBegin: Buffer;
  /** Key of digests: that of the first SECRET_KEY the database had, since what a digest was of is not kept. */
  readonly digestKey: Buffer;
  /** The digest key that the fallback had by itself. */
  readonly fallbackDigestKey: Buffer | undefined;
  /** From now on digests are made with this one, as the database says. */
  useDigestKey(key: Buffer): void;
}

/** Version 1 did not say with which key it was sealed. */
const VERSIONS = { first: 1, withKey: 2 } as const;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST = 1 + IV_BYTES + TAG_BYTES;

interface Key {
  readonly id: Buffer;
  readonly seal: KeyObject;
  readonly digest: Buffer;
  readonly token: Buffer;
}

function keyOf(secretKey: string): Key {
  const derive = (use: string, length = 32) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'counterfoil', use, length));
  return {
    id: derive('key-id', ID_BYTES),
    // As keys, not as bytes, which each use would make a key of again: that takes longer than the use itself.
    seal: createSecretKey(derive('seal')),
    digest: derive('digest'),
    token: derive('access-token'),
  };
}

const checkOf = ({ digest }: Key): Buffer =>
  createHmac('sha256', digest).update('key check\0').update('key check').digest();

/**
 * @param secretKey at least 32 characters
 * @param fallbackKey opens too, while keys are changed; nothing is sealed with it
 */
export function createSecrets(secretKey: string, fallbackKey?: string): SecretKeys {
  const own = keyOf(secretKey);
  const fallback = fallbackKey === undefined ? undefined : keyOf(fallbackKey);
  const keys = fallback === undefined ? [own] : [own, fallback];
  let digestBytes = own.digest;
  let digestKey = createSecretKey(digestBytes);
  const sealedBegin = Buffer.concat([Buffer.of(VERSIONS.withKey), own.id]);
  return {
    tokenKey: own.token,
    tokenKeys: keys.map(({ token }) => token),
    check: checkOf(own),
    fallbackCheck: fallback && checkOf(fallback),
    sealedBegin,
    get digestKey() {
      return digestBytes;
    },
    fallbackDigestKey: fallback?.digest,
    useDigestKey(key) {
      digestBytes = key;
      digestKey = createSecretKey(key);
    },
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', own.seal, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([sealedBegin, iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed);
      const rest = bytes.subarray(bytes[0] === VERSIONS.withKey ? 1 + ID_BYTES : 1);
      const isKnown = bytes[0] === VERSIONS.first || bytes[0] === VERSIONS.withKey;
      if (!isKnown || rest.length < SHORTEST - 1) throw new Error('not a sealed value');
      if (bytes[0] === VERSIONS.first) return openByAny(keys, rest, context);
      const key = keys.find(({ id }) => bytes.subarray(1, 1 + ID_BYTES).equals(id));
      if (key === undefined) throw new Error('sealed with another key');
      return openBy(key, rest, context);
    },
    digest: (text, context) => createHmac('sha256', digestKey).update(`${context}\0`).update(text).digest(),
  };
}

/** @throws {Error} what the last key says */
function openByAny(keys: readonly Key[], rest: Buffer, context: string): string {
  const [key, ...others] = keys;
  if (key === undefined) throw new Error('there is no key');
  try {
    return openBy(key, rest, context);
  } catch (error) {
    if (others.length === 0) throw error;
    return openByAny(others, rest, context);
  }
}

/** @param rest what comes after version and key */
function openBy(key: Key, rest: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key.seal, rest.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(rest.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = rest.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

/** Plain SHA-256, for tokens that are random enough not to need a key. */
export function sha256(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest();
}
