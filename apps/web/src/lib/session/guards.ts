import { safeRedirect } from '@counterfoil/domain/redirect.ts';

/**
 * Where a person goes who is signed in and stands on the sign-in page: the remembered origin, else a safe `r`,
 * else '/' (decisions 1).
 * @param remembered path of this origin, stored by the guard that sent the person here
 */
export function afterSignIn(
  remembered: string | null,
  r: string | null,
  origin: string,
  allowedOrigins: readonly string[],
): string {
  const back = safeRedirect(remembered, origin, []);
  return back === '/' ? safeRedirect(r, origin, allowedOrigins) : back;
}
