import type { Problem } from '@counterfoil/contract/envelope.ts';
import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import { t } from '../../text/common.ts';

/** Codes of the server, and those of calls that got no answer of ours. */
export type ApiErrorCode = ErrorCode | 'client.unreachable' | 'client.timeout' | 'client.unreadable';

/** A call that did not succeed. `message` is what a person may read; `requestId` finds it in the server's log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly requestId: string | undefined;
  /** Which values were refused, for a form. */
  readonly fields: Problem['errors'];
  /** Method and path of the call, once it is known; by it the error banner knows which call has gone well since. */
  call: string | undefined;

  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    about: Partial<Problem> = {},
    cause?: unknown,
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.requestId = about.requestId;
    this.fields = about.errors;
  }

  /** No answer, or one from a server that is starting, stopping or overloaded: worth asking again. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** The request id of an error, when it carries one. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.requestId : undefined;

/** Reads a refusal: problem+json of ours, or whatever a proxy in between answered. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const header = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => null);
  if (isProblem(body)) return new ApiError(response.status, body.code as ErrorCode, body.message, body);
  const { status, statusText } = response;
  const code = status >= 500 ? 'server.fault' : 'request.invalid';
  // 'Bad Gateway' is a proxy’s word for its operator, and HTTP/2 has not even that.
  const message = [502, 503, 504].includes(status) ? t('error.unavailable') : statusText;
  return new ApiError(status, code, message, header ? { requestId: header } : {});
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  'message' in body &&
  typeof body.message === 'string';
