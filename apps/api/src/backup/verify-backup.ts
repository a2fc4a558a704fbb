import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ArchivePart, archiveParts, textOfPart } from './archive-in.ts';
import { fileMark } from './copy-files.ts';
import type { Opener } from './locked.ts';
import {
  BackupDamaged,
  type BackupHead,
  type BackupManifest,
  FORMAT,
  PARTS,
  parseHead,
  parseManifest,
  tableOfPiece,
} from './manifest.ts';
import { linesIn } from './tables.ts';

const unpack = promisify(gunzip);

/** What the head says of the format alone decides whether the rest can be read. @throws {BackupDamaged} */
export async function readBackupHead(path: string, opener: Opener): Promise<BackupHead> {
  for await (const part of archiveParts(path, opener)) {
    if (part.name !== PARTS.head) break;
    return headOf(await textOfPart(part));
  }
  throw new BackupDamaged(NO_BACKUP);
}

const NO_BACKUP = 'it is no backup of Counterfoil';

function headOf(text: string): BackupHead {
  const head = parseHead(text);
  if (head.format <= FORMAT) return head;
  throw new BackupDamaged(
    `it was written by version ${head.version}, in a format that this version does not know`,
  );
}

/**
 * Reads a backup from its first byte to its last, and compares all of it with what its manifest says.
 * @returns the manifest
 * @throws {BackupDamaged} saying what differs
 */
export async function verifyBackup(path: string, opener: Opener): Promise<BackupManifest> {
  const found = new Found();
  for await (const part of archiveParts(path, opener)) await found.take(part);
  return found.compare();
}

/** The rows of a piece of a table. @throws {BackupDamaged} */
export async function rowsOfPiece({ name, content }: ArchivePart): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  try {
    return await unpack(Buffer.concat(pieces));
  } catch {
    throw new BackupDamaged(`${name} in it was changed`);
  }
}

/** What a backup holds, counted while it is read. */
class Found {
  readonly #tables = new Map<string, { rows: number; bytes: number; hash: Hash }>();
  readonly #files = { count: 0, bytes: 0, hash: createHash('sha256') };
  #head = '';
  #manifest = '';
  #sum = '';

  async take(part: ArchivePart): Promise<void> {
    const { name } = part;
    if (this.#sum !== '') throw new BackupDamaged(`${name} stands behind its end`);
    if (this.#head === '' && name !== PARTS.head) throw new BackupDamaged(NO_BACKUP);
    if (name === PARTS.head) {
      this.#head = await textOfPart(part);
      headOf(this.#head);
    } else if (name === PARTS.manifest) this.#manifest = await textOfPart(part);
    else if (name === PARTS.manifestSum) this.#sum = await textOfPart(part);
    else if (name.startsWith(PARTS.files)) await this.#takeFile(part);
    else if (name.startsWith(PARTS.tables)) await this.#takePiece(part);
    else throw new BackupDamaged(`${name} does not belong in it`);
  }

  async #takeFile({ name, size, content }: ArchivePart): Promise<void> {
    const files = this.#files;
    files.hash.update(fileMark(name.slice(PARTS.files.length), size));
    for await (const chunk of content) files.hash.update(chunk);
    files.count += 1;
    files.bytes += size;
  }

  async #takePiece(part: ArchivePart): Promise<void> {
    const rows = await rowsOfPiece(part);
    const name = tableOfPiece(part.name);
    const table = this.#tables.get(name) ?? { rows: 0, bytes: 0, hash: createHash('sha256') };
    this.#tables.set(name, table);
    table.rows += linesIn(rows);
    table.bytes += rows.length;
    table.hash.update(rows);
  }

  compare(): BackupManifest {
    if (this.#manifest === '' || this.#sum === '')
      throw new BackupDamaged('it was cut off: its end is missing');
    const sum = createHash('sha256').update(this.#manifest).digest('hex');
    if (this.#sum !== `${sum}  ${PARTS.manifest}\n`)
      throw new BackupDamaged(`${PARTS.manifest} in it was changed`);
    const manifest = parseManifest(this.#manifest);
    if (JSON.stringify(manifest.head) !== this.#head)
      throw new BackupDamaged(`${PARTS.head} in it was changed`);
    for (const { schema, name, rows, bytes, sha256 } of manifest.tables)
      this.#compareOne(`${schema}.${name}`, { rows, bytes, sha256 });
    const [unknown] = this.#tables.keys();
    if (unknown !== undefined) throw new BackupDamaged(`table ${unknown} is not in its manifest`);
    const { count, bytes, hash } = this.#files;
    const said = manifest.files;
    if (count !== said.count || bytes !== said.bytes || hash.digest('hex') !== said.sha256)
      throw new BackupDamaged(`its files are not those of its manifest: ${count} of ${said.count}`);
    return manifest;
  }

  #compareOne(name: string, said: { rows: number; bytes: number; sha256: string }): void {
    const { rows, bytes, hash } = this.#tables.get(name) ?? { rows: 0, bytes: 0, hash: createHash('sha256') };
    this.#tables.delete(name);
    if (rows !== said.rows || bytes !== said.bytes || hash.digest('hex') !== said.sha256)
      throw new BackupDamaged(`table ${name} is not as it was written: ${rows} of ${said.rows} rows`);
  }
}
