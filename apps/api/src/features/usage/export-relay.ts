import type pg from 'pg';
import type { RowBlock } from '../../http/answers/export-body.ts';
import { cancelStatement } from './export-cancel.ts';
import { CopyOut } from './export-copy.ts';
import type { RowFrame } from './export-copy-frames.ts';

/** So many chunks are read or held at a time, the one that is being written among them. */
const AT_ONCE = 3;

/**
 * Lets connections that see the same snapshot read the chunks of a file in turn, each as far ahead of the writer as
 * its buffer reaches, and gives the chunks out in their order.
 */
export class Relay {
  readonly #statements: readonly string[];
  readonly #frame: RowFrame;
  readonly #copies: CopyOut[] = [];
  readonly #active = new Map<pg.PoolClient, CopyOut>();
  #next = 0;
  #writing = 0;
  #stopped: Error | undefined;
  #waiting: (() => void)[] = [];
  /** Rows of the chunks that have been given out. */
  rowCount = 0;

  constructor(statements: readonly string[], frame: RowFrame) {
    this.#statements = statements;
    this.#frame = frame;
  }

  /** Whether one connection is enough. */
  get isSmall(): boolean {
    return this.#statements.length < 2;
  }

  /**
   * Reads one chunk after the other on a connection, until there is none left, or the file is given up.
   * @param mayGoOn asked before each chunk
   */
  async read(client: pg.PoolClient, mayGoOn = () => true): Promise<void> {
    while (this.#next < this.#statements.length && this.#stopped === undefined && mayGoOn()) {
      const index = this.#next;
      this.#next += 1;
      while (index >= this.#writing + AT_ONCE && this.#stopped === undefined) await this.#change();
      if (this.#stopped !== undefined) return;
      const copy = new CopyOut(this.#statements[index] ?? '', this.#frame);
      this.#active.set(client, copy);
      client.query(copy);
      this.#copies[index] = copy;
      this.#tell();
      await copy.end;
      this.#active.delete(client);
    }
  }

  /** The rows of all chunks, in order. @throws {Error} what a statement failed of, or why the file is given up */
  async *blocks(): AsyncGenerator<RowBlock, void, undefined> {
    while (this.#writing < this.#statements.length) {
      const copy = this.#copies[this.#writing];
      if (this.#stopped !== undefined) throw this.#stopped;
      if (copy === undefined) {
        await this.#change();
        continue;
      }
      for (let rows = await this.#rowsOf(copy); rows !== undefined; rows = await this.#rowsOf(copy))
        yield rows;
      this.rowCount += copy.rowCount;
      delete this.#copies[this.#writing];
      this.#writing += 1;
      this.#tell();
    }
  }

  async #rowsOf(copy: CopyOut): Promise<RowBlock | undefined> {
    try {
      const rows = await copy.next();
      if (this.#stopped !== undefined) throw this.#stopped;
      return rows;
    } catch (error) {
      // That a statement was cancelled is not the reason.
      throw this.#stopped ?? error;
    }
  }

  /** Gives the file up: `blocks` throws this, and the statements under way are ended. */
  stop(error: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = error;
    for (const [client, copy] of this.#active) {
      copy.discard();
      void cancelStatement(client, copy.end);
    }
    this.#tell();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
