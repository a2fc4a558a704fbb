import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createLogger } from '../../logger.ts';
import { createApp } from '../app.ts';
import type { App } from '../app-type.ts';
import { addressOf, networkOf, siteOf } from './address.ts';

/** A server behind this many proxies, that answers the address it sees. */
function appBehind(proxies: string) {
  const late: { app?: App } = {};
  beforeAll(() => {
    const config = readConfig({ TRUST_PROXY: proxies });
    const app = createApp({ config, log: createLogger('silent') });
    app.get('/', { config: { access: 'public' } }, async (request) => ({ address: addressOf(request) }));
    late.app = app;
  });
  afterAll(() => late.app?.close());
  return async (forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const answer = await late.app?.inject({ url: '/', headers, remoteAddress: '192.0.2.1' });
    return answer?.json().address as string;
  };
}

describe('without a trusted proxy', () => {
  const seen = appBehind('0');
  it('no header says where a request comes from', async () => {
    expect(await seen('203.0.113.9')).toBe('192.0.2.1');
  });
});

describe('behind one proxy', () => {
  const seen = appBehind('1');
  it.each([
    ['what the proxy wrote', '203.0.113.9', '203.0.113.9'],
    ['what the proxy added, not what the caller sent', '198.51.100.7, 203.0.113.9', '203.0.113.9'],
    ['not a chain the caller made up', '10.0.0.1, 127.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['the address before a port', '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 address with a port', '[2001:db8::9]:443', '2001:db8::9'],
    ['the proxy itself, where it wrote no address', 'unknown', '192.0.2.1'],
  ])('%s counts', async (_name, forwarded, address) => {
    expect(await seen(forwarded)).toBe(address);
  });

  it('the proxy itself counts where it forwards for nobody', async () => {
    expect(await seen()).toBe('192.0.2.1');
  });
});

describe('behind two proxies', () => {
  const seen = appBehind('2');
  it('the last but one counts', async () => {
    expect(await seen('1.1.1.1, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9');
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', undefined],
    ['2001:db8::9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:0DB8:0000:0000:ffff:1:2:3', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:db8:0:1::9', '2001:db8:0:1::/64', '2001:db8:0::/48'],
    ['2001:db8:aa:1::9', '2001:db8:aa:1::/64', '2001:db8:aa::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['unknown', 'unknown', undefined],
  ])('%s is in %s, and that in %s', (address, network, site) => {
    expect([networkOf(address), siteOf(address)]).toEqual([network, site]);
  });
});
