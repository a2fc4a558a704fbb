import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Where a request comes from: the caller of the nearest trusted proxy, else of this server. A proxy that writes a
 * port beside the address is understood; what is no address at all is not believed.
 */
export function addressOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '') ?? 'unknown';
}

function plainAddress(text: string): string | undefined {
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(text);
  const address = withoutPort?.[1] ?? text;
  // IPv4 that arrives at a socket for both.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return isIP(mapped ?? address) === 0 ? undefined : (mapped ?? address);
}

/** What one caller has: an IPv4 address, or the /64 of an IPv6 address, in which they choose freely. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The /48 of an IPv6 address, the most that one holder is commonly given; nothing for others. */
export function siteOf(address: string): string | undefined {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined;
}

/** About what one household or office has: the first 24 bits of an IPv4 address, the first 48 of an IPv6 one. */
export function neighbourhoodOf(text: string): string {
  const address = plainAddress(text) ?? text;
  return isIP(address) === 6 ? groupsOf(address).slice(0, 3).join(':') : address.replace(/\.\d+$/, '');
}

/** The eight groups of an IPv6 address, however it is shortened. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
