import { AppError } from '../../app-error.ts';

const MAX_DEPTH = 32;

/**
 * Refuses NUL and lone surrogates anywhere in parsed input: PostgreSQL cannot hold them, and nobody types them.
 * @throws {AppError} request.malformed
 */
export function refuseUnstorableText(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw new AppError('request.malformed');
    return;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if (depth >= MAX_DEPTH) throw new AppError('request.malformed');
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorableText(key, depth + 1);
    refuseUnstorableText(member, depth + 1);
  }
}
