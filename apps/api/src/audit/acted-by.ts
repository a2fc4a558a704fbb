import type { FastifyRequest } from 'fastify';
import { programOf } from '../http/guards/access.ts';
import { addressOf } from '../http/requests/address.ts';

/** Who acts: as the audit trail names them, and where the request came from. */
export interface ActedBy {
  readonly actor: string;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The program or operator that calls, as the audit trail names it. */
export const actedBy = (request: FastifyRequest): ActedBy => ({
  actor: (request.installationScope ?? programOf(request)).actor,
  address: addressOf(request),
  requestId: request.id,
});
