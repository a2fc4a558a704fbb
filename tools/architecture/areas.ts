/** The parts of the project between which arrows are drawn. */
export type Area =
  | 'domain'
  | 'contract'
  | 'gateways'
  | 'postgres'
  | 'testing'
  | 'api'
  | 'web'
  | 'sandbox'
  | 'sandbox-server'
  | 'outside';

const folders: readonly (readonly [prefix: string, area: Area])[] = [
  ['packages/domain/', 'domain'],
  ['packages/contract/', 'contract'],
  ['packages/gateways/', 'gateways'],
  ['packages/postgres/', 'postgres'],
  ['packages/testing/', 'testing'],
  ['apps/api/', 'api'],
  ['apps/web/', 'web'],
  ['packages/sandbox/', 'sandbox'],
  ['apps/sandbox/', 'sandbox-server'],
];

/** `outside` is everything that is no part of the product: tools, e2e, bench, configuration files. */
export function areaOf(path: string): Area {
  return folders.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'outside';
}

/** What each part may import from; itself is always allowed. */
export const arrows: Readonly<Record<Exclude<Area, 'outside'>, readonly Area[]>> = {
  domain: [],
  contract: ['domain'],
  gateways: ['domain', 'sandbox'],
  postgres: [],
  testing: ['domain', 'postgres'],
  api: ['domain', 'contract', 'gateways', 'postgres'],
  web: ['domain', 'contract', 'gateways'],
  sandbox: [],
  'sandbox-server': ['domain', 'gateways', 'sandbox'],
};

/** Tests and what only tests use; they may also import `testing`. */
export function isTest(path: string): boolean {
  return /\.(test|prove)\.tsx?$|\/(test|fixtures)\/|\/test-support[./]|^packages\/testing\//.test(path);
}

/** Whether a file of `gateways` is meant for the browser. */
export function isBrowserEntry(path: string): boolean {
  return /^packages\/gateways\/src\/(browser-registry\.ts$|port\/browser\.ts$|[^/]+\/(browser\.tsx$|browser\/))/.test(
    path,
  );
}

/** The gateway whose folder a file lies in; the folders without a manifest are shared. */
export function gatewayOf(path: string, gateways: ReadonlySet<string>): string | undefined {
  const folder = /^packages\/gateways\/src\/([^/]+)\//.exec(path)?.[1];
  return folder && gateways.has(folder) ? folder : undefined;
}

/** Whether a file of a gateway belongs to its sandbox, or to what the sandbox serves to browsers. */
export function isSandboxSide(path: string): boolean {
  return /^packages\/gateways\/src\/(sandbox-registry\.ts$|[^/]+\/(sandbox[.\-/]|fake-|[\w-]*fixture\.ts$))/.test(
    path,
  );
}

/** The feature whose folder a file of `api` or `web` lies in. */
export function featureOf(path: string): string | undefined {
  return /^apps\/(?:api|web)\/src\/features\/([^/]+)\//.exec(path)?.[1];
}
