import { createHash } from 'node:crypto';
import pg from 'pg';
import { sqlState } from '../db/database.ts';
import { MIGRATION_LOCK } from '../db/migrate.ts';
import type { FileStore } from '../files/file-store.ts';
import { traced } from '../tracing/spans.ts';
import { VERSION } from '../version.ts';
import { type ArchiveOut, archiveOut } from './archive-out.ts';
import { atOneMoment, isSpread } from './cluster-moment.ts';
import { FileCopier } from './copy-files.ts';
import {
  type BackupHead,
  type BackupManifest,
  type BackupTable,
  FORMAT,
  PARTS,
  pieceName,
} from './manifest.ts';
import { PLAIN_VALUES, quoted, readSequences, readTables, writeRows } from './tables.ts';

/** What a backup is made of. */
export interface BackupSource {
  readonly databaseUrl: string;
  readonly files: FileStore;
  /** Called when the snapshot is taken, before its rows are read, with the name by which others may see it too. */
  readonly onSnapshot?: (name: string) => Promise<void>;
}

/** The schema was changed while the backup was written. */
export class BackupInterrupted extends Error {
  override readonly name = 'BackupInterrupted';
}

/** A backup that is being written. */
export interface RunningBackup {
  /** Its bytes; whoever reads slowly slows it down. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What was written, once all of it was read. */
  readonly manifest: Promise<BackupManifest>;
}

/**
 * Writes database and files into one archive while servers and workers run: the rows of one snapshot, and every file that was there
 * then. No table is locked for others; migrations wait until the snapshot was read.
 */
export function writeBackup(source: BackupSource): RunningBackup {
  const archive = archiveOut();
  const manifest = write(source, archive).catch((error: unknown) => {
    archive.fail(error);
    throw error;
  });
  // Whoever reads the bytes is told, too.
  manifest.catch(() => undefined);
  return { readable: archive.readable, manifest };
}

async function write(source: BackupSource, archive: ArchiveOut): Promise<BackupManifest> {
  const client = new pg.Client({
    connectionString: source.databaseUrl,
    application_name: 'counterfoil backup',
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const head = await readHead(client);
    const text = JSON.stringify(head);
    await addText(archive, PARTS.head, text);
    const files = new FileCopier(source.files, archive);
    await traced('internal', 'back up files', {}, () => files.copyAll());
    const { tables, takenAt, fileFacts } = await openSnapshot(client, source.databaseUrl, files);
    if (JSON.stringify(await readHead(client)) !== text)
      throw new BackupInterrupted('the schema was changed while the backup was written; run it again');
    if (source.onSnapshot !== undefined) {
      const { rows } = await client.query<{ name: string }>('select pg_export_snapshot() as name');
      await source.onSnapshot(rows[0]?.name ?? '');
    }
    const written: BackupManifest['tables'] = [];
    for (const table of tables) {
      const content = await traced('internal', 'back up table', { 'db.collection.name': table.name }, () =>
        writeRows(client, table, (piece, rows) => archive.add(pieceName(table, piece), rows.length, rows)),
      );
      written.push({ ...table, ...content });
    }
    const sequences = await readSequences(client);
    await client.query('commit');
    const manifest = { head, takenAt, tables: written, sequences, files: fileFacts };
    const said = JSON.stringify(manifest, null, 1);
    await addText(archive, PARTS.manifest, said);
    const sum = createHash('sha256').update(said).digest('hex');
    await addText(archive, PARTS.manifestSum, `${sum}  ${PARTS.manifest}\n`);
    archive.finish();
    return manifest;
  } finally {
    await client.end();
  }
}

function addText(archive: ArchiveOut, name: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  return archive.add(name, bytes.length, bytes);
}

async function readHead(client: pg.ClientBase): Promise<BackupHead> {
  const { rows } = await client.query<Omit<BackupHead, 'format' | 'version'>>(
    `select (select coalesce(json_agg(checksum order by version), '[]') from public.schema_migration) as migrations,
            (select max(id) from graphile_worker.migrations) as queue,
            (select encode(digest, 'hex') from public.key_check) as "keyCheck"`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a query without rows');
  return { format: FORMAT, version: VERSION, ...found };
}

interface Snapshot {
  readonly tables: readonly BackupTable[];
  readonly takenAt: string;
  readonly fileFacts: BackupManifest['files'];
}

const TRIES = 5;
const UNDEFINED_TABLE = '42P01';

/** Takes the snapshot that is read from then on, and copies what its files lack; again where something went meanwhile. */
async function openSnapshot(client: pg.ClientBase, url: string, files: FileCopier): Promise<Snapshot> {
  let before: ReadonlySet<string> = new Set();
  // No migration runs until the connection ends. Outside of the transaction, whose snapshot no waiting is to delay.
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  const isCluster = await isSpread(client);
  const begin = async () => (await client.query<{ at: Date }>('select now() as at')).rows;
  for (let tries = 1; ; tries += 1) {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(PLAIN_VALUES);
    const rows = isCluster ? await atOneMoment(client, url, begin) : await begin();
    const tables = await readTables(client);
    const areHeld = await holdTables(client, tables);
    if (areHeld) {
      const there = await files.copyAll();
      const named = await namedFiles(client);
      const missing: string[] = [];
      for (const key of named) if (!(await files.has(key))) missing.push(key);
      // What is missing twice was so before; what was deleted just now is named no more by the next snapshot.
      if (missing.every((key) => before.has(key)) || tries === TRIES) {
        const takenAt = (rows[0]?.at ?? new Date()).toISOString();
        return { tables, takenAt, fileFacts: { ...files.result(there, named), missing } };
      }
      before = new Set(missing);
    } else if (tries === TRIES) throw new BackupInterrupted('tables come and go; run it again');
    await client.query('rollback');
  }
}

/** Keeps tables from being dropped. Of usage records the months only: new ones can be attached meanwhile. */
async function holdTables(client: pg.ClientBase, tables: readonly BackupTable[]): Promise<boolean> {
  try {
    await client.query(`lock table ${tables.map(quoted).join(', ')} in access share mode`);
    return true;
  } catch (error) {
    if (sqlState(error)?.code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/** Files that nothing can make again: the providers' own documents and the archived months. */
async function namedFiles(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select file_key as key from invoice_document
     union all
     select archive -> part ->> 'file' from usage_month, unnest(array['records', 'billed']) as part
      where state = 'archived' and archive is not null`,
  );
  return new Set(rows.map(({ key }) => key));
}
