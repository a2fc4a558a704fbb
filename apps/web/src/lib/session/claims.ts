import type { AccessClaims } from '@counterfoil/contract/people/auth.ts';

/**
 * What the access token says about its bearer, for display only: the server verifies it, the browser cannot.
 * @returns null when the token is no readable JWT
 */
export function readClaims(accessToken: string): Partial<AccessClaims> | null {
  const payload = accessToken.split('.')[1];
  if (payload === undefined) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? claims : null;
  } catch {
    return null;
  }
}

/** Who is signed in by this stored session, and who acts for them; undefined for nobody. */
export function personOf(stored: string): string | undefined {
  try {
    const claims = readClaims((JSON.parse(stored) as { access_token: string }).access_token);
    // Support in somebody's name is not that person: the page must say who looks.
    return claims === null ? undefined : JSON.stringify([claims.sub, claims.act?.sub]);
  } catch {
    return undefined;
  }
}
