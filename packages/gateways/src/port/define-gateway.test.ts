import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createGateway } from '../stripe/gateway.ts';
import { manifest } from '../stripe/manifest.ts';
import { addressSettingsOf, cspOrigins, resolveAddresses } from './addresses.ts';
import {
  configField,
  configFieldsOf,
  defineGateway,
  type GatewayModule,
  openGateway,
  secretFieldsOf,
  settingsOf,
} from './define-gateway.ts';

const stripe: GatewayModule = { manifest, load: async () => ({ createGateway }) };
const production = resolveAddresses(manifest, {});

describe('addresses', () => {
  it("are the provider's own by default", () => {
    expect(production).toEqual({
      api: 'https://api.stripe.com',
      script: 'https://js.stripe.com/endive/stripe.js',
      challenge: 'https://hooks.stripe.com',
    });
  });

  it("follow one setting for all roles, and a role's own before it", () => {
    const one = resolveAddresses(manifest, {
      GATEWAY_URL_STRIPE: 'http://127.0.0.1:4010/',
      GATEWAY_URL_STRIPE_SCRIPT: 'http://127.0.0.1:5000/s.js',
      GATEWAY_URL_OTHER: 'not read',
    });
    expect(one).toMatchObject({ api: 'http://127.0.0.1:4010', script: 'http://127.0.0.1:5000/s.js' });
    expect(resolveAddresses(manifest, { GATEWAY_URL_STRIPE: '' })).toEqual(production);
  });

  it.each(['nonsense', 'ftp://x', 'http://u:p@x', 'http://x/?a=1', 'http://x/#a'])(
    '%s stops with the name',
    (text) => {
      expect(() => resolveAddresses(manifest, { GATEWAY_URL_STRIPE_API: text })).toThrow(
        'GATEWAY_URL_STRIPE_API',
      );
    },
  );

  it('have setting names that can be listed', () => {
    expect(addressSettingsOf(manifest)).toEqual([
      'GATEWAY_URL_STRIPE',
      'GATEWAY_URL_STRIPE_API',
      'GATEWAY_URL_STRIPE_SCRIPT',
      'GATEWAY_URL_STRIPE_CHALLENGE',
    ]);
  });

  it('give the origins of the content security policy', () => {
    expect(cspOrigins(manifest, production)).toEqual({
      script: ['https://js.stripe.com'],
      frame: ['https://js.stripe.com', 'https://hooks.stripe.com'],
      connect: ['https://api.stripe.com'],
    });
    const local = resolveAddresses(manifest, { GATEWAY_URL_STRIPE: 'http://127.0.0.1:4010' });
    expect(cspOrigins(manifest, local).frame).toEqual(['http://127.0.0.1:4010']);
  });
});

describe('settings', () => {
  const settings = {
    secretKey: 'sk_test_secret',
    publishableKey: 'pk_test_open',
    webhookSecrets: ['whsec_1'],
  };
  const context = {
    addresses: production,
    clock: { now: () => new Date() },
    log: { debug: () => undefined, warn: () => undefined },
  };

  it('say which are secret', () => {
    expect(secretFieldsOf(manifest)).toEqual(['secretKey', 'webhookSecrets']);
    expect(configFieldsOf(manifest).map((field) => field.name)).toEqual([
      'secretKey',
      'publishableKey',
      'webhookSecrets',
      'separateInputs',
    ]);
  });

  it('open a gateway and what the browser may know, without a secret', async () => {
    const open = await openGateway(stripe, settings, context);
    expect(open).toMatchObject({
      is: 'open',
      publicConfig: { publishableKey: 'pk_test_open', scriptUrl: production.script, separateInputs: false },
    });
    expect(JSON.stringify(open)).not.toMatch(/sk_test_secret|whsec_1/);
  });

  it.each([
    undefined,
    {},
    { ...settings, secretKey: 'pk_test_open' },
    { ...settings, webhookSecrets: ['   '] },
  ])('%j are told by field, never by value', async (bad) => {
    const open = await openGateway(stripe, bad, context);
    expect(open.is).toBe('misconfigured');
    expect(JSON.stringify(open)).not.toMatch(/_open|_secret"/);
  });
});

describe('ways of entry', () => {
  const { entry } = manifest.capabilities;
  const raw = { how: 'ownFieldsToUs', pci: 'D' } as const;
  const several = {
    ...manifest,
    capabilities: { ...manifest.capabilities, entry: { ...entry, card: [...(entry.card ?? []), raw] } },
  };

  it('are a setting of an account where its gateway has several, and nowhere else', () => {
    const names = (one: typeof manifest) => configFieldsOf(one).map(({ name }) => name);
    expect(names(several)).toEqual([...names(manifest), 'cardEntry']);
    expect(secretFieldsOf(several)).not.toContain('cardEntry');
    const schema = settingsOf(several);
    const given = { secretKey: 'sk_test_secret', publishableKey: 'pk_test_open' };
    expect(z.parse(schema, given)).toMatchObject({ cardEntry: entry.card?.[0]?.how });
    expect(z.parse(schema, { ...given, cardEntry: raw.how })).toMatchObject({ cardEntry: raw.how });
    expect(z.safeParse(schema, { ...given, cardEntry: 'redirect' }).success).toBe(false);
  });

  it('are left to a gateway that declares the setting itself', () => {
    const own = configField(z.string(), { label: 'Own', secret: false });
    const declared = { ...several, config: z.extend(manifest.config, { cardEntry: own }) };
    expect(configFieldsOf(declared).filter(({ name }) => name === 'cardEntry')).toMatchObject([
      { label: 'Own' },
    ]);
  });
});

describe('a manifest', () => {
  const base = { ...manifest, config: z.object({}), publicConfig: () => ({}) };
  it('is refused with a bad id, an unmarked field, an address without https', () => {
    expect(() => defineGateway({ ...base, id: 'My Gateway' })).toThrow('kebab');
    expect(() => defineGateway({ ...base, config: z.object({ key: z.string() }) })).toThrow('key');
    const roles = { ...manifest.roles, api: { production: 'http://api.x', underBase: '' } };
    expect(() => defineGateway({ ...base, roles })).toThrow('api');
    const marked = z.object({ key: configField(z.string(), { label: 'Key', secret: true }) });
    expect(() => defineGateway({ ...base, config: marked })).not.toThrow();
  });
});
