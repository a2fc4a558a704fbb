import type { FastifyRequest } from 'fastify';
import { addressOf } from './address.ts';

/** Where a request came from: kept with a session and in the audit trail. */
export interface Origin {
  readonly address: string;
  readonly agent: string;
  readonly requestId?: string;
}

export const originOf = (request: FastifyRequest): Origin => ({
  address: addressOf(request),
  agent: (request.headers['user-agent'] ?? '').slice(0, 300),
  requestId: request.id,
});
