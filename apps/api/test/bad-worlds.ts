import { writeFileSync } from 'node:fs';
import type { TestDatabase } from '@counterfoil/testing/database.ts';

/** What a world is made of. */
export interface Place {
  /** A folder of its own, empty. */
  readonly folder: string;
  readonly database: TestDatabase;
  /** Address of the test's database for another role or database. */
  address(change: { readonly role?: string; readonly database?: string }): string;
  /** Called when the program has ended. */
  after(tidy: () => unknown): void;
}

export interface BadWorld {
  readonly name: string;
  readonly command: string;
  /** What the one line says after the command's name. */
  readonly says: RegExp;
  /** Settings over those of a good world on the test's database; undefined takes one away. */
  make(place: Place): Promise<Env> | Env;
  /** A shell command in front of the program, in which `$1` is the place's folder. */
  readonly before?: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** A small disk in a name space of its own, which goes with the program. */
export const DISK = (size: string, more = '') =>
  `f="$1"; shift; exec unshare -m sh -c 'mount -t tmpfs -o mode=755,size=${size} tmpfs "$0/disk" && ${more} exec "$@"' "$f" "$@"`;

/** No database but the embedded one. */
export const EMBEDDED = { DATABASE_URL: undefined, SECRET_KEY: undefined };

/** Makes a file. @returns its path */
export const file = (path: string, text = ''): string => {
  writeFileSync(path, text);
  return path;
};
