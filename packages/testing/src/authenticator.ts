import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

/** What a page asks `navigator.credentials` for, as far as an authenticator reads it. */
export interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}
export interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** Ways in which a browser or an authenticator may lie. */
export interface Lies {
  /** The page the browser says it was at. */
  readonly origin?: string;
  readonly challenge?: string;
  /** The site the authenticator signs for. */
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly userPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Signed with a key that is not the passkey's. */
  readonly otherKey?: boolean;
  /** Vouched for with a certificate of its maker's, in good order, which nobody asked for. */
  readonly certified?: boolean;
}

interface Credential {
  readonly id: Buffer;
  readonly key: KeyObject;
  readonly userHandle: string;
  counter: number;
}

const FLAG = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/**
 * An authenticator in software: makes passkeys (ES256) and signs with them as WebAuthn 3 describes, whatever page
 * asks. It keeps no rules, so that a test can see whether the server does.
 */
export class SoftwareAuthenticator {
  readonly #credentials: Credential[] = [];
  readonly #counts: boolean;
  readonly #aaguid: Buffer;

  /** @param options whether it counts its signatures; the AAGUID it carries */
  constructor({ counts = true, aaguid = '00000000-0000-0000-0000-000000000000' } = {}) {
    this.#counts = counts;
    this.#aaguid = Buffer.from(aaguid.replaceAll('-', ''), 'hex');
  }

  /** `navigator.credentials.create` at a page. @returns RegistrationResponseJSON */
  create(options: CreationOptions, origin: string, lies: Lies = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credential = { id: randomBytes(32), key: privateKey, userHandle: options.user.id, counter: 0 };
    this.#credentials.push(credential);
    const attested = Buffer.concat([
      this.#aaguid,
      Buffer.of(0, credential.id.length),
      credential.id,
      coseKey(publicKey),
    ]);
    const counter = lies.counter ?? this.#count(credential);
    const authData = authenticatorData(options.rp.id, counter, lies, attested);
    const clientDataJson = clientData('webauthn.create', options.challenge, origin, lies);
    const attestationObject = cbor(
      new Map([...attestation(lies, authData, clientDataJson), ['authData', authData]]),
    );
    const id = credential.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJson.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** `navigator.credentials.get` at a page, with the newest passkey. @returns AuthenticationResponseJSON */
  get(options: RequestOptions, origin: string, lies: Lies = {}) {
    const credential = this.#credentials.at(-1);
    if (credential === undefined) throw new Error('this authenticator has no passkey');
    const counter = lies.counter ?? this.#count(credential);
    const authData = authenticatorData(options.rpId, counter, lies);
    const clientDataJson = clientData('webauthn.get', options.challenge, origin, lies);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJson).digest()]);
    const key =
      lies.otherKey === true ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : credential.key;
    const id = credential.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJson.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, key).toString('base64url'),
        userHandle: lies.userHandle ?? credential.userHandle,
      },
    };
  }

  #count(credential: Credential): number {
    if (this.#counts) credential.counter += 1;
    return credential.counter;
  }
}

function attestation(lies: Lies, authData: Buffer, clientDataJson: Buffer): Map<string, unknown> {
  if (lies.certified !== true)
    return new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
    ]);
  const signed = Buffer.concat([authData, createHash('sha256').update(clientDataJson).digest()]);
  const statement = new Map<string, unknown>([
    ['alg', -7],
    ['sig', sign('sha256', signed, maker.key)],
    ['x5c', [maker.certificate]],
  ]);
  return new Map<string, unknown>([
    ['fmt', 'packed'],
    ['attStmt', statement],
  ]);
}

/** A maker of authenticators (WebAuthn 3, 8.2.1), of nobody's trust, and its key. */
const maker = {
  certificate: Buffer.from(
    'MIIB/DCCAaKgAwIBAgIUQVG9iwtvybH2JET1XiaGunDkTFEwCgYIKoZIzj0EAwIwVDELMAkGA1UEBhMCTloxDzANBgNVBAoM' +
      'Bk5vYm9keTEiMCAGA1UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHVW5hc2tlZDAgFw0yNjExMjIw' +
      'MzAxNDRaGA8yMTI2MTAyOTAzMDE0NFowVDELMAkGA1UEBhMCTloxDzANBgNVBAoMBk5vYm9keTEiMCAGA1UECwwZQXV0aGVu' +
      'dGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHVW5hc2tlZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKjWsIkUgqH8' +
      'qqUwLtWQWAO+FgliET/Ku6qmTYJW6uZudpBIWONkVUVO50YD7v7x4sCblyjPvYONYXqXEMrkcSajUDBOMB0GA1UdDgQWBBSF' +
      'hTmIRiQdn8NDbTItZKjd7RyCMjAfBgNVHSMEGDAWgBSFhTmIRiQdn8NDbTItZKjd7RyCMjAMBgNVHRMBAf8EAjAAMAoGCCqG' +
      'SM49BAMCA0gAMEUCIAMFqLY22y7WiQENUMizPQxbMB0TX1kCHbTSIXQwJ6XjAiEA8l6Os6DlVrdFMYoVDYneLGvU1IHpH25+' +
      '21svrZt6ewk=',
    'base64',
  ),
  key: createPrivateKey({
    key: Buffer.from(
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOyWVv/KS4MrCSzXCXb2nqQyD7xWCjHglWI97PIsUAr2hRANC' +
        'AASo1rCJFIKh/KqlMC7VkFgDvhYJYhE/yruqpk2CVurmbnaQSFjjZFVFTudGA+7+8eLAm5coz72DjWF6lxDK5HEm',
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
};

function clientData(type: string, challenge: string, origin: string, lies: Lies): Buffer {
  const said = {
    type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? origin,
    crossOrigin: false,
  };
  return Buffer.from(JSON.stringify(said));
}

function authenticatorData(rpId: string, counter: number, lies: Lies, attested = Buffer.alloc(0)): Buffer {
  const flags =
    (lies.userPresent === false ? 0 : FLAG.userPresent) |
    (lies.userVerified === false ? 0 : FLAG.userVerified) |
    FLAG.backupEligible |
    FLAG.backedUp |
    (attested.length > 0 ? FLAG.attested : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const site = createHash('sha256')
    .update(lies.rpId ?? rpId)
    .digest();
  return Buffer.concat([site, Buffer.of(flags), count, attested]);
}

/** The public half as COSE_Key (RFC 9053 7.1.1): EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** The part of CBOR (RFC 8949) that authenticators write: integers, texts, bytes, arrays, maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  throw new TypeError('this kind of value is not written');
}

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.of((kind << 5) | length);
  if (length < 256) return Buffer.of((kind << 5) | 24, length);
  return Buffer.of((kind << 5) | 25, length >> 8, length & 255);
}
