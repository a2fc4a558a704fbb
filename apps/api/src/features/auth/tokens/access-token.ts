import { ACCESS_TOKEN_SECONDS, type AccessClaims, accessClaims } from '@counterfoil/contract/people/auth.ts';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../../deps.ts';
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

/** @returns the claims, or undefined when the token is not ours, changed, expired or for another audience */
export async function readAccessToken(
  token: string,
  secrets: Secrets,
  clock: Clock,
): Promise<AccessClaims | undefined> {
  for (const key of secrets.tokenKeys) {
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
    }
  }
  return undefined;
}
