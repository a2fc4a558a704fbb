/** What stands around each row of a COPY on its way out. */
export interface RowFrame {
  /** One byte, or nothing, before each row. */
  readonly before?: number;
  /** Rows end with CRLF (RFC 4180) instead of the LF that PostgreSQL sends. */
  readonly crlf: boolean;
}

/** What a piece of the connection's bytes came to. */
export interface FramesRead {
  /** Rows, or parts of them; they lie where the piece lay. */
  readonly rows: readonly Buffer[];
  /** From the first message that is not COPY's own on: the driver's to read. */
  readonly rest: Buffer | undefined;
}

const HEADER = 5;
const CR = 13;
const LF = 10;
const END_OF_ROW = Buffer.from([CR, LF]);
const code = (letter: string): number => letter.charCodeAt(0);
const COPY_DATA = code('d');
/** What may come in between and concerns nobody: the answer to COPY itself, its end, notices, changed settings. */
const PASSED_OVER: ReadonlySet<number> = new Set([...'HcNSA'].map(code));

/**
 * Takes rows out of PostgreSQL's COPY messages (protocol 3.0: letter, length, content; one message a row). A million
 * rows a second pass here, so nothing is made for a row: it is moved to the left inside the piece it came in.
 */
export class CopyFrames {
  readonly #before: number | undefined;
  readonly #crlf: boolean;
  readonly #header = Buffer.alloc(HEADER);
  #headerLength = 0;
  /** Of the message that is being read: what is still to come. */
  #left = 0;
  #isRow = false;
  /** How many rows have ended. */
  rowCount = 0;

  constructor({ before, crlf }: RowFrame) {
    this.#before = before;
    this.#crlf = crlf;
  }

  /** @param piece bytes as they come, cut anywhere; changed in place */
  read(piece: Buffer): FramesRead {
    const rows: Buffer[] = [];
    const { length } = piece;
    /** What has been kept lies before `to`, what has not been looked at begins at `at`. */
    let to = 0;
    let start = 0;
    let at = 0;
    while (at < length) {
      if (this.#left === 0) {
        const before = at;
        at = this.#takeHeader(piece, at);
        if (this.#headerLength < HEADER) break;
        const kind = this.#header[0] ?? 0;
        if (kind !== COPY_DATA && !PASSED_OVER.has(kind)) {
          if (to > start) rows.push(piece.subarray(start, to));
          return { rows, rest: this.#release(piece, before, at) };
        }
        this.#headerLength = 0;
        this.#left = this.#header.readUInt32BE(1) - 4;
        this.#isRow = kind === COPY_DATA;
        // The header that has just been read left room for it.
        if (this.#isRow && this.#before !== undefined) piece[to++] = this.#before;
        if (this.#left === 0) continue;
      }
      const taken = Math.min(this.#left, length - at);
      this.#left -= taken;
      const end = at + taken;
      if (this.#isRow) {
        if (to !== at) piece.copyWithin(to, at, end);
        to += taken;
        if (this.#left === 0) {
          this.rowCount += 1;
          if (this.#crlf) {
            // LF becomes CRLF. Without any room (a row that began in an earlier piece) it goes by itself.
            if (to < end) {
              piece[to - 1] = CR;
              piece[to++] = LF;
            } else {
              rows.push(piece.subarray(start, to - 1), END_OF_ROW);
              start = to;
            }
          }
        }
      }
      at = end;
    }
    if (to > start) rows.push(piece.subarray(start, to));
    return { rows, rest: undefined };
  }

  /** @returns where the header, or what there is of it, ends */
  #takeHeader(piece: Buffer, at: number): number {
    const taken = Math.min(HEADER - this.#headerLength, piece.length - at);
    // A loop: shorter than a call of `copy` for five bytes.
    for (let index = 0; index < taken; index += 1)
      this.#header[this.#headerLength + index] = piece[at + index] ?? 0;
    this.#headerLength += taken;
    return at + taken;
  }

  /** A header that is the driver's, also where it began in an earlier piece. */
  #release(piece: Buffer, from: number, at: number): Buffer {
    this.#headerLength = 0;
    return at - from === HEADER ? piece.subarray(from) : Buffer.concat([this.#header, piece.subarray(at)]);
  }
}
