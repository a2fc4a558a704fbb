import { ApiError, type ApiErrorCode } from './api/api-error.ts';
import { openApi } from './api/open-api.ts';
import { linkToken } from './link-token.ts';
import { session } from './session/session-store.ts';

/** What came of a mailed link. */
export type LinkEnd = 'success' | 'expired';

/**
 * Sets a password with the token of the link this page was opened by.
 * @param path the call that takes token and password
 * @param expired the code by which it refuses a link that is over
 * @throws {ApiError} when the password is refused, or the server failed: the link is still good
 */
export async function setPasswordByLink(
  path: string,
  password: string,
  expired: ApiErrorCode,
): Promise<LinkEnd> {
  const body = { token: linkToken(globalThis.location.pathname), password };
  try {
    await openApi.post(path, body);
  } catch (error) {
    if (error instanceof ApiError && error.code === expired) return 'expired';
    throw error;
  }
  // Every session of the user has ended, and this browser may hold one.
  session.clear();
  return 'success';
}
