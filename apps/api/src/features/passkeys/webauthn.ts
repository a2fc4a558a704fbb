import type {
  NewPasskey,
  PasskeyAssertion,
  PasskeyChallenge,
  PasskeyRegistration,
} from '@counterfoil/contract/people/passkeys.ts';
import { PASSKEY_CHALLENGE_SECONDS } from '@counterfoil/contract/people/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** EdDSA, ES256, RS256: what authenticators have. */
const ALGORITHMS = [-8, -7, -257];
const timeout = PASSKEY_CHALLENGE_SECONDS * 1000;

// 25 MB and 0.1 s: loaded with the first passkey, not with every process.
const library = () => import('@simplewebauthn/server');

/** What was signed, where, by whom. */
interface Expected {
  readonly party: RelyingParty;
  /** base64url */
  readonly challenge: string;
}

/** A person as authenticators know them: 16 bytes that say nothing about them. */
export const userHandle = (holderId: string): string =>
  Buffer.from(holderId.replaceAll('-', ''), 'hex').toString('base64url');

export interface Registrant {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

/** For `navigator.credentials.create`: a passkey that can sign in by itself, behind the device's own lock. */
export const creationOptions = (
  { party, challenge }: Expected,
  user: Registrant,
  known: readonly { readonly id: string; readonly transports: string[] }[],
): PasskeyRegistration['options'] => ({
  rp: { id: party.id, name: party.name },
  user: { id: userHandle(user.id), name: user.email, displayName: user.displayName },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout,
  excludeCredentials: known.map((one) => ({ type: 'public-key' as const, ...one })),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
});

/** For `navigator.credentials.get`: whichever passkey of this site the person chooses. */
export const requestOptions = ({ party, challenge }: Expected): PasskeyChallenge['options'] => ({
  challenge,
  rpId: party.id,
  timeout,
  userVerification: 'required',
  allowCredentials: [],
});

/** A passkey as its authenticator describes it. */
export interface MadePasskey {
  readonly credentialId: Buffer;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly deviceType: 'singleDevice' | 'multiDevice';
  readonly backedUp: boolean;
  readonly aaguid: string;
}

/** @returns undefined for anything that was not made here, now, by a verified person */
export async function readRegistration(
  expected: Expected,
  credential: NewPasskey['credential'],
): Promise<MadePasskey | undefined> {
  try {
    if (await bringsCertificates(credential)) return undefined;
    const { verifyRegistrationResponse } = await library();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return undefined;
    const { credential: made, credentialDeviceType, credentialBackedUp, aaguid } = registrationInfo;
    return {
      credentialId: Buffer.from(made.id, 'base64url'),
      publicKey: made.publicKey,
      counter: made.counter,
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      aaguid,
    };
  } catch {
    // The library throws on what it finds wrong; which of it is no business of the caller's.
    return undefined;
  }
}

/**
 * We ask for no attestation. Certificates that come all the same are not even looked at: checking them can mean asking
 * addresses that stand in them, which whoever sends them may choose.
 */
async function bringsCertificates({ response }: NewPasskey['credential']): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(
    new Uint8Array(Buffer.from(response.attestationObject, 'base64url')),
  );
  const format = object.get('fmt');
  return format !== 'none' && (format !== 'packed' || object.get('attStmt').get('x5c') !== undefined);
}

/** The passkey a sign-in claims to be by. */
export interface ClaimedPasskey {
  readonly holderId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
}

/**
 * @returns the authenticator's counter; undefined when it was not signed here, now, by this passkey of this person, with
 *   the person verified
 */
export async function readAssertion(
  expected: Expected,
  passkey: ClaimedPasskey,
  assertion: PasskeyAssertion,
): Promise<{ readonly counter: number; readonly backedUp: boolean } | undefined> {
  if (assertion.response.userHandle !== userHandle(passkey.holderId)) return undefined;
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        // The library would compare before it looks at the signature; the caller does, under a lock.
        counter: 0,
      },
    });
    if (!verified) return undefined;
    return {
      counter: authenticationInfo.newCounter,
      backedUp: authenticationInfo.credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}
