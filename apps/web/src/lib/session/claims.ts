import type { AccessClaims } from '@counterfoil/contract/auth.ts';

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
