/** A line of a text, by its number from 1. */
export interface Line {
  readonly number: number;
  /** Without blanks around it; undefined: longer than a line may be. */
  readonly text: string | undefined;
  /** The text ends in it, without a line break. */
  readonly isEnd: boolean;
}

/**
 * Reads a text line by line; of one that is too long nothing is kept. Lines without anything in them are left out.
 * @param source pieces of any size
 * @param mostLength of a line, in characters
 * @returns lines in batches, one batch for each piece
 */
export async function* linesOf(
  source: AsyncIterable<string>,
  mostLength: number,
): AsyncGenerator<readonly Line[]> {
  let [rest, number, isSkipping] = ['', 1, false];
  const add = (lines: Line[], piece: string, isEnd: boolean) => {
    const text = piece.trim();
    if (!isSkipping && text !== '')
      lines.push({ number, text: text.length > mostLength ? undefined : text, isEnd });
  };
  for await (const piece of source) {
    const all = rest + piece;
    const lines: Line[] = [];
    let at = 0;
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', at)) {
      add(lines, all.slice(at, end), false);
      isSkipping = false;
      number += 1;
      at = end + 1;
    }
    rest = isSkipping ? '' : all.slice(at);
    if (rest.length > mostLength) {
      lines.push({ number, text: undefined, isEnd: false });
      [rest, isSkipping] = ['', true];
    }
    if (lines.length > 0) yield lines;
  }
  const last: Line[] = [];
  add(last, rest, true);
  if (last.length > 0) yield last;
}

/** What stands for bytes that are no UTF-8 in {@link textOf}. */
export const NO_TEXT = '\uFFFD';

/** Bytes as text, in UTF-8. */
export async function* textOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of content) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
