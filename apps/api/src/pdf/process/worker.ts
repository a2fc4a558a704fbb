import { type FileStart, startFile } from '../letter/file-start.ts';
import type { LetterPart } from '../letter/letter.ts';
import { LetterDrawing } from '../letter/render-letter.ts';
import type { RenderAnswer, RenderRequest } from './render-process.ts';

/** What is known of a letter whose parts are coming. */
interface Open {
  readonly start?: FileStart | undefined;
  readonly drawing?: LetterDrawing | undefined;
}

/** The letter that is being drawn; `reason`: why there will be none. */
let open: (Open & { readonly id: number; readonly reason?: string }) | undefined;

/** Renders one request after another; an error is an answer, not the end. It ends with the server. */
process.on('message', (message) => {
  const request = message as RenderRequest;
  if ('doc' in request) {
    const { id, doc } = request;
    open = attempt(id, () => (doc === undefined ? {} : { drawing: new LetterDrawing(doc, giver(id)) }));
    if (!request.isMore) end();
  } else if (open?.id !== request.id) return;
  else if ('parts' in request) {
    const { id } = request;
    const before = open;
    open = attempt(
      id,
      () => request.parts.reduce<Open>((now, part) => withPart(id, now, part), before),
      open.reason,
    );
  } else if (request.end === 'done') end();
  else open = undefined;
});

process.on('disconnect', () => {
  process.exit(0);
});
// The server died while an answer was on its way to it.
process.on('error', () => {
  process.exit(0);
});
// A service manager signals all processes of a service: what the server still answers may need this one.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

const giver = (id: number) => (part: Uint8Array) => {
  process.send?.({ id, part } satisfies RenderAnswer);
};

function withPart(id: number, { start, drawing }: Open, part: LetterPart): Open {
  if (part.kind === 'start') {
    const started = startFile();
    giver(id)(started.file.takeAll());
    return { start: started };
  }
  if (part.kind === 'letter') return { drawing: new LetterDrawing(part.letter, giver(id), start) };
  if (drawing === undefined) throw new Error('there is no letter yet');
  drawing.add(part);
  return { drawing };
}

function attempt(id: number, draw: () => Open, reason?: string): NonNullable<typeof open> {
  if (reason !== undefined) return { id, reason };
  try {
    const { start, drawing } = draw();
    return { id, start, drawing };
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
