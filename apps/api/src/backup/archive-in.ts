import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createTarDecoder } from 'modern-tar';
import { FIRST_BYTES, isLocked, KeyRefused, type Opener, openStream } from './locked.ts';
import { BackupDamaged } from './manifest.ts';

/** A part of a backup. Its content is to be read before the next one is asked for. */
export interface ArchivePart {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * The parts of a backup in their order.
 * @throws {KeyRefused} where it is encrypted and this does not open it
 * @throws {BackupDamaged} where it is no backup, was cut off or changed; what cannot be opened at the system's own error
 */
export async function* archiveParts(path: string, opener: Opener): AsyncGenerator<ArchivePart> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    const isEncrypted = isLocked(buffer.subarray(0, bytesRead));
    // Not closed with the stream, which a part that is not read to its end would leave open.
    const raw = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
    const bytes = Readable.toWeb(raw) as unknown as ReadableStream<Uint8Array>;
    const plain = isEncrypted ? await openStream(bytes, opener) : bytes;
    yield* partsOf(plain);
  } finally {
    await file.close();
  }
}

async function* partsOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<ArchivePart> {
  for await (const { header, body } of inWords(bytes.pipeThrough(createTarDecoder({ strict: true }))))
    yield { name: header.name, size: header.size, content: inWords(body) };
}

async function* inWords<T>(content: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* content;
  } catch (error) {
    throw toldOf(error);
  }
}

/** What the libraries say of an archive that was cut or changed. */
function toldOf(error: unknown): unknown {
  if (error instanceof KeyRefused || error instanceof BackupDamaged || !(error instanceof Error))
    return error;
  // The disk's own errors are told as they are.
  if ('syscall' in error) return error;
  return new BackupDamaged(`it was cut off or changed (${error.message.replace(/\.$/, '')})`, {
    cause: error,
  });
}

/** The content of a small part, as text. */
export async function textOfPart({ name, size, content }: ArchivePart): Promise<string> {
  if (size > MOST_TEXT) throw new BackupDamaged(`${name} in it is too large`);
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const MOST_TEXT = 256 * 1024 * 1024;
