import type { FastifyRequest } from 'fastify';

const isEmpty = (value: unknown): boolean => value === null || value === '';

/**
 * The specification names all members of a paying call at once, so a client that has no value for one may send null (a
 * missing query parameter reads so in a browser), '' as an id, an address of nothing but ''. That is leaving it out.
 * Hook of a route, before its body is checked.
 */
export async function leaveOutEmpty({ body }: FastifyRequest): Promise<void> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const members = body as Record<string, unknown>;
  const { cardId, billingAddress: address } = members;
  for (const [name, value] of Object.entries(members)) if (value === null) delete members[name];
  if (cardId === '') delete members['cardId'];
  const isObject = typeof address === 'object' && address !== null && !Array.isArray(address);
  if (isObject && Object.values(address).every(isEmpty)) delete members['billingAddress'];
}
