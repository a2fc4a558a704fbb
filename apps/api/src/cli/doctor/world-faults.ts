import { fileURLToPath } from 'node:url';
import { PostgresFault } from '@counterfoil/postgres/fault.ts';
import type { Config } from '../../config.ts';
import { DatabaseUnavailable } from '../../db/database.ts';
import { databaseTlsFault } from '../../tls.ts';
import { WorldFault } from '../../world-fault.ts';

/** The settings that say which database and which folders are meant. */
export type Places = Pick<Config, 'databaseUrl' | 'dataDir' | 'filesUrl'>;

interface Coded {
  readonly code: string;
  readonly message: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly hostname?: string;
}

/**
 * What is wrong with the world around the program, as one line that names the thing, its setting and what to do.
 * @param places absent where the settings could not be read
 * @returns undefined for a fault of the program itself
 */
export function sentenceFor(error: unknown, places?: Places): string | undefined {
  if (error instanceof WorldFault || error instanceof PostgresFault) return error.message;
  const chain = chainOf(error);
  const deepest = chain.find((one) => one instanceof WorldFault || one instanceof PostgresFault);
  if (deepest !== undefined) return deepest.message;
  for (const one of chain) {
    const said = databaseTlsFault(one) ?? (isCoded(one) ? sayCode(one, places) : undefined);
    if (said !== undefined) return said;
  }
  const away = chain.find((one) => one instanceof DatabaseUnavailable);
  return away === undefined ? undefined : `${away.message} (${nameOfDatabase(places)})`;
}

/** An error, and what led to it. Of several at once, as from a host with several addresses, the first. */
function chainOf(error: unknown): readonly Error[] {
  if (!(error instanceof Error)) return [];
  const next = error instanceof AggregateError ? error.errors[0] : error.cause;
  return [error, ...chainOf(next)];
}

const isCoded = (error: Error): error is Error & Coded => 'code' in error && typeof error.code === 'string';

function sayCode(error: Coded, places: Places | undefined): string | undefined {
  const database = DATABASE[error.code];
  if (database !== undefined) return database(nameOfDatabase(places), error);
  if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') return sayUnreachable(error, places);
  return sayFileFault(error, places);
}

type Say = (name: string, error: Coded) => string;

/** By SQLSTATE (PostgreSQL manual, appendix A). */
const DATABASE: Readonly<Record<string, Say>> = {
  '28P01': (name) =>
    `the database refuses the password of ${name}; correct it there, or give the role that one`,
  '28000': (name, { message }) =>
    `the database does not let the role of ${name} in (${message}); allow it in pg_hba.conf, or name another role`,
  '3D000': (name, { message }) =>
    `the database that ${name} names is missing (${message}); make it with createdb, encoding UTF8`,
  '42501': (name, { message }) =>
    `the role of ${name} lacks a right (${message}); let it own the database, or grant it CREATE on database and schema`,
  '3F000': (name, { message }) =>
    `the role of ${name} has no schema to make tables in (${message}); grant it USAGE and CREATE on one`,
  '25006': (name) =>
    `the database of ${name} takes no changes: it is a standby, or read-only by default; name the primary`,
  '53300': (name) =>
    `the database of ${name} takes no more connections; raise its max_connections, or run fewer processes`,
  '53100': (name) => `the disk of the database (${name}) is full; make room there`,
  '53200': (name) => `the database (${name}) is out of memory; give it more, or lower its work_mem`,
  '58030': (name, { message }) => `the disk of the database (${name}) has an error (${message}); see its log`,
  '57P03': (name) => `the database of ${name} is starting or stopping; try again when it is up`,
};

const nameOfDatabase = (places: Places | undefined): string =>
  places !== undefined && places.databaseUrl === undefined ? 'the embedded database' : 'DATABASE_URL';

function sayUnreachable({ code, hostname, message }: Coded, places: Places | undefined): string {
  const name = nameOfDatabase(places);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host ${hostname ?? ''} of ${name} is not known here (${code}); correct the name, or see to its DNS`;
  return `the database of ${name} cannot be reached (${message.replace(/^connect /, '')}); start it, or correct host and port`;
}

/** What file systems refuse. */
const FILES: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full; make room there',
  EDQUOT: 'the quota of its disk is used up; make room there',
  EROFS: 'its file system is read-only; mount it writable, or name another folder',
  EACCES: 'this account may not; give it the folder, or name another one',
  EPERM: 'this account may not; give it the folder, or name another one',
  ENOTDIR: 'a part of that path is a file; name a folder',
  EEXIST: 'it is a file; name a folder',
  EISDIR: 'it is a folder where a file should be',
  ENOENT: 'it does not exist',
  ELOOP: 'its links lead in a circle; name another folder',
  ENAMETOOLONG: 'the path is too long; name a shorter one',
  EMFILE: 'this process may open no more files; raise its limit (ulimit -n)',
  ENFILE: 'this machine has no more open files to give; raise its limit',
};

/** Why a file or folder cannot be used. @param setting that names it, where it is known */
export function sayFileFault(error: Coded, places?: Places, setting?: string): string | undefined {
  const why = FILES[error.code];
  if (why === undefined) return undefined;
  const { path } = error;
  // What is written through an open file does not say which one it is.
  if (path === undefined)
    return error.syscall === 'write' ? `cannot write in DATA_DIR or FILES_URL: ${why}` : undefined;
  const name = setting ?? (places === undefined ? undefined : settingOf(path, places));
  const verb = error.syscall === 'open' && error.code === 'ENOENT' ? 'read' : 'use';
  return `cannot ${verb} ${path}${name === undefined ? '' : ` (${name})`}: ${why}`;
}

function settingOf(path: string, { dataDir, filesUrl }: Places): string | undefined {
  const isIn = (folder: string) => path === folder || path.startsWith(`${folder.replace(/\/$/, '')}/`);
  if (isIn(dataDir)) return 'DATA_DIR';
  return filesUrl.protocol === 'file:' && isIn(fileURLToPath(filesUrl)) ? 'FILES_URL' : undefined;
}

/**
 * Why this process cannot listen where the settings say; undefined for any other fault.
 * @param setting that names the port
 */
export function listenFault(
  error: unknown,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): string | undefined {
  const coded = chainOf(error).find(isCoded);
  switch (coded?.code) {
    case 'EADDRINUSE':
      return `port ${port} is taken by another program; end that one, or set ${setting} to a free port`;
    case 'EACCES':
    case 'EPERM':
      return `this account may not listen on port ${port}; set ${setting} to 1024 or more, with a proxy before it`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine; set HOST to one, such as 127.0.0.1 or 0.0.0.0`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} is not known here; set HOST to an address of this machine, such as 127.0.0.1`;
    case 'EAFNOSUPPORT':
      return `this machine has no addresses such as ${host}; set HOST to one that it has, such as 127.0.0.1`;
    default:
      return undefined;
  }
}
