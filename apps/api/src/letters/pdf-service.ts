import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';
import type { Letter } from '../pdf/letter/letter.ts';
import type { PdfRenderer } from '../pdf/process/pool.ts';
import { PdfRenderError } from '../pdf/process/render-error.ts';
import type { RecordSource } from '../pdf/process/render-process.ts';

export type { PdfRenderer } from '../pdf/process/pool.ts';
export type { RecordSource } from '../pdf/process/render-process.ts';

/**
 * A document as a file, made in the rendering process; given up when the caller is gone.
 * @param records of its records block, read when its turn has come
 * @throws {AppError} server.unavailable when the renderer is busy, late or closing
 */
export async function renderPdf(
  pdf: PdfRenderer,
  letter: Letter,
  caller: IncomingMessage,
  records?: RecordSource,
): Promise<Buffer> {
  const gone = new AbortController();
  caller.once('close', () => gone.abort());
  const bytes = await pdf.render(letter, gone.signal, records).catch(refusal);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A renderer that is busy, late or closing is a matter of time; anything else is a fault of ours. */
function refusal(error: unknown): never {
  if (error instanceof PdfRenderError && error.code !== 'failed') {
    throw new AppError('server.unavailable', { cause: error, headers: { 'retry-after': '5' } });
  }
  throw error;
}
