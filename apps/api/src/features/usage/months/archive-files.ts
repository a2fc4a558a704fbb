import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { copyOut } from '../../../db/copy/copy-out.ts';
import { compile, type Sql } from '../../../db/sql.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { MonthRefused, nameOf } from './refused.ts';

/** What the rows of one table come to: enough to see that none is missing, added or changed. */
export interface Figures {
  readonly rows: number;
  /** Sums of units and price as decimals; absent where a table has none. */
  readonly units?: string;
  readonly price?: string;
  /** Sum of a hash of every row, whatever their order. */
  readonly fingerprint: string;
}

/** One table of an archive: gzip of what COPY writes as text, its first line the columns' names. */
export interface ArchivedTable extends Figures {
  readonly file: string;
  readonly columns: readonly string[];
  /** Of the text, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  readonly compressedBytes: number;
}

/** The manifest of an archived month; it also stands beside the files. */
export interface MonthArchive {
  readonly format: 1;
  /** 'YYYY-MM' */
  readonly month: string;
  readonly writtenAt: string;
  readonly records: ArchivedTable;
  /** Which invoice line billed which record. */
  readonly billed: ArchivedTable;
}

/** The files of a month, by what is in them. @param month 'YYYY-MM-01' */
export const keysOf = (month: string) => ({
  records: `usage-archive/${nameOf(month)}/records.tsv.gz`,
  billed: `usage-archive/${nameOf(month)}/billed.tsv.gz`,
  manifest: `usage-archive/${nameOf(month)}/manifest.json`,
});

const NEW_LINE = 10;

/** Counts and hashes text that passes. */
class Meter extends Transform {
  readonly #hash = createHash('sha256');
  lines = 0;
  bytes = 0;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    // Line ends inside values are written as \n, so that every line is a row.
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) this.lines += 1;
    done(null, chunk);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/**
 * Writes what a statement selects into a file.
 * @param query without parameters, which COPY does not take
 * @returns what the file holds; rows without the line of names
 */
export async function writeTable(
  client: pg.PoolClient,
  files: FileStore,
  key: string,
  query: Sql,
): Promise<Pick<ArchivedTable, 'file' | 'rows' | 'sha256' | 'bytes' | 'compressedBytes'>> {
  const meter = new Meter();
  let compressedBytes = 0;
  const source = copyOut(client, `copy (${compile(query).text}) to stdout with (header)`);
  await pipeline(source, meter, createGzip(), async (content: AsyncIterable<Buffer>) => {
    compressedBytes = await files.write(key, content);
  });
  const { lines, bytes } = meter;
  return { file: key, rows: lines - 1, sha256: meter.digest(), bytes, compressedBytes };
}

/** Writes the manifest beside the files, for people and for other machines. */
export async function writeManifest(files: FileStore, month: string, archive: MonthArchive): Promise<void> {
  await files.write(keysOf(month).manifest, single(Buffer.from(`${JSON.stringify(archive, null, 2)}\n`)));
}

async function* single(content: Buffer): AsyncIterable<Buffer> {
  yield content;
}

/**
 * Reads an archived table back, as it is, into `into`.
 * @throws {MonthRefused} when the file is not there or not as it was written; what was passed on must be undone then
 */
export async function readTable(
  files: FileStore,
  table: ArchivedTable,
  into: (text: Readable) => Promise<unknown> = drain,
): Promise<void> {
  const stored = await files.read(table.file);
  if (stored === undefined) throw new MonthRefused(`${table.file} is not there`);
  const meter = new Meter();
  try {
    await pipeline(stored.content, createGunzip(), meter, (text) => into(text as unknown as Readable));
  } catch (error) {
    const isDamage = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
    throw isDamage ? new MonthRefused(`${table.file} is damaged: ${error.message}`) : error;
  }
  const sha256 = meter.digest();
  if (sha256 !== table.sha256 || meter.bytes !== table.bytes || meter.lines !== table.rows + 1) {
    throw new MonthRefused(
      `${table.file} is not what was written: ${meter.lines - 1} rows, sha256 ${sha256}; expected ${table.rows}, ${table.sha256}`,
    );
  }
}

async function drain(text: Readable): Promise<void> {
  for await (const _ of text);
}
