import type {
  CLIENT_ID,
  MfaMethod,
  TokenAnswer,
  TokenError,
  TokenRequest,
} from '@counterfoil/contract/people/auth.ts';
import { t } from '../../text/common.ts';
import { errorBanner } from '../error-banner.ts';
import { ApiError } from './api-error.ts';

/** Kept equal to the contract by its type; the value itself would bring all schemas into the small entries. */
const clientId: typeof CLIENT_ID = 'counterfoil-portal';

/** A sign-in that waits for its second step. */
export interface FactorDue {
  readonly token: string;
  /** What the person may finish it with. */
  readonly methods: readonly MfaMethod[];
}

/** Why `/token` refused, in the words of RFC 6749. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly error: string;
  /** May be shown to a person. */
  readonly description: string | undefined;
  /** Set when the user's company demands single sign-on (decisions 2). */
  readonly brandCompany: string | undefined;
  /** Set when the password was right and a second step is due (decisions 2). */
  readonly factor: FactorDue | undefined;

  constructor(answer: Partial<TokenError>, brandCompany: string | undefined) {
    super(answer.error ?? 'invalid_request');
    this.error = answer.error ?? 'invalid_request';
    this.description = answer.error_description;
    this.brandCompany = brandCompany;
    const { mfa_token: token, mfa_methods: methods } = answer;
    this.factor = token === undefined ? undefined : { token, methods: methods ?? [] };
  }
}

/** The members of a grant, as the form carries them. */
type Grant = Readonly<Partial<Record<Exclude<keyof TokenRequest, 'client_id'>, string>>>;

/**
 * `POST /token`, form-encoded, answered without the `{data}` wrapping.
 * @throws {TokenRefused} for 4xx: the grant is wrong, used or expired
 * @throws {ApiError} when the server failed or could not be reached: whether it took the grant is not known
 */
export async function requestToken(
  fetcher: typeof fetch,
  host: string,
  grant: Grant,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  const response = await fetcher(`${host}/token`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ client_id: clientId, ...(grant as Record<string, string>) }),
    credentials: 'same-origin',
    signal,
  }).catch((cause: unknown) => {
    throw failed(new ApiError(0, 'client.unreachable', t('error.offline'), {}, cause));
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.status < 500 && response.status !== 429) errorBanner.mend(TOKEN_CALL);
  if (response.ok && isAnswer(body)) return body;
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    const refusal = typeof body === 'object' && body !== null ? body : {};
    throw new TokenRefused(refusal, response.headers.get('x-brand-company') ?? undefined);
  }
  // Too many tries, or too many people at once: in the words of RFC 6749, too.
  const words = isRecord(body) ? (body['error_description'] ?? body['message']) : undefined;
  const message = typeof words === 'string' ? words : response.statusText;
  const code = response.status === 429 ? 'rate.limited' : 'server.fault';
  throw failed(new ApiError(response.status, code, message));
}

const TOKEN_CALL = 'POST /token';

function failed(error: ApiError): ApiError {
  error.call = TOKEN_CALL;
  return error;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isAnswer = (value: unknown): value is TokenAnswer =>
  isRecord(value) && typeof value['access_token'] === 'string' && typeof value['refresh_token'] === 'string';

/**
 * Ends the session on the server by its refresh token (RFC 7009), so that it works with an expired access token
 * too, and goes on while the page is being left. A failure changes nothing for the person: the local half of
 * logging out has happened, and the session ends by itself.
 */
export async function revokeToken(fetcher: typeof fetch, host: string, refreshToken: string): Promise<void> {
  await fetcher(`${host}/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, token: refreshToken }),
    keepalive: true,
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
}
