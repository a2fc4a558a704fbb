/** Which Node runs the project. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Short-lived objects in 2 MiB instead of 16: eighteen megabytes less at rest. What outlives them is looked through when it has
 * doubled, not when it has grown fourfold: docs/adr/0099-memory-under-load.md.
 */
export const heapFlags = ['--max-semi-space-size=2', '--heap-growing-percent=100'];

/** What the project's Node is started with, before the script's name. */
export const nodeFlags = [
  ...heapFlags,
  '--import',
  pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href,
];

/**
 * What the C library is told: threads share two heaps instead of one a thread, and blocks of 128 KiB and more go back to the
 * system when they are freed, however large freed ones were before. Some ten megabytes less at rest.
 */
export const mallocSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Name of the npm package that holds Node for a platform, undefined where package.json names none. */
export function nodePackageFor(platform, arch) {
  return Object.keys(manifest.optionalDependencies).find((name) => name.endsWith(`-${platform}-${arch}`));
}

/** The one for this machine. */
export const nodePackage = nodePackageFor(process.platform, process.arch);

/** Whether this is an installation made by `npm run package`, which is complete. */
export function isPackaged() {
  return existsSync(join(root, 'packaged.json'));
}

/** The pinned Node, or where there is none the present one if it is new enough. */
export function findNode() {
  const pinned = nodePackage && join(root, 'node_modules', nodePackage, 'bin', 'node');
  if (pinned && existsSync(pinned)) return pinned;
  const versions = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  const oldest = Math.min(...versions.map(([, version]) => Number.parseInt(version, 10)));
  if (Number(process.versions.node.split('.')[0]) >= oldest) return process.execPath;
  process.stderr.write(
    `There is no Node of the project's own for ${process.platform}-${process.arch} here: install Node ${oldest} or later (this is ${process.version}).\n`,
  );
  process.exit(1);
}
