import { texts } from '@counterfoil/contract/paying/public-pay-words.ts';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';

/** Why a call did not give what was asked for, as the page shows it. */
export interface Failure {
  readonly message: string;
  readonly code: ApiErrorCode | undefined;
  readonly requestId: string | undefined;
}

/**
 * The message rule of the specification (payments §8): a 400 with a user message shows it; any other status but
 * 500 shows the message of its body; a 500 the message of the response; and without any, 'Oops, something went
 * wrong'.
 */
export function failureMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.oops;
  const text = error.message.trim();
  return text === '' ? texts.oops : text;
}

export const failureOf = (error: unknown): Failure => ({
  message: failureMessage(error),
  code: error instanceof ApiError ? error.code : undefined,
  requestId: error instanceof ApiError ? error.requestId : undefined,
});

/** Whether no payment can be made here by anybody, whatever is tried: trying again is no way out. */
export const isMisconfigured = (failure: Pick<Failure, 'code'> | undefined): boolean =>
  failure?.code === 'gateway.misconfigured';

/** Whether nothing is charged for anybody now, while it is found out what was paid. */
export const isPaused = (failure: Pick<Failure, 'code'> | undefined): boolean =>
  failure?.code === 'payments.paused';

/**
 * Whether a refused paying call certainly took nothing: our server refused it before it asked the gateway. No
 * answer, a broken one, a server's fault or a proxy's time-out says nothing about the money; a pause, which is a 503 too,
 * is said only where no attempt of the same request was made before.
 */
export const isDefiniteRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ((error.status >= 400 &&
    error.status < 500 &&
    error.status !== 408 &&
    error.code !== 'client.unreadable') ||
    isPaused(error));

/** Whether what was asked for was refused, and not because nothing can be paid here at all. */
export const isRefusedItself = (error: unknown): boolean =>
  isDefiniteRefusal(error) && !isMisconfigured(error) && !isPaused(error);

/** Whether the server truly says that a payment asked about is none; any other failure says nothing about it. */
export const isDefiniteEnd = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404, 409, 410, 422].includes(error.status);
