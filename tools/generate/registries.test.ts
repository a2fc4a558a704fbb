import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  browserRegistry,
  casesRegistry,
  demoRegistry,
  gatewayFolders,
  sandboxRegistry,
  serverRegistry,
} from './registries.ts';

const gateways = [
  { id: 'authorize-net', hasSandbox: true, hasBrowser: false, hasCases: false, hasDemo: false },
  { id: 'stripe', hasSandbox: false, hasBrowser: true, hasCases: true, hasDemo: true },
];

it('finds the folders that hold a manifest', () => {
  const source = mkdtempSync(join(tmpdir(), 'counterfoil-gateways-'));
  for (const path of [
    'stripe/manifest.ts',
    'stripe/browser.tsx',
    'stripe/cases-data.ts',
    'stripe/demo.ts',
    'authorize-net/manifest.ts',
    'shared/helper.ts',
  ]) {
    mkdirSync(join(source, path, '..'), { recursive: true });
    writeFileSync(join(source, path), '');
  }
  expect(gatewayFolders(source)).toEqual([
    { id: 'authorize-net', hasSandbox: false, hasBrowser: false, hasCases: false, hasDemo: false },
    { id: 'stripe', hasSandbox: false, hasBrowser: true, hasCases: true, hasDemo: true },
  ]);
  rmSync(source, { recursive: true });
});

it('lists every gateway for the server', () => {
  const text = serverRegistry(gateways);
  expect(text).toContain(`import { manifest as authorizeNetManifest } from './authorize-net/manifest.ts';`);
  expect(text).toContain(`{ manifest: stripeManifest, load: () => import('./stripe/gateway.ts') },`);
});

it('lists only what has cases to verify, by id', () => {
  const text = casesRegistry(gateways);
  expect(text).toContain(`"stripe": () => import('./stripe/cases-data.ts'),`);
  expect(text).not.toContain('authorize');
});

it('lists only what has accounts in a demo world, by id', () => {
  const text = demoRegistry(gateways);
  expect(text).toContain(`import { demo as stripe } from './stripe/demo.ts';`);
  expect(text).toContain(`"stripe": stripe,`);
  expect(text).not.toContain('authorize');
});

it('lists only what exists for sandbox and browser, the latter by integration type', () => {
  expect(sandboxRegistry(gateways)).toContain('= [authorizeNet];');
  const text = browserRegistry(gateways, { stripe: 'Stripe', 'authorize-net': 'AuthorizeNet' });
  expect(text).toContain(`"Stripe": () => import('./stripe/browser.tsx'),`);
  expect(text).not.toContain('AuthorizeNet');
});
