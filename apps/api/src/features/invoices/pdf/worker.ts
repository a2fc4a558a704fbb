import { renderInvoicePdf } from './render.ts';
import type { RenderAnswer, RenderRequest } from './render-process.ts';

/** Renders one request after another; an error is an answer, not the end. It ends with the server. */
process.on('message', (message) => {
  const { id, doc } = message as RenderRequest;
  process.send?.(answer(id, doc));
});

process.on('disconnect', () => {
  process.exit(0);
});

function answer(id: number, doc: RenderRequest['doc']): RenderAnswer {
  try {
    return { id, bytes: renderInvoicePdf(doc) };
  } catch (error) {
    return { id, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
