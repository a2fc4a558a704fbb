import type { Socket } from 'node:net';
import pg from 'pg';
import type { RowBlock } from '../../http/answers/export-body.ts';
import { CopyFrames, type RowFrame } from './export-copy-frames.ts';

/** A reader ahead of its writer stops at this, bytes: about a chunk of rows. */
export const MOST_AHEAD = 4 * 1024 * 1024;
/** Less is not handed on before the end: each hand-over costs a system call. */
const WORTH_HANDING_ON = 64 * 1024;

type OnData = (piece: Buffer) => void;

/**
 * One `COPY (…) TO STDOUT`: `client.query(new CopyOut(…))`, then `next` until it gives undefined. Takes the bytes from
 * the connection itself, because the driver would make an object of each row and knows no back-pressure.
 */
export class CopyOut {
  readonly #text: string;
  readonly #frames: CopyFrames;
  #waiting: Buffer[] = [];
  /** What lies under the waiting rows, and is nobody else's. */
  #memory: Buffer[] = [];
  #bytes = 0;
  #isFirst = true;
  #isDiscarding = false;
  #ended: { readonly error: Error | undefined } | undefined;
  #wake: () => void = () => undefined;
  #socket: Socket | undefined;
  #driver: OnData | undefined;
  readonly #end = Promise.withResolvers<void>();
  /** Set by the driver where a statement has a time limit; stops its clock. */
  callback: (() => void) | undefined;

  /** @param text the statement, values and all: COPY takes no parameters */
  constructor(text: string, frame: RowFrame) {
    this.#text = text;
    this.#frames = new CopyFrames(frame);
  }

  get rowCount(): number {
    return this.#frames.rowCount;
  }

  /** Resolves when the connection is free for the next statement, or dead. Never rejects. */
  get end(): Promise<void> {
    return this.#end.promise;
  }

  /** The next rows; undefined after the last. One caller. @throws {Error} what the statement failed of */
  async next(): Promise<RowBlock | undefined> {
    const enough = this.#isFirst ? 1 : WORTH_HANDING_ON;
    while (this.#bytes < enough && this.#ended === undefined)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#ended?.error !== undefined) throw this.#ended.error;
    if (this.#bytes === 0) return undefined;
    this.#isFirst = false;
    const [pieces, memory] = [this.#waiting, this.#memory];
    this.#clear();
    return { pieces, free: () => memory.forEach(freeMemory) };
  }

  #clear(): void {
    this.#waiting = [];
    this.#memory = [];
    this.#bytes = 0;
    this.#socket?.resume();
  }

  /** From now on rows are thrown away as they come, so that a cancelled statement reaches its end. */
  discard(): void {
    this.#isDiscarding = true;
    this.#clear();
  }

  /** Called by the driver when it is this statement's turn. */
  submit(connection: pg.Connection): void {
    const socket = connection.stream as Socket;
    const [driver, ...others] = socket.listeners('data') as OnData[];
    if (driver === undefined || others.length > 0)
      throw new Error('the driver reads its connection in another way');
    socket.removeListener('data', driver);
    this.#socket = socket;
    this.#driver = driver;
    socket.on('data', this.#onData);
    connection.query(this.#text);
  }

  readonly #onData = (piece: Buffer): void => {
    const { rows, rest } = this.#frames.read(piece);
    if (!this.#isDiscarding) {
      for (const part of rows) {
        this.#waiting.push(part);
        this.#bytes += part.length;
      }
      // What the driver reads, it may keep.
      if (rest === undefined) this.#memory.push(piece);
      if (this.#bytes >= MOST_AHEAD) this.#socket?.pause();
      if (this.#bytes >= WORTH_HANDING_ON || this.#isFirst) this.#wake();
    }
    if (rest !== undefined) this.#release()?.(rest);
  };

  /** The connection is the driver's again. */
  #release(): OnData | undefined {
    const [socket, driver] = [this.#socket, this.#driver];
    this.#socket = undefined;
    this.#driver = undefined;
    if (socket === undefined || driver === undefined) return undefined;
    socket.removeListener('data', this.#onData);
    socket.on('data', driver);
    socket.resume();
    return driver;
  }

  #finish(error: Error | undefined): void {
    this.#ended ??= { error };
    this.callback?.();
    this.#wake();
  }

  /** The rest is called by the driver, with what the server says at the end. */
  handleError(error: Error): void {
    // What the server refuses is a message like others. Without one the connection stands in the middle of a row.
    if (error instanceof pg.DatabaseError) this.#release();
    else this.#socket?.destroy();
    this.#finish(error);
    this.#end.resolve();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#finish(undefined);
    this.#end.resolve();
  }
}

/** Memory that came with one reading of the socket and holds nothing else. */
function freeMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
