import { ACCESS_TOKEN_SECONDS, type AccessClaims, accessClaims } from '@counterfoil/contract/people/auth.ts';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../deps.ts';
import { Known } from '../../../known.ts';
import type { Secrets } from '../../../secrets.ts';

const ISSUER = 'counterfoil';
const AUDIENCE = 'counterfoil-portal';
const ALGORITHM = 'HS256';

/** @returns a signed token that says who is signed in until 15 minutes from now */
export function issueAccessToken(
  claims: Omit<AccessClaims, 'exp'>,
  secrets: Secrets,
  clock: Clock,
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
    .sign(secrets.tokenKey);
}

/** So many tokens of a key are remembered, about 1 kB each. */
const MOST_KNOWN = 5_000;

/**
 * What verified tokens say, by the key that signed them: a token comes with many requests, and verifying it each time took a sixth of the
 * server's time for a page of usage, since Web Crypto does it on another thread.
 */
const knownOf = new WeakMap<Uint8Array, Known<AccessClaims>>();

/** @returns the claims, or undefined when the token is not ours, changed, expired or for another audience */
export async function readAccessToken(
  token: string,
  secrets: Secrets,
  clock: Clock,
): Promise<AccessClaims | undefined> {
  for (const key of secrets.tokenKeys) {
    const known = knownOf.get(key)?.get(token);
    // The one thing of it that changes with time.
    if (known !== undefined) return known.exp > clock.now().getTime() / 1000 ? known : undefined;
  }
  for (const key of secrets.tokenKeys) {
    const claims = await verified(token, key, clock);
    if (claims === undefined) continue;
    const known = knownOf.get(key) ?? new Known<AccessClaims>(MOST_KNOWN);
    knownOf.set(key, known);
    known.set(token, claims, 1);
    return claims;
  }
  return undefined;
}

async function verified(token: string, key: Uint8Array, clock: Clock): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      currentDate: clock.now(),
    });
    return accessClaims.parse(payload);
  } catch {
    // With another key, or none of ours.
    return undefined;
  }
}
