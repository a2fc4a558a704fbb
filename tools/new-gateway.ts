import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from './generate.ts';
import { casesDataFile, demoFile, sandboxFile } from './new-gateway/proof-files.ts';
import { gatewayFile, manifestFile, type Names, wireFile, wireTestFile } from './new-gateway/server-files.ts';

const usage = `Usage: npm run new:gateway -- <name> [--code <number>] [--title <display name>]
  <name>  folder and id: lower-case letters, digits and hyphens
`;

/**
 * Makes the folder of a new gateway with the standard files. They type-check, pass the cases of all gateways and
 * speak a made-up protocol: replace it by the provider's.
 * @param root the project; files go to packages/gateways/src of it
 * @returns the exit code
 */
export async function newGateway(args: readonly string[], root: string): Promise<number> {
  const names = readNames(args, join(root, 'packages/gateways/src'));
  if (typeof names === 'string') {
    process.stderr.write(`${names}\n${usage}`);
    return 1;
  }
  const folder = `packages/gateways/src/${names.id}`;
  mkdirSync(join(root, folder));
  const files: readonly (readonly [string, string])[] = [
    ['manifest.ts', manifestFile(names)],
    ['wire.ts', wireFile(names)],
    ['wire.test.ts', wireTestFile(names)],
    ['gateway.ts', gatewayFile(names)],
    ['sandbox.ts', sandboxFile(names)],
    ['cases-data.ts', casesDataFile(names)],
    ['demo.ts', demoFile(names)],
  ];
  for (const [file, text] of files) {
    const path = `${folder}/${file}`;
    writeFileSync(join(root, path), await format(path, text));
    process.stdout.write(`${path}\n`);
  }
  process.stdout.write('Next: set the documentation address in manifest.ts, then npm run generate.\n');
  return 0;
}

/** @returns the names, or what is wrong with the arguments */
function readNames(args: readonly string[], source: string): Names | string {
  const [id = '', ...options] = args;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    return id ? `"${id}" is no name for a gateway.` : 'A name is missing.';
  if (existsSync(join(source, id))) return `packages/gateways/src/${id} exists already.`;
  const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const taken = takenCodes(source);
  const code = Number(optionOf(options, '--code') ?? Math.max(0, ...taken) + 1);
  if (!Number.isSafeInteger(code) || code < 1) return 'The code is a whole number from 1.';
  if (taken.includes(code)) return `Code ${code} belongs to another gateway.`;
  return { id, code, displayName: optionOf(options, '--title') ?? words.join(' '), type: words.join('') };
}

function takenCodes(source: string): number[] {
  return readdirSync(source)
    .map((folder) => join(source, folder, 'manifest.ts'))
    .filter((file) => existsSync(file))
    .map((file) => Number(/^ {2}code: (\d+),/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0));
}

function optionOf(options: readonly string[], name: string): string | undefined {
  const at = options.indexOf(name);
  return at < 0 ? undefined : options[at + 1];
}
