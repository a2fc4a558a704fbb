import { isRef, newRef } from '@counterfoil/domain/text/ids.ts';
import type { GatewayRef, RemoteId } from './gateway.ts';

/** True for 18 characters of `0-9A-Z`. */
export const isGatewayRef = (text: string): text is GatewayRef => isRef(text);

/** @throws {TypeError} when `text` is not 18 characters of `0-9A-Z` */
export const gatewayRef = (text: string): GatewayRef => {
  if (!isGatewayRef(text)) throw new TypeError('a gateway reference has 18 characters of 0-9A-Z');
  return text;
};

/** A new random reference, sent as idempotency key or merchant reference. */
export const newGatewayRef = (): GatewayRef => gatewayRef(newRef());

/**
 * An id given by a gateway. Not empty, at most 255 characters.
 * @throws {TypeError} otherwise
 */
export const remoteId = (text: string): RemoteId => {
  if (text.length === 0 || text.length > 255) throw new TypeError('a gateway id has 1 to 255 characters');
  return text as RemoteId;
};
