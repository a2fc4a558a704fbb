import { safeRedirect } from '@counterfoil/domain/paying/redirect.ts';

/** Where `/redirect-loader` sends the browser: a safe `r`, else '/'. @param search of that page, e.g. '?r=%2Fusage' */
export const afterLoading = (search: string, origin: string, allowedOrigins: readonly string[]): string =>
  safeRedirect(new URLSearchParams(search).get('r'), origin, allowedOrigins);

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
