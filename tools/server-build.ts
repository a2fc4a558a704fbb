import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { root } from './process.ts';
import { BUILDS, serverProgram } from './run/server-program.mjs';

/** Whoever runs an older build goes on reading its parts. */
const KEPT_BUILDS = 5;

/**
 * Builds the server if its sources changed since the last build: its modules and those of packages that are ES modules become
 * few files. Each module costs memory by itself, and a thousand of them a third of what the server takes at rest.
 * @returns the exit code
 */
export async function buildServer(): Promise<number> {
  const program = join(root, serverProgram(root));
  if (existsSync(program)) return 0;
  // Beside its place, and to its place when it is whole: others may build the same, or run it.
  const folder = dirname(program);
  const made = `${folder}.${process.pid}`;
  try {
    await build(made);
    if (!existsSync(folder)) renameSync(made, folder);
  } catch (error) {
    // Another was faster.
    if (!existsSync(program)) {
      process.stderr.write(`The server could not be built: ${(error as Error).message}\n`);
      return 1;
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  removeOld();
  return 0;
}

async function build(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: { main: join(root, 'apps/api/src/main.ts') },
    platform: 'node',
    plugins: [packagesApart(), placesKept(folder)],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // They stand in logs.
    keepNames: true,
    comments: { legal: false, annotation: false, jsdoc: false },
  });
  await bundle.close();
}

interface Manifest {
  readonly name: string;
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** ES modules become part of the build; CommonJS and native parts stay where they are. */
function packagesApart(): Plugin {
  const partOfBuild = new Set<string>();
  const apart = new Map<string, Manifest>();
  return {
    name: 'packages-apart',
    async resolveId(source, importer, options) {
      if (source.startsWith('node:') || builtinModules.includes(source))
        return { id: source, external: true };
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const folder = found && /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(found.id)?.[0];
      if (!folder || folder.includes('/@counterfoil/')) return found;
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
      if (manifest.type === 'module') {
        partOfBuild.add(manifest.name);
        return found;
      }
      apart.set(manifest.name, manifest);
      return { id: source, external: true };
    },
    // Else there were two of it, and what one makes the other would not know.
    buildEnd() {
      for (const { name, dependencies = {} } of apart.values())
        for (const needed of Object.keys(dependencies))
          if (partOfBuild.has(needed)) this.error(`${name} loads ${needed}, which is part of the build`);
    },
  };
}

const PLACE = /import\.meta\.(?:(dirname)|(url)|resolve\('(\.[^']+)'\))/g;

/** What a module finds by its own place (pages, migrations, programs of other processes) it finds there still. */
function placesKept(folder: string): Plugin {
  return {
    name: 'places-kept',
    transform(code, id) {
      if (!code.includes('import.meta') || id.includes('/node_modules/')) return undefined;
      const path = relative(folder, id);
      const urlOf = (place: string) => `new URL(${JSON.stringify(place)}, import.meta.url)`;
      return code.replace(PLACE, (_, isDirname?: string, isUrl?: string, written = '') => {
        if (isDirname) return `decodeURIComponent(${urlOf(dirname(path))}.pathname)`;
        return `${urlOf(isUrl ? path : join(dirname(path), written))}.href`;
      });
    },
  };
}

function removeOld(): void {
  const builds = join(root, BUILDS);
  const folders = readdirSync(builds)
    .map((name) => join(builds, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of folders.slice(KEPT_BUILDS)) rmSync(folder, { recursive: true, force: true });
}
