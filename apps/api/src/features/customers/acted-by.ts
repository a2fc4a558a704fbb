import type { FastifyRequest } from 'fastify';
import { programOf } from '../../http/guards/access.ts';
import { addressOf } from '../../http/requests/address.ts';
import type { ActedBy } from './write-customers.ts';

/** The program or operator that calls, as the audit trail names it. */
export const actedBy = (request: FastifyRequest): ActedBy => ({
  actor: programOf(request).actor,
  address: addressOf(request),
  requestId: request.id,
});
