import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { FastifyReply } from 'fastify';
import { ExportBody } from '../../http/answers/export-body.ts';
import { Slots } from '../../limits/slots.ts';
import type { ExportHead } from './index-page.ts';
import { type ExportDeps, exportFileName, writeExport } from './service.ts';

/** Places for exports: each takes a connection of the pool for as long as its reader reads. */
export const exportSlots = (): Slots =>
  new Slots({ atOnce: 2, each: 1, tooManyOfOne: 'privacy.exporting', tooManyOfAll: 'server.exporting' });

/**
 * Answers with an export while it is made, no faster than it is read. What goes wrong before the first piece is there is
 * answered as a refusal; what goes wrong later breaks the connection off.
 * @param release gives the place back
 */
export async function sendExport(
  deps: ExportDeps,
  reply: FastifyReply,
  head: ExportHead,
  release: () => void,
): Promise<FastifyReply> {
  const body = new ExportBody('');
  reply.raw.once('close', () => body.destroy());
  const opened = Promise.withResolvers<void>();
  writeExport(deps, head, async (piece) => {
    opened.resolve();
    await body.write({ pieces: [Buffer.from(piece)], free: () => undefined });
  })
    .finally(release)
    .then(() => body.finish(''))
    .catch((error: Error) => {
      opened.reject(error);
      body.destroy(error);
    });
  await opened.promise;
  return reply
    .type('application/zip')
    .header('content-disposition', contentDisposition(exportFileName(head), 'attachment'))
    .header('cache-control', 'no-store')
    .send(body);
}
