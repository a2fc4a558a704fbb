import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import {
  hashFor,
  keyIn,
  linksIn,
  PAYLOAD_TYPE,
  releaseFiles,
  sha256,
  signedBytes,
  sumsOf,
} from './provenance.ts';

const usage = 'npm run verify-package -- <folder> [--key <public key>]';

const statementForm = z.object({
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
});
const envelopeForm = z.object({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: z.base64(),
  signatures: z.array(z.object({ sig: z.base64() })),
});

/**
 * Says whether an installation is as it was made.
 * @param args of the command line
 * @returns the exit code
 */
export function verifyCommand(args: readonly string[], from: string): number {
  const asked = readArguments(args);
  if (asked === undefined) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const key = asked.key === undefined ? undefined : keyIn(asked.key, from, createPublicKey);
  const faults = typeof key === 'string' ? [key] : packageFaults(resolve(from, asked.folder), key);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) return 1;
  const who = key === undefined ? 'nothing is said about who made it (--key)' : 'signed by that key';
  process.stdout.write(`All files are as they were made; ${who}.\n`);
  return 0;
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { key: { type: 'string' } },
      allowPositionals: true,
    });
    const [folder, ...more] = positionals;
    return folder === undefined || more.length > 0 ? undefined : { folder, key: values.key };
  } catch {
    return undefined;
  }
}

/**
 * Examines the folder of an installation by what came with it.
 * @param key public: whose signature is asked for; undefined asks only whether the files are those of the sums
 * @returns one sentence per fault; empty when all is as it was made
 */
export function packageFaults(folder: string, key: KeyObject | undefined): string[] {
  const read = (name: string): string | undefined => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  const [sums, provenance] = [read(releaseFiles.sums), read(releaseFiles.provenance)];
  if (sums === undefined || provenance === undefined)
    return [`${folder} has no ${releaseFiles.sums} or no ${releaseFiles.provenance}.`];
  return [
    ...changed(pathsOf(sums), pathsOf(sumsOf(folder))),
    ...changed(statedLinks(read('packaged.json')), new Map(Object.entries(linksIn(folder)))),
    ...provenanceFaults(provenance, sums, key),
  ];
}

/** Each path of `SHA256SUMS` with its sum. */
const pathsOf = (sums: string): ReadonlyMap<string, string> =>
  new Map(sums.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(66), line.slice(0, 64)]])));

const linksForm = z.object({ links: z.record(z.string(), z.string()) });

function statedLinks(text: string | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(linksForm.safeParse(parsed(text)).data?.links ?? {}));
}

function changed(stated: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): string[] {
  return [
    ...[...stated].flatMap(([path, was]) =>
      found.get(path) === was ? [] : [`${path} is ${found.has(path) ? 'another' : 'missing'}.`],
    ),
    ...[...found.keys()].filter((path) => !stated.has(path)).map((path) => `${path} was added.`),
  ];
}

function provenanceFaults(text: string, sums: string, key: KeyObject | undefined): string[] {
  const given = parsed(text);
  if (given === undefined) return [`${releaseFiles.provenance} is no JSON.`];
  const signed = envelopeForm.safeParse(given);
  const payload = signed.success ? Buffer.from(signed.data.payload, 'base64') : undefined;
  if (key !== undefined) {
    if (!signed.success || payload === undefined) return ['It is not signed.'];
    const isBy = (sig: string) => verify(hashFor(key), signedBytes(payload), key, Buffer.from(sig, 'base64'));
    if (!signed.data.signatures.some(({ sig }) => isBy(sig))) return ['It is not signed by that key.'];
  }
  const statement = statementForm.safeParse(payload === undefined ? given : parsed(payload.toString('utf8')));
  const sum = statement.data?.subject.find(({ name }) => name === releaseFiles.sums)?.digest.sha256;
  return sum === sha256(sums) ? [] : [`${releaseFiles.provenance} is about other files.`];
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
