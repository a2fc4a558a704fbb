import { addressSettingsOf, resolveAddresses } from '@counterfoil/gateways/port/addresses.ts';
import { defineGateway, type GatewayManifest } from '@counterfoil/gateways/port/define-gateway.ts';
import { gatewayModules } from '@counterfoil/gateways/registry.ts';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { addressesOf, ledToSandbox, reachesProvider } from './sandbox-addresses.ts';

const SANDBOX = 'http://127.0.0.1:4010';

const stripe = gatewayModules.find(({ manifest }) => manifest.id === 'stripe');
if (stripe === undefined) throw new Error('there is a gateway');

/** A gateway as a second one looks: below the sandbox's address, in several roles, and unknown to the sandbox. */
const second: GatewayManifest = defineGateway({
  ...stripe.manifest,
  id: 'made-up-pay',
  roles: {
    api: { production: 'https://api.made-up.example/v3', underBase: '/made-up-pay/api' },
    hostedPage: { production: 'https://pay.made-up.example', underBase: '/made-up-pay/page' },
  },
  csp: { script: [], frame: ['hostedPage'], connect: [] },
});
const modules = [...gatewayModules, { manifest: second }];

describe('in a demo', () => {
  it.each(modules.map(({ manifest }) => [manifest.id, manifest] as const))(
    '%s is the sandbox in every role, never the provider',
    (_id, manifest) => {
      const led = ledToSandbox(readConfig({}), modules, SANDBOX);
      const addresses = Object.entries(resolveAddresses(manifest, addressesOf(led)));
      expect(addresses.length).toBeGreaterThan(0);
      for (const [role, address] of addresses) {
        expect(new URL(address).origin, role).toBe(SANDBOX);
        expect(address, role).not.toBe(manifest.roles[role]?.production);
      }
      expect(reachesProvider(led, modules)).toBe(false);
    },
  );

  it('what the operator has set stands, for a gateway or a role of it', () => {
    const config = readConfig({
      GATEWAY_URL_STRIPE: 'http://127.0.0.1:5001',
      DEMO: '1',
      GATEWAY_URL_MADE_UP_PAY_HOSTED_PAGE: 'http://localhost:5002/page',
    });
    const addresses = addressesOf(ledToSandbox(config, modules, SANDBOX));
    expect(resolveAddresses(stripe.manifest, addresses)).toMatchObject({ api: 'http://127.0.0.1:5001' });
    expect(resolveAddresses(second, addresses)).toEqual({
      api: `${SANDBOX}/made-up-pay/api`,
      hostedPage: 'http://localhost:5002/page',
    });
  });
});

describe('a gateway reaches its provider', () => {
  it('where nothing is set, or one role is left', () => {
    expect(reachesProvider(readConfig({}), modules)).toBe(true);
    const [base = '', ...roles] = addressSettingsOf(second);
    const of = (names: readonly string[]) =>
      reachesProvider(readConfig(Object.fromEntries(names.map((name) => [name, SANDBOX]))), [
        { manifest: second },
      ]);
    expect([of([]), of([base]), of(roles), of(roles.slice(1))]).toEqual([true, false, false, true]);
  });
});
