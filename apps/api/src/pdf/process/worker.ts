import { LetterDrawing } from '../letter/render-letter.ts';
import type { RenderAnswer, RenderRequest } from './render-process.ts';

/** The letter whose records are coming; `reason`: why there will be none. */
let open:
  | { readonly id: number; readonly drawing?: LetterDrawing | undefined; readonly reason?: string }
  | undefined;

/** Renders one request after another; an error is an answer, not the end. It ends with the server. */
process.on('message', (message) => {
  const request = message as RenderRequest;
  if ('doc' in request) {
    const { id } = request;
    const give = (part: Uint8Array) => {
      process.send?.({ id, part } satisfies RenderAnswer);
    };
    open = attempt(id, () => new LetterDrawing(request.doc, give));
    if (!request.isMore) end();
  } else if (open?.id !== request.id) return;
  else if ('parts' in request) {
    const { id, drawing } = open;
    open = attempt(
      id,
      () => {
        for (const part of request.parts) drawing?.add(part);
        return drawing;
      },
      open.reason,
    );
  } else if (request.end === 'done') end();
  else open = undefined;
});

process.on('disconnect', () => {
  process.exit(0);
});
// A service manager signals all processes of a service: what the server still answers may need this one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

function attempt(
  id: number,
  draw: () => LetterDrawing | undefined,
  reason?: string,
): NonNullable<typeof open> {
  if (reason !== undefined) return { id, reason };
  try {
    return { id, drawing: draw() };
  } catch (error) {
    return { id, reason: reasonOf(error) };
  }
}

/** Answers with the file, or why there is none. */
function end(): void {
  if (open === undefined) return;
  const { id, drawing, reason } = open;
  open = undefined;
  process.send?.(answer(id, drawing, reason));
}

function answer(id: number, drawing: LetterDrawing | undefined, reason: string | undefined): RenderAnswer {
  if (drawing === undefined) return { id, reason: reason ?? 'nothing was drawn' };
  try {
    return { id, bytes: drawing.end() };
  } catch (error) {
    return { id, reason: reasonOf(error) };
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
