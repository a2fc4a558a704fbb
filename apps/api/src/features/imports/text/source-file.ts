import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ReadDocument, readDocument } from '../documents/read-document.ts';
import { maxDocumentBytes } from '../invoices/document-bound.ts';

const readSize = 256 * 1024;

/** A file that can be read. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly size: number;
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'not allowed to read it',
  EISDIR: 'a directory; name the files in it',
};

/** Opens a regular file. @returns it, or the reason it cannot be read */
export async function openFile(file: string): Promise<OpenedFile | string> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return faults[code] ?? `cannot be opened (${code === '' ? 'unknown fault' : code})`;
  }
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, size: stats.size };
  await handle.close();
  return stats.isDirectory() ? (faults['EISDIR'] ?? '') : 'not a regular file';
}

/** A document, the bytes it was read from and their sha256. */
export type ReadInvoice = { readonly digest: Buffer; readonly content: Uint8Array } & ReadDocument;

/** A file's bytes and their sha256. @param head bytes of its beginning that were read already */
export async function readWhole(
  { handle, size }: OpenedFile,
  head: Uint8Array = new Uint8Array(),
): Promise<{ readonly content: Uint8Array; readonly digest: Buffer }> {
  const bytes = new Uint8Array(size);
  bytes.set(head);
  let { length } = head;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const content = bytes.subarray(0, length);
  return { content, digest: createHash('sha256').update(content).digest() };
}

/** Reads a document whole. Never throws on its content. @param head bytes of its beginning that were read already */
export async function readInvoice(opened: OpenedFile, head?: Uint8Array): Promise<ReadInvoice> {
  if (opened.size > maxDocumentBytes) {
    const reason = `larger than ${maxDocumentBytes / 1024 / 1024} MiB`;
    return { ok: false, line: 1, reason, digest: Buffer.alloc(32), content: new Uint8Array() };
  }
  const whole = await readWhole(opened, head);
  return { ...(await readDocument(whole.content)), ...whole };
}

/** The file in pieces, each shown to `see` on its way. */
export async function* readBytes(file: string, see: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const bytes of createReadStream(file, { highWaterMark: readSize })) {
    see(bytes);
    yield bytes;
  }
}

/** sha256 of a file's bytes. */
export async function digestOf(file: string): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const bytes of createReadStream(file, { highWaterMark: readSize })) digest.update(bytes);
  return digest.digest();
}
