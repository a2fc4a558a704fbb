import type { Problem } from '@counterfoil/contract/envelope.ts';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { AppError } from '../../app-error.ts';
import { DatabaseUnavailable, sqlState } from '../../db/database.ts';
import { FilesUnavailable } from '../../files/file-store.ts';

/** One place turns whatever was thrown into `application/problem+json`. Nothing internal leaves. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error);
  if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
  else request.log.debug({ code: refusal.code }, 'request refused');
  if (reply.raw.headersSent) {
    // Half an answer cannot be taken back: end it visibly instead of closing it as if it were whole.
    reply.raw.destroy();
    return;
  }
  const body: Problem = {
    type: 'about:blank',
    title: refusal.code,
    status: refusal.status,
    code: refusal.code,
    message: refusal.text,
    requestId: request.id,
    ...(request.routeOptions.config?.errorDescription === true ? { error_description: refusal.text } : {}),
    ...(refusal.fields === undefined ? {} : { errors: [...refusal.fields] }),
  };
  void reply
    .status(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(body);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof FilesUnavailable) {
    return new AppError('server.unavailable', { cause: error, headers: { 'retry-after': '5' } });
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.map((issue) => ({
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: issue.message ?? 'invalid',
    }));
    return new AppError('request.invalid', { cause: error, fields });
  }
  // Characters and numbers that PostgreSQL cannot hold are the caller's, not ours.
  const state = sqlState(error);
  if (state !== undefined && /^22(P02|021|003|007|008)$/.test(state.code)) {
    return new AppError('request.malformed', { cause: error });
  }
  return new AppError(codeForFramework(error), { cause: error });
}

const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.mediaType',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed',
  FST_ERR_BAD_URL: 'request.malformed',
  FST_ERR_NOT_FOUND: 'request.notFound',
};

function codeForFramework(error: unknown): ErrorCode {
  const { code, statusCode } = (error instanceof Error ? error : {}) as Partial<FastifyError>;
  const known = code === undefined ? undefined : FRAMEWORK_CODES[code];
  if (known !== undefined) return known;
  if (statusCode === 413) return 'request.tooLarge';
  if (statusCode === 415) return 'request.mediaType';
  if (statusCode === 404) return 'request.notFound';
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return 'request.malformed';
  return 'server.fault';
}

/** Status and text of a code, for answers that are not problem+json (the token endpoint). */
export function textOf(code: ErrorCode): string {
  return errors[code].text;
}
