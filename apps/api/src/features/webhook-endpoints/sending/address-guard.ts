import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Addresses that are no place on the internet: of this machine, of the provider's own network, of its cloud's metadata, or
 * reserved (IANA special-purpose address registries). What is sent to an address that somebody has typed must not reach them.
 */
const reserved4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Within 2000::/3, which alone is the internet: tunnels to other addresses, and documentation. */
const reserved6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

let lists: { readonly blocked: BlockList; readonly internet6: BlockList } | undefined;

function guard(): NonNullable<typeof lists> {
  if (lists !== undefined) return lists;
  const blocked = new BlockList();
  for (const [net, prefix] of reserved4) blocked.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of reserved6) blocked.addSubnet(net, prefix, 'ipv6');
  const internet6 = new BlockList();
  internet6.addSubnet('2000::', 3, 'ipv6');
  lists = { blocked, internet6 };
  return lists;
}

/** Whether an IP address is one of the internet. @param address without brackets */
export function isPublicAddress(address: string): boolean {
  const { blocked, internet6 } = guard();
  if (isIPv4(address)) return !blocked.check(address, 'ipv4');
  return isIP(address) === 6 && internet6.check(address, 'ipv6') && !blocked.check(address, 'ipv6');
}

/** What is wrong with the address of an endpoint, in words; undefined where nothing is. Names are looked up when it is called. */
export function addressFault(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'It is no address that begins with https://';
  if (url.protocol === 'http:' && !allowsPrivate) return 'It has to begin with https://';
  if (url.username !== '' || url.password !== '') return 'It must not hold a user or a password';
  if (url.hash !== '') return 'It must not hold a fragment (#)';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (allowsPrivate) return undefined;
  const isName = isIP(host) === 0;
  if (isName ? /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host) : !isPublicAddress(host))
    return 'It is inside a private network; WEBHOOKS_ALLOW_PRIVATE=1 allows that';
  return undefined;
}
