import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type BulkOutcome, resultOf } from './bulk.ts';

/** Lines that are sent as they come, no faster than they are read. */
export class LineAnswer {
  readonly lines = new PassThrough();
  readonly #begun = Promise.withResolvers<void>();
  readonly #gone = new AbortController();

  constructor() {
    this.lines.once('close', () => this.#gone.abort());
    // Whoever sends them listens as well; until then an end with an error is nobody's fault.
    this.lines.on('error', () => undefined);
  }

  /** Settles with the first line, with the end of the work, or with what it threw before. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Ends with the work; where that throws after the first line, it breaks off, so that it shows. */
  follow(work: Promise<void>): void {
    work.then(
      () => {
        this.#begun.resolve();
        this.lines.end();
      },
      (error: unknown) => {
        this.#begun.reject(error);
        this.lines.destroy(error instanceof Error ? error : undefined);
      },
    );
  }

  /** @throws {Error} when nobody reads them any more */
  async write(results: readonly BulkOutcome[]): Promise<void> {
    this.#gone.signal.throwIfAborted();
    const isRoom = this.lines.write(
      results.map((result) => `${JSON.stringify(resultOf(result))}\n`).join(''),
    );
    this.#begun.resolve();
    if (!isRoom) await once(this.lines, 'drain', { signal: this.#gone.signal });
  }
}
