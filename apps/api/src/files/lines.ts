const NEWLINE = 0x0a;

/** A line of a file, by its number from 1. */
export interface FileLine {
  readonly number: number;
  /** Undefined: longer than a line may be, or no UTF-8. */
  readonly text: string | undefined;
}

/**
 * Reads a file line by line; of one that is too long nothing is kept. Lines without anything in them are left out.
 * @param mostBytes of a line
 */
export async function* linesOf(
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let pieces: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array) => {
    size += piece.length;
    if (size > mostBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const take = (): FileLine | undefined => {
    number += 1;
    const text = size > mostBytes ? undefined : decoded(decoder, pieces);
    pieces = [];
    size = 0;
    return text === undefined || text.trim() !== '' ? { number, text } : undefined;
  };
  for await (const piece of content) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      add(piece.subarray(from, at));
      const line = take();
      if (line !== undefined) yield line;
      from = at + 1;
    }
    // A copy: the reader may write the next piece over this one.
    add(Uint8Array.from(piece.subarray(from)));
  }
  const last = size > 0 ? take() : undefined;
  if (last !== undefined) yield last;
}

function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  pieces: readonly Uint8Array[],
): string | undefined {
  try {
    return decoder.decode(Buffer.concat(pieces));
  } catch {
    return undefined;
  }
}
