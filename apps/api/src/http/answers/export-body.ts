import { Readable, type Writable } from 'node:stream';

/** Some bytes of an answer, mostly whole rows. */
export interface RowBlock {
  readonly pieces: readonly Buffer[];
  /** Gives their memory back; the pieces are empty then. */
  free(): void;
}

/** The reader went away, or takes nothing any more. */
export class ExportAbandoned extends Error {
  override readonly name = 'ExportAbandoned';
}

/** A reader that takes nothing for so long is given up: it holds a snapshot and connections that others wait for. */
const MOST_IDLE_MS = 60_000;

/**
 * The body of an answer that is written block by block, no faster than it is read. It writes to the answer itself
 * instead of being read from: so it knows when a block has left the process, and gives its memory back at once. As
 * garbage, a hundred megabytes of blocks would make the process grow by sixty before they are collected.
 */
export class ExportBody extends Readable {
  readonly #head: string;
  readonly #mostIdleMs: number;
  readonly #answer = Promise.withResolvers<Writable>();
  readonly #gone = Promise.withResolvers<never>();

  /** @param head what stands before the first block */
  constructor(head: string, mostIdleMs = MOST_IDLE_MS) {
    super();
    this.#head = head;
    this.#mostIdleMs = mostIdleMs;
    // Whoever holds the body may not listen yet; they are told when they do.
    this.on('error', () => undefined);
    this.#gone.promise.catch(() => undefined);
  }

  /** Called where an answer is sent: the rest is up to `write`. */
  override pipe<T extends NodeJS.WritableStream>(answer: T): T {
    answer.write(this.#head);
    this.#answer.resolve(answer as unknown as Writable);
    return answer;
  }

  /** Resolves when these bytes have left the process; then their memory is used no more. @throws {ExportAbandoned} */
  async write(block: RowBlock): Promise<void> {
    const idle = setTimeout(
      () => this.#gone.reject(new ExportAbandoned('the reader has stopped reading')),
      this.#mostIdleMs,
    );
    try {
      const answer = await Promise.race([this.#answer.promise, this.#gone.promise]);
      await Promise.race([writeTo(answer, block.pieces), this.#gone.promise]);
      block.free();
    } finally {
      clearTimeout(idle);
    }
  }

  /** Nothing comes after this. @throws {ExportAbandoned} */
  async finish(tail: string): Promise<void> {
    const answer = await Promise.race([this.#answer.promise, this.#gone.promise]);
    answer.end(tail);
    this.push(null);
    this.resume();
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#gone.reject(new ExportAbandoned('the reader has gone'));
    done(error);
  }
}

/** In one system call, as far as the network takes them. */
function writeTo(answer: Writable, pieces: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const last = pieces.length - 1;
    const isWritten = (error?: Error | null) =>
      error == null ? resolve() : reject(new ExportAbandoned('the reader has gone', { cause: error }));
    answer.cork();
    pieces.forEach((piece, index) => {
      if (index === last) answer.write(piece, isWritten);
      else answer.write(piece);
    });
    answer.uncork();
  });
}
