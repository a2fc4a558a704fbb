import { AppError } from '../../app-error.ts';

const KEY = /^[\x21-\x7e]{1,128}$/;

/** The header `Idempotency-Key`, or null without one. @throws {AppError} when it cannot be one */
export function idempotencyKeyOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new AppError('request.malformed');
  return key;
}
