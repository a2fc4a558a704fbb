import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Parts } from './plan.ts';

/** The files in the folder of an installation that say what it is and where it comes from. */
export const releaseFiles = {
  sbom: 'sbom.cdx.json',
  /** Of every other file, as `sha256sum -c` reads it. */
  sums: 'SHA256SUMS',
  /** Where it comes from: a statement of in-toto, signed as DSSE has it where there is a key. */
  provenance: 'provenance.json',
} as const;

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** How it was made. */
export interface Making {
  readonly parts: Parts;
  readonly system: string;
  /** The commit it was made of; undefined where that is not known. */
  readonly commit: string | undefined;
  /** Whether files differed from that commit. */
  readonly isChanged: boolean;
  /** Hash of the lock file. */
  readonly lockSum: string;
  /** Address of who made it. */
  readonly builder: string;
  readonly startedOn: Date;
  readonly finishedOn: Date;
}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * The sums of all files in a folder, sorted by path. Links have none: `packaged.json` says where they lead. The two files that hold
 * the sums, or the sum of these, are left out.
 */
export function sumsOf(folder: string): string {
  const without: readonly string[] = [releaseFiles.sums, releaseFiles.provenance];
  return pathsIn(folder)
    .filter((path) => lstatSync(join(folder, path)).isFile() && !without.includes(path))
    .map((path) => `${sha256(readFileSync(join(folder, path)))}  ${path}\n`)
    .join('');
}

/** Where each link in a folder leads. */
export const linksIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pathsIn(folder)
      .filter((path) => lstatSync(join(folder, path)).isSymbolicLink())
      .map((path) => [path, readlinkSync(join(folder, path))]),
  );

/** Everything in a folder but folders. */
function pathsIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below))
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => {
      const path = below === '' ? name : `${below}/${name}`;
      return lstatSync(join(folder, path)).isDirectory() ? pathsIn(folder, path) : [path];
    });
}

/**
 * A key in PEM from a file that a command names.
 * @param path relative to `from`
 * @param read makes a private or a public one
 * @returns a sentence where there is none
 */
export function keyIn(path: string, from: string, read: (pem: Buffer) => KeyObject): KeyObject | string {
  try {
    return read(readFileSync(resolve(from, path)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `There is no such key in ${path}: ${code ?? message}.`;
  }
}

/** A provenance of SLSA 1.0 about an installation. @param sums content of its `SHA256SUMS` */
export const provenanceOf = (sums: string, made: Making) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: releaseFiles.sums, digest: { sha256: sha256(sums) } }],
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'urn:counterfoil:package:v1',
      externalParameters: made.parts,
      internalParameters: { system: made.system, changedSinceCommit: made.isChanged },
      resolvedDependencies: [
        ...(made.commit === undefined ? [] : [{ name: 'source', digest: { gitCommit: made.commit } }]),
        { name: 'package-lock.json', digest: { sha256: made.lockSum } },
      ],
    },
    runDetails: {
      builder: { id: made.builder },
      metadata: { startedOn: made.startedOn.toISOString(), finishedOn: made.finishedOn.toISOString() },
    },
  },
});

/** What is signed: DSSE 1.0, pre-authentication encoding. */
export const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);

/** A private key's name in envelopes: the hash of its public half. */
const nameOf = (key: KeyObject): string =>
  sha256(createPublicKey(key).export({ type: 'spki', format: 'der' }));

/** Ed25519 hashes by itself; the others sign a SHA-256. */
export const hashFor = ({ asymmetricKeyType }: KeyObject): string | null =>
  asymmetricKeyType === 'ed25519' ? null : 'sha256';

/** A statement in an envelope of DSSE. @param key private: Ed25519, EC or RSA */
export function envelope(statement: object, key: KeyObject) {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(hashFor(key), signedBytes(payload), key).toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: nameOf(key), sig }],
  };
}

/** The commit of a folder of git, and whether its files differ from it. */
export function commitOf(root: string): Pick<Making, 'commit' | 'isChanged'> {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git('rev-parse', 'HEAD');
  return { commit, isChanged: commit === undefined || git('status', '--porcelain') !== '' };
}
