import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../app-error.ts';
import type { Letter } from '../pdf/letter/letter.ts';
import type { PdfRenderer } from '../pdf/process/pool.ts';
import { PdfRenderError } from '../pdf/process/render-error.ts';
import type { PartSource } from '../pdf/process/render-process.ts';

export type { PdfRenderer } from '../pdf/process/pool.ts';
export type { PartSource } from '../pdf/process/render-process.ts';

/**
 * A document as a file, made in the rendering process; given up when the caller is gone.
 * @param parts what it waits for, read when its turn has come
 * @throws {AppError} server.unavailable when the renderer is busy, late or closing
 */
export async function renderPdf(
  pdf: PdfRenderer,
  letter: Letter | undefined,
  caller: IncomingMessage,
  parts?: PartSource,
): Promise<Buffer> {
  return bufferOf(await pdf.render(letter, leaving(caller), parts).catch(refusal));
}

/** The same for documents that may be long: the first pages of these are sent while the others are drawn. */
export async function streamPdf(
  pdf: PdfRenderer,
  letter: Letter | undefined,
  caller: IncomingMessage,
  parts?: PartSource,
): Promise<Buffer | Readable> {
  const file = await pdf.stream(letter, leaving(caller), parts).catch(refusal);
  return file instanceof Uint8Array ? bufferOf(file) : file;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function leaving(caller: IncomingMessage): AbortSignal {
  const gone = new AbortController();
  caller.once('close', () => gone.abort());
  return gone.signal;
}

/** A renderer that is busy, late or closing is a matter of time; anything else is a fault of ours. */
function refusal(error: unknown): never {
  if (error instanceof PdfRenderError && error.code !== 'failed') {
    throw new AppError('server.unavailable', { cause: error, headers: { 'retry-after': '5' } });
  }
  throw error;
}
