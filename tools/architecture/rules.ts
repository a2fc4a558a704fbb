import { areaOf, arrows, featureOf, gatewayOf, isBrowserEntry, isSandboxSide, isTest } from './areas.ts';
import { cycles, type Link, linksBetween, reachable } from './graph.ts';
import type { SourceFile } from './source-file.ts';

/** A broken rule, at a place. */
export interface Fault {
  readonly rule: string;
  readonly path: string;
  readonly message: string;
}

/** Lines of code; comments and blank lines are free, so that nobody saves on them. */
const longestFile = 350;

/** Checks all rules. @returns the faults, ordered by path */
export function checkArchitecture(files: readonly SourceFile[]): Fault[] {
  const links = linksBetween(files);
  const faults = [
    ...files.flatMap((file) => [
      ...checkLength(file),
      ...checkUses(file),
      ...checkFiles(file),
      ...checkPurity(file),
    ]),
    ...links.flatMap((link) => [...checkArrow(link), ...checkFeatures(link), ...checkFloors(link)]),
    ...checkGateways(files, links),
    ...cycles(links).map((cycle) => ({
      rule: 'no import cycles',
      path: cycle[0] ?? '',
      message: [...cycle, cycle[0]].join(' → '),
    })),
  ];
  return faults.sort((a, b) => a.path.localeCompare(b.path));
}

function checkLength({ path, codeLines }: SourceFile): Fault[] {
  if (codeLines <= longestFile) return [];
  return [
    {
      rule: 'short files',
      path,
      message: `${codeLines} lines of code; split it, ${longestFile} is the most`,
    },
  ];
}

const environmentReaders = ['apps/api/src/config.ts', 'apps/sandbox/src/main.ts'];

/** Where money is computed; numbers of other kinds live elsewhere. */
const moneyArea = /^(apps\/api|packages\/gateways)\/src\//;
/** Points, pixels and colours: the invoice page, and what runs in the browser. */
const geometry = /\/pdf\/(fonts|images|text|writer)\/|\/browser\//;
const moneyAdvice: Readonly<Record<'toFixed' | 'parseFloat' | 'times 100', string>> = {
  toFixed: 'toFixed rounds in binary; use the functions of domain/money/money.ts',
  parseFloat: 'parseFloat loses cents; use the parsers of domain/money/money.ts or domain/money/rate.ts',
  'times 100': 'not every currency has 100 minor units; use domain/money/money.ts',
};

/** How files are found and named, in the product, in tests and in tools. */
function checkFiles({ path, uses }: SourceFile): Fault[] {
  return uses.flatMap(({ what, line }) => {
    if (what === 'glob') {
      const message = `line ${line}: use filesMatching of tools/project-files.ts, which never finds nothing`;
      return [{ rule: 'one walk over files', path, message }];
    }
    if (what === 'spread of a literal') {
      const message = `line ${line}: write the members of the inner literal into the outer one`;
      return [{ rule: 'no spread of a literal', path, message }];
    }
    if (what !== 'pathname of a file') return [];
    const message = `line ${line}: a pathname is written for addresses (%20); use fileURLToPath`;
    return [{ rule: 'paths are not addresses', path, message }];
  });
}

function checkUses({ path, uses }: SourceFile): Fault[] {
  if (isTest(path) || areaOf(path) === 'outside') return [];
  return uses.flatMap(({ what, line }) => {
    if (what === 'glob' || what === 'pathname of a file' || what === 'spread of a literal') return [];
    if (what === 'process.env') {
      if (environmentReaders.includes(path)) return [];
      const message = `line ${line}: only ${environmentReaders.join(' and ')} read process.env`;
      return [{ rule: 'one reader of the environment', path, message }];
    }
    if (!moneyArea.test(path) || geometry.test(path)) return [];
    return [{ rule: 'no float arithmetic on money', path, message: `line ${line}: ${moneyAdvice[what]}` }];
  });
}

function checkPurity({ path, imports }: SourceFile): Fault[] {
  if (areaOf(path) !== 'domain' || isTest(path)) return [];
  return imports
    .filter(({ specifier }) => !specifier.startsWith('.'))
    .map(({ specifier }) => ({
      rule: 'domain depends on nothing',
      path,
      message: `imports ${specifier}`,
    }));
}

