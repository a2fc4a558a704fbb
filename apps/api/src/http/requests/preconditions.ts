import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';

/** Which state of a thing the caller wants to change: the headers of RFC 9110, section 13.1. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export const preconditionsOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Preconditions => ({
  ifMatch: headers['if-match'],
  ifNoneMatch: headers['if-none-match'],
});

/**
 * Refuses a write of which the caller has not read what it would change. What is as given already is never refused for the
 * state that was read, so that a lost answer is asked for again.
 * @param state the ETag of what is there; undefined: there is nothing
 * @param differs whether the write would change it
 * @throws {AppError} precondition.failed, precondition.required
 */
export function requireState(
  { ifMatch, ifNoneMatch }: Preconditions,
  state: string | undefined,
  differs: boolean,
): void {
  if (state === undefined) {
    if (ifMatch !== undefined) throw new AppError('precondition.failed');
    return;
  }
  if (ifNoneMatch?.trim() === '*') throw new AppError('precondition.failed');
  if (!differs) return;
  if (ifMatch === undefined) throw new AppError('precondition.required');
  const read = ifMatch.split(',').map((one) => one.trim());
  if (!read.includes('*') && !read.includes(state)) throw new AppError('precondition.failed');
}
