import { networkOf, siteOf } from '../http/requests/address.ts';
import type { Count } from './limiter.ts';
import type { Limit } from './limits.ts';

/**
 * How many times as much a whole /48 of IPv6 may do as one of its 65,536 /64. A /48 is what one holder is given, who
 * else has a fresh address for every try; with some providers hundreds of households share one.
 */
const SITE_SHARE = 10;

/** What a limit by address counts: the address, or the /64 of an IPv6 one, and then also the /48 it is in. */
export function countsByAddress(limit: Limit, address: string): Count[] {
  const count: Count = { limit, of: [networkOf(address)] };
  const site = siteOf(address);
  if (site === undefined) return [count];
  return [
    count,
    { limit: { ...limit, name: `${limit.name}.site`, tries: limit.tries * SITE_SHARE }, of: [site] },
  ];
}
