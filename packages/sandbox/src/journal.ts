/** Append-only file of JSON lines; concurrent writers share one fsync. */
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const lineEnd = 10;

/**
 * Reads all complete lines. A line cut off by a crash was never acknowledged, so it is removed from the file.
 * @throws {SyntaxError} when a complete line is not JSON: then the file is damaged and must not be built upon
 */
export function readJournal(path: string): unknown[] {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  try {
    const bytes = readFileSync(file);
    const end = bytes.lastIndexOf(lineEnd) + 1;
    if (end < bytes.length) ftruncateSync(file, end);
    const lines: unknown[] = [];
    for (let from = 0; from < end; ) {
      const to = bytes.indexOf(lineEnd, from);
      lines.push(JSON.parse(bytes.toString('utf8', from, to)));
      from = to + 1;
    }
    return lines;
  } finally {
    closeSync(file);
  }
}

interface Waiting {
  readonly text: string;
  readonly done: () => void;
  readonly failed: (cause: unknown) => void;
}

export class Journal {
  readonly #path: string;
  #file: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<Journal> {
    return new Journal(path, await open(path, 'a', 0o600));
  }

  /** Resolves once the line is on disk. Lines keep the order of the calls. */
  append(line: string): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ text: `${line}\n`, done, failed });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // One turn of the event loop lets requests that arrived together share this fsync.
    await new Promise((resume) => setImmediate(resume));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file.appendFile(batch.map((entry) => entry.text).join(''));
        await this.#file.datasync();
        for (const entry of batch) entry.done();
      } catch (cause) {
        for (const entry of batch) entry.failed(cause);
      }
    }
    this.#writing = undefined;
  }

  /** Replaces the whole file by these lines; the old file stands until the new one is complete on disk. */
  async replace(lines: Iterable<string>): Promise<void> {
    await this.settle();
    const fresh = await open(`${this.#path}.new`, 'w', 0o600);
    for (const line of lines) await fresh.appendFile(`${line}\n`);
    await fresh.sync();
    await fresh.close();
    renameSync(`${this.#path}.new`, this.#path);
    await this.#file.close();
    this.#file = await open(this.#path, 'a', 0o600);
  }

  /** Resolves when nothing waits to be written. */
  async settle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async close(): Promise<void> {
    await this.settle();
    await this.#file.close();
  }
}
