import { renderLetter } from '../letter/render-letter.ts';
import type { RenderAnswer, RenderRequest } from './render-process.ts';

/** Renders one request after another; an error is an answer, not the end. It ends with the server. */
process.on('message', (message) => {
  const { id, doc } = message as RenderRequest;
  process.send?.(answer(id, doc));
});

process.on('disconnect', () => {
  process.exit(0);
});
// A service manager signals all processes of a service: what the server still answers may need this one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

function answer(id: number, doc: RenderRequest['doc']): RenderAnswer {
  try {
    return { id, bytes: renderLetter(doc) };
  } catch (error) {
    return { id, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
