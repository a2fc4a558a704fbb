import * as z from 'zod/mini';

/** Format of a backup that this program writes, and the latest that it reads. */
export const FORMAT = 1;

const table = z.object({
  schema: z.string(),
  name: z.string(),
  /** In the order in which their values stand in the rows. Generated columns are left out. */
  columns: z.array(z.string()),
  /** Of a month of usage records: its range as PostgreSQL writes it; null: it is no part of them at the moment. */
  month: z.optional(z.nullable(z.string())),
  /** Check constraints of a month of usage records, by name. */
  checks: z.optional(z.record(z.string(), z.string())),
});

/** A table of a backup, without its content. */
export type BackupTable = z.infer<typeof table>;

const head = z.object({
  format: z.number(),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** Checksums of the migrations the database had, in order. */
  migrations: z.array(z.string()),
  /** The last migration of the job queue's library. */
  queue: z.number(),
  /** What tells whether a SECRET_KEY is that of this database, in hexadecimal; null: nothing is sealed in it. */
  keyCheck: z.nullable(z.string()),
});

/** What stands first in a backup: enough to refuse one that cannot be restored here. */
export type BackupHead = z.infer<typeof head>;

const content = z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() });

/** What a table's rows come to, as COPY writes them as text. */
export type TableContent = z.infer<typeof content>;

const manifest = z.object({
  head,
  /** When the snapshot of the database was taken, ISO 8601: what was done later is not in it. */
  takenAt: z.string(),
  tables: z.array(z.object({ ...table.shape, ...content.shape })),
  /** The last value of each sequence that was used, by schema and name. */
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last: z.string() })),
  files: z.object({
    count: z.number(),
    bytes: z.number(),
    sha256: z.string(),
    /** Keys of files that were copied and then deleted, before the snapshot. */
    dropped: z.array(z.string()),
    /** Keys of files that the database names and that are not there. */
    missing: z.array(z.string()),
  }),
});

/** What stands last in a backup: all that is in it, so that nothing can be missing. */
export type BackupManifest = z.infer<typeof manifest>;

/** The parts of a backup, as they are called in the archive. */
export const PARTS = {
  head: 'head.json',
  manifest: 'manifest.json',
  manifestSum: 'manifest.sha256',
  files: 'files/',
  tables: 'tables/',
} as const;

/** The name of a piece of a table's rows. @param piece from 1 */
export const pieceName = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>, piece: number): string =>
  `${PARTS.tables}${schema}/${name}/${String(piece).padStart(6, '0')}.tsv.gz`;

/** Which table a piece belongs to, as `schema.name`. */
export const tableOfPiece = (entry: string): string =>
  entry.slice(PARTS.tables.length).split('/').slice(0, 2).join('.');

/** The backup is not whole, was changed, or cannot be read; the message says what was found. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

/** @throws {BackupDamaged} */
export const parseHead = (text: string): BackupHead => parse(head, PARTS.head, text);

/** @throws {BackupDamaged} */
export const parseManifest = (text: string): BackupManifest => parse(manifest, PARTS.manifest, text);

function parse<T>(schema: z.ZodMiniType<T>, name: string, text: string): T {
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    throw new BackupDamaged(`${name} in it cannot be read`);
  }
}
