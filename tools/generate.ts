import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CasesData } from '@counterfoil/gateways/cases/data.ts';
import type { GatewayManifest } from '@counterfoil/gateways/port/define-gateway.ts';
import { grown, landedList, readLanded, readMigrationFiles } from './checks/migrations.ts';
import { type GatewayProofs, gatewayPage } from './generate/gateway-page.ts';
import {
  browserRegistry,
  casesRegistry,
  demoRegistry,
  gatewayFolders,
  sandboxRegistry,
  serverRegistry,
} from './generate/registries.ts';
import { shownCases } from './ledger/conformance.ts';
import { testSources } from './ledger/test-file.ts';
import { packageFile, root, runScript } from './process.ts';

/** A generated file: path relative to the project, and what it should hold. */
interface Generated {
  readonly path: string;
  readonly text: string;
}

/** Writes the generated files whose content changed, and the specification ledger. @returns the exit code */
export async function generate(): Promise<number> {
  for (const { path, text } of await stale()) {
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path} written\n`);
  }
  return (await runScript(join(root, 'tools/ledger/main.ts'))).code;
}

/** Says which generated files are not what `generate` would write. @returns the exit code */
export async function checkGenerated(): Promise<number> {
  const outdated = await stale();
  for (const { path } of outdated) process.stdout.write(`${path} is not up to date: npm run generate\n`);
  const ledger = await runScript(join(root, 'tools/ledger/main.ts'), ['--check']);
  return outdated.length > 0 ? 1 : ledger.code;
}

async function stale(): Promise<Generated[]> {
  const files = await generatedFiles();
  return files.filter(({ path, text }) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
}

async function generatedFiles(): Promise<Generated[]> {
  const source = 'packages/gateways/src';
  const folders = gatewayFolders(join(root, source));
  const manifests = await Promise.all(folders.map(({ id }) => readManifest(join(root, source, id))));
  const integrationTypes = Object.fromEntries(
    manifests.map(({ id, integrationType }) => [id, integrationType]),
  );
  const code = [
    { path: `${source}/registry.ts`, text: serverRegistry(folders) },
    { path: `${source}/sandbox-registry.ts`, text: sandboxRegistry(folders) },
    { path: `${source}/cases-registry.ts`, text: casesRegistry(folders) },
    { path: `${source}/demo-registry.ts`, text: demoRegistry(folders) },
    { path: `${source}/browser-registry.ts`, text: browserRegistry(folders, integrationTypes) },
  ];
  const formatted = await Promise.all(
    code.map(async ({ path, text }) => ({ path, text: await format(path, text) })),
  );
  return [
    ...formatted,
    { path: landedList, text: grown(readLanded(), readMigrationFiles()) },
    { path: 'docs/gateways.md', text: gatewayPage(manifests, await readProofs(folders, source)) },
  ];
}

/** What shows what of each gateway, by id. */
async function readProofs(
  folders: readonly { readonly id: string }[],
  source: string,
): Promise<ReadonlyMap<string, GatewayProofs>> {
  const read = async (id: string, name: string): Promise<object> => {
    const file = join(root, source, id, name);
    return existsSync(file) ? ((await import(pathToFileURL(file).href)) as object) : {};
  };
  const sources = testSources(root);
  return new Map(
    await Promise.all(
      folders.map(async ({ id }) => {
        const { casesData } = (await read(id, 'cases-data.ts')) as { casesData?: CasesData };
        const shown = casesData?.conformance && shownCases(id, casesData.conformance, sources).cases;
        const proofs: GatewayProofs = {
          ...(casesData === undefined ? {} : { casesData }),
          ...(shown === undefined ? {} : { shown }),
        };
        return [id, proofs] as const;
      }),
    ),
  );
}

async function readManifest(folder: string): Promise<GatewayManifest> {
  const module = (await import(pathToFileURL(join(folder, 'manifest.ts')).href)) as {
    manifest: GatewayManifest;
  };
  return module.manifest;
}

/** As the formatter would leave it, so that checking format and checking freshness never disagree. */
export function format(path: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const biome = packageFile('@biomejs/biome/bin/biome');
    const child = spawn(process.execPath, [biome, 'check', '--write', `--stdin-file-path=${path}`], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`biome could not format ${path}`)),
    );
    child.stdin.end(text);
  });
}
