import { corsHeaders, isAllowedOrigin } from '@counterfoil/sandbox/origins.ts';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const patterns = readSettings({}).portalOrigins;

describe('origins', () => {
  it.each([
    'http://localhost:3000',
    'http://stripe.localhost:3000',
    'http://127.0.0.1:8080',
    'http://localhost',
  ])('lets %s in', (origin) => {
    expect(isAllowedOrigin(origin, patterns)).toBe(true);
    expect(corsHeaders(origin, patterns, { sent: [], read: [] })['access-control-allow-origin']).toBe(origin);
  });

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://localhost:3000.evil.example',
    'null',
  ])('keeps %s out', (origin) => {
    expect(corsHeaders(origin, patterns, { sent: [], read: [] })).toEqual({});
  });
});

describe('settings', () => {
  it('names every bad setting at once', () => {
    const read = () => readSettings({ SANDBOX_PORT: 'x', SANDBOX_URL: 'nowhere', SANDBOX_WEBHOOKS: '{}' });
    expect(read).toThrow('SANDBOX_PORT is no port number; SANDBOX_URL is no address; SANDBOX_WEBHOOKS');
  });

  it('reads webhooks to register at the start', () => {
    const webhooks = [
      { gateway: 'stripe', url: 'http://127.0.0.1:3000/hook', secret: 's', account: 'pk_test_a' },
    ];
    expect(readSettings({ SANDBOX_WEBHOOKS: JSON.stringify(webhooks) }).webhooks).toEqual(webhooks);
  });
});
