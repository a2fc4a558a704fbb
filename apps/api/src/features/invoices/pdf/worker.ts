import { renderTable } from '../../../pdf/table/write-table.ts';
import { renderInvoicePdf } from './render.ts';
import type { RenderAnswer, RenderRequest } from './render-process.ts';

/** Renders one request after another; an error is an answer, not the end. It ends with the server. */
process.on('message', (message) => {
  const { id, doc } = message as RenderRequest;
  void answer(id, doc).then((made) => process.send?.(made));
});

process.on('disconnect', () => {
  process.exit(0);
});
// A service manager signals all processes of a service: what the server still answers may need this one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

async function answer(id: number, doc: RenderRequest['doc']): Promise<RenderAnswer> {
  try {
    return { id, bytes: 'rows' in doc ? await renderTable(doc) : renderInvoicePdf(doc) };
  } catch (error) {
    return { id, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
