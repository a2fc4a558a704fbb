import { newToken } from '@counterfoil/domain/text/ids.ts';
import { randomPKCECodeVerifier } from 'openid-client';
import { type Secrets, sha256 } from '../../secrets.ts';
import type { IdentityProviders, Registration, VerifiedPerson } from './identity-provider.ts';

const TOKEN_BYTES = 32;

interface VisitDeps {
  readonly providers: IdentityProviders;
  readonly secrets: Secrets;
}

/** What is kept of a visit until the browser comes back. */
export interface KeptVisit {
  readonly nonce: string;
  readonly verifierSealed: Buffer;
}

/** A visit to a provider that begins now. */
export interface NewVisit extends KeptVisit {
  /** Where the browser goes. */
  readonly address: string;
  /** By which it is found again. */
  readonly stateHash: Buffer;
}

/** Prepares a visit to a provider, of a company's people or of operators. @throws {ProviderFailed} */
export async function newVisit(
  { providers, secrets }: VisitDeps,
  registration: Registration,
  redirectUri: string,
): Promise<NewVisit> {
  const visit = {
    state: newToken(TOKEN_BYTES),
    nonce: newToken(TOKEN_BYTES),
    verifier: randomPKCECodeVerifier(),
  };
  const { href } = await providers.signInAddress(registration, redirectUri, visit);
  const stateHash = sha256(visit.state);
  const verifierSealed = secrets.seal(visit.verifier, stateHash.toString('hex'));
  return { address: href, stateHash, nonce: visit.nonce, verifierSealed };
}

/**
 * Trades what the browser came back with.
 * @param currentUrl the address it came to, with its query
 * @returns whom the provider vouches for; undefined when it does not say that the address is theirs
 * @throws {ProviderFailed}
 */
export function personOfVisit(
  { providers, secrets }: VisitDeps,
  registration: Registration,
  {
    state,
    nonce,
    verifierSealed,
    currentUrl,
  }: KeptVisit & { readonly state: string; readonly currentUrl: URL },
): Promise<VerifiedPerson | undefined> {
  const verifier = secrets.open(verifierSealed, sha256(state).toString('hex'));
  return providers.verifiedPerson(registration, currentUrl, { state, nonce, verifier });
}
