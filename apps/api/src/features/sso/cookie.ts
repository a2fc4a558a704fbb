import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../secrets.ts';

/** A visit to the provider must be over within this. */
export const VISIT_SECONDS = 10 * 60;

const TOKEN_BYTES = 32;
const token = /^[\w-]{43}$/;

/** The prefix keeps other hosts of the domain from setting it; browsers take it under https only. */
const nameOf = (publicUrl: URL): string => (publicUrl.protocol === 'https:' ? '__Host-sso' : 'sso');

/** The hash of this browser's cookie; undefined when it has none of ours. */
export function browserOf(request: FastifyRequest, publicUrl: URL): Buffer | undefined {
  const value = request.cookies[nameOf(publicUrl)];
  return value !== undefined && token.test(value) ? sha256(value) : undefined;
}

/**
 * Marks this browser for the length of a visit. A mark it has stays, so that sign-ins in two tabs do not disturb
 * each other; by itself it opens nothing.
 * @returns its hash
 */
export function markBrowser(request: FastifyRequest, reply: FastifyReply, publicUrl: URL): Buffer {
  const known = request.cookies[nameOf(publicUrl)];
  const value = known !== undefined && token.test(known) ? known : newToken(TOKEN_BYTES);
  reply.setCookie(nameOf(publicUrl), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.protocol === 'https:',
    maxAge: VISIT_SECONDS,
  });
  return sha256(value);
}
