import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A gateway's folder as the generator sees it. */
export interface GatewayFolder {
  readonly id: string;
  readonly hasSandbox: boolean;
  readonly hasBrowser: boolean;
  readonly hasCases: boolean;
  readonly hasDemo: boolean;
}

/** The folders of `packages/gateways/src` that hold a manifest, in alphabetical order. */
export function gatewayFolders(source: string): GatewayFolder[] {
  return readdirSync(source)
    .filter((id) => existsSync(join(source, id, 'manifest.ts')))
    .sort()
    .map((id) => ({
      id,
      hasSandbox: existsSync(join(source, id, 'sandbox.ts')),
      hasBrowser: existsSync(join(source, id, 'browser.tsx')),
      hasCases: existsSync(join(source, id, 'cases-data.ts')),
      hasDemo: existsSync(join(source, id, 'demo.ts')),
    }));
}

const header = '// Written by `npm run generate` from the folders beside it. Not to be edited.\n';

/** `registry.ts`: what the server knows of all gateways. */
export function serverRegistry(gateways: readonly GatewayFolder[]): string {
  const imports = gateways.map(
    ({ id }) => `import { manifest as ${variable(id)}Manifest } from './${id}/manifest.ts';`,
  );
  const modules = gateways.map(
    ({ id }) => `{ manifest: ${variable(id)}Manifest, load: () => import('./${id}/gateway.ts') },`,
  );
  return `${header}import type { GatewayModule } from './port/define-gateway.ts';
${imports.join('\n')}

/** The gateways this program has. */
export const gatewayModules: readonly GatewayModule[] = [
${modules.join('\n')}
];
`;
}

/** `sandbox-registry.ts`: what the sandbox process serves. */
export function sandboxRegistry(gateways: readonly GatewayFolder[]): string {
  const served = gateways.filter(({ hasSandbox }) => hasSandbox);
  const imports = served.map(({ id }) => `import { sandbox as ${variable(id)} } from './${id}/sandbox.ts';`);
  return `${header}import type { GatewaySandbox } from '@counterfoil/sandbox/gateway-sandbox.ts';
${imports.join('\n')}

/** The sandboxes of all gateways. */
export const sandboxes: readonly GatewaySandbox[] = [${served.map(({ id }) => variable(id)).join(', ')}];
`;
}

/** `demo-registry.ts`: the gateways a demo world and end-to-end tests have accounts at. */
export function demoRegistry(gateways: readonly GatewayFolder[]): string {
  const shown = gateways.filter(({ hasDemo }) => hasDemo);
  const imports = shown.map(({ id }) => `import { demo as ${variable(id)} } from './${id}/demo.ts';`);
  const entries = shown.map(({ id }) => `${JSON.stringify(id)}: ${variable(id)},`);
  return `${header}import type { GatewayDemo } from './port/demo.ts';
${imports.join('\n')}

/** By the gateway's id. */
export const gatewayDemos: Readonly<Record<string, GatewayDemo>> = {
${entries.join('\n')}
};
`;
}

/** `cases-registry.ts`: the test data of gateways, which only `gateway verify` needs. */
export function casesRegistry(gateways: readonly GatewayFolder[]): string {
  const entries = gateways
    .filter(({ hasCases }) => hasCases)
    .map(({ id }) => `${JSON.stringify(id)}: () => import('./${id}/cases-data.ts'),`);
  return `${header}import type { CasesData } from './cases/data.ts';

/** By the gateway's id; loaded when they are run. A gateway that is not here has none. */
export const gatewayCases: Readonly<Record<string, () => Promise<{ readonly casesData: CasesData }>>> = {
${entries.join('\n')}
};
`;
}

/**
 * `browser-registry.ts`: what a page loads when it takes a method. Keyed by what the public brand settings call
 * the gateway, so that no page knows a gateway's name.
 * @param integrationTypes by folder name, from the manifests
 */
export function browserRegistry(
  gateways: readonly GatewayFolder[],
  integrationTypes: Readonly<Record<string, string>>,
): string {
  const entries = gateways
    .filter(({ hasBrowser }) => hasBrowser)
    .map(({ id }) => `${JSON.stringify(integrationTypes[id])}: () => import('./${id}/browser.tsx'),`);
  return `${header}import type { CreateEntry } from './port/browser.ts';

/** A gateway's own way of entry; loaded when a page needs it. */
export interface BrowserEntry {
  readonly createEntry: CreateEntry;
}

/** By \`integrationType\`. A gateway that is not here has the standard entry of its \`how\`. */
export const browserEntries: Readonly<Record<string, () => Promise<BrowserEntry>>> = {
${entries.join('\n')}
};

/** Our own inputs, the gateway's page in a frame, or its page instead of ours; loaded when a page needs them. */
export const standardEntry = (): Promise<BrowserEntry> => import('./kit/browser/standard-entry.tsx');
`;
}

function variable(id: string): string {
  return id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
