import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { hashFor, PAYLOAD_TYPE, releaseFiles, sha256, signedBytes, sumsOf } from './provenance.ts';

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
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { key: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    process.stderr.write(`Usage: ${usage}\n`);
    return 2;
  }
  const key = values.key === undefined ? undefined : createPublicKey(readFileSync(resolve(from, values.key)));
  const faults = packageFaults(resolve(from, folder), key);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) return 1;
  const who = key === undefined ? 'nothing is said about who made it (--key)' : 'signed by that key';
  process.stdout.write(`All files are as they were made; ${who}.\n`);
  return 0;
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
  return [...changedFiles(sums, sumsOf(folder)), ...provenanceFaults(provenance, sums, key)];
}

function changedFiles(stated: string, found: string): string[] {
  const [before, now] = [stated, found].map(
    (text) =>
      new Map(
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => [line.slice(66), line.slice(0, 64)]),
      ),
  ) as [Map<string, string>, Map<string, string>];
  return [
    ...[...before].flatMap(([path, sum]) =>
      now.get(path) === sum ? [] : [now.has(path) ? `${path} is another file.` : `${path} is missing.`],
    ),
    ...[...now.keys()].filter((path) => !before.has(path)).map((path) => `${path} was added.`),
  ];
}

function provenanceFaults(text: string, sums: string, key: KeyObject | undefined): string[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return [`${releaseFiles.provenance} is no JSON.`];
  }
  const signed = envelopeForm.safeParse(given);
  const payload = signed.success ? Buffer.from(signed.data.payload, 'base64') : undefined;
  if (key !== undefined) {
    if (!signed.success || payload === undefined) return ['It is not signed.'];
    const isBy = (sig: string) => verify(hashFor(key), signedBytes(payload), key, Buffer.from(sig, 'base64'));
    if (!signed.data.signatures.some(({ sig }) => isBy(sig))) return ['It is not signed by that key.'];
  }
  const statement = statementForm.safeParse(payload === undefined ? given : parsed(payload));
  const sum = statement.data?.subject.find(({ name }) => name === releaseFiles.sums)?.digest.sha256;
  return sum === sha256(sums) ? [] : [`${releaseFiles.provenance} is about other files.`];
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