function checkArrow({ from, to, specifier }: Link): Fault[] {
  const [source, target] = [areaOf(from), areaOf(to)];
  if (source === target) return [];
  const fault = (message: string): Fault[] => [{ rule: 'arrows point one way', path: from, message }];
  if (target === 'outside')
    return isTest(from) || source === 'outside'
      ? []
      : fault(`imports ${to}, which is no part of the product`);
  if (source === 'outside') return [];
  if (specifier.startsWith('.'))
    return fault(`imports ${to} by a relative path; use @counterfoil/${target}/…`);
  const allowed = isTest(from) ? [...arrows[source], 'testing', 'postgres', 'sandbox'] : arrows[source];
  if (!allowed.includes(target)) return fault(`${source} must not import ${target} (${to})`);
  if (source === 'gateways' && target === 'sandbox' && !isTest(from) && !isSandboxSide(from)) {
    return fault(`imports ${to}; an adapter shares nothing with the sandbox it is judged by`);
  }
  if (source === 'web' && target === 'gateways' && !isBrowserEntry(to)) {
    return fault(`web sees only the browser entries of gateways, not ${to}`);
  }
  return [];
}

/** The door of a feature of the API: what others may use of it. */
const door = /\/features\/[^/]+\/(service|queries)\.ts$/;

function checkFeatures({ from, to }: Link): Fault[] {
  const [feature, other] = [featureOf(from), featureOf(to)];
  if (!feature || !other || feature === other || areaOf(from) !== areaOf(to) || isTest(from)) return [];
  const fault = (message: string): Fault[] => [{ rule: 'features keep to themselves', path: from, message }];
  if (areaOf(from) === 'web')
    return fault(`imports ${to}; compose features in a page or move it to src/shared or src/ui`);
  if (to.endsWith('/routes.ts'))
    return fault(`imports ${to}; put what is shared into its service.ts or queries.ts`);
  return door.test(to) ? [] : fault(`imports ${to}; offer it in service.ts or queries.ts of ${other}`);
}

/** The floors of the portal from the ground up; each uses only itself and those below. Features stand above all. */
const floors = ['text', 'ui', 'lib', 'shared', 'paying'];

function checkFloors({ from, to }: Link): Fault[] {
  const floorOf = (path: string) => floors.indexOf(/^apps\/web\/src\/([^/]+)\//.exec(path)?.[1] ?? '');
  const [floor, other] = [floorOf(from), floorOf(to)];
  const isBelow = other !== -1 && other <= floor;
  if (floor === -1 || isBelow || areaOf(to) !== 'web' || isTest(from)) return [];
  const message = `imports ${to}, which stands above ${floors[floor]}; take it as a prop, or move what needs it`;
  return [{ rule: 'floors of the portal', path: from, message }];
}

function checkGateways(files: readonly SourceFile[], links: readonly Link[]): Fault[] {
  const gateways = new Set(
    files.flatMap(({ path }) => /^packages\/gateways\/src\/([^/]+)\/manifest\.ts$/.exec(path)?.[1] ?? []),
  );
  const across = links.flatMap(({ from, to }): Fault[] => {
    const [gateway, other] = [gatewayOf(from, gateways), gatewayOf(to, gateways)];
    if (!gateway || !other || gateway === other) return [];
    return [{ rule: 'a gateway is one folder', path: from, message: `imports ${to} of another gateway` }];
  });
  const separated = [...gateways].flatMap((gateway) => {
    const folder = `packages/gateways/src/${gateway}/`;
    const paths = files.map(({ path }) => path).filter((path) => path.startsWith(folder) && !isTest(path));
    const isWire = (path: string) => /^(wire|gateway)(-[\w-]+)?\.ts$|^wire\//.test(path.slice(folder.length));
    const isSandbox = (path: string) => /^sandbox(\.ts$|\/)/.test(path.slice(folder.length));
    const isBrowser = (path: string) => /^browser(\.tsx$|\/)/.test(path.slice(folder.length));
    return [
      ...mustNotReach(
        paths.filter(isSandbox),
        isWire,
        folder,
        links,
        'a sandbox never shares its gateway’s reading of the protocol',
      ),
      ...mustNotReach(
        paths.filter(isBrowser),
        (path) => isWire(path) || isSandbox(path),
        folder,
        links,
        'browser entries never reach server code',
      ),
    ];
  });
  return [...across, ...separated];
}

function mustNotReach(
  starts: readonly string[],
  isForbidden: (path: string) => boolean,
  folder: string,
  links: readonly Link[],
  rule: string,
): Fault[] {
  return starts.flatMap((path) => {
    const hit = [...reachable([path], links)].find((other) => other.startsWith(folder) && isForbidden(other));
    return hit ? [{ rule, path, message: `reaches ${hit}` }] : [];
  });
}
