import type { ImportedFiles } from '../import-request.ts';
import type { FileOutcome } from '../report/report.ts';
import { type DocumentFile, takeFiles } from './take-files.ts';

/** Most of one set: files, what they hold in bytes, lines of invoices. One that is larger is a set by itself. */
const MOST = { files: 100, bytes: 4 * 1024 ** 2, lines: 5_000 } as const;

interface Waiting {
  /** Which one of the import's files it is. */
  readonly at: number;
  readonly file: DocumentFile;
}

/**
 * Takes invoices in by sets, each in one transaction, while the next one is read. Where a set fails, its files are taken one by
 * one, so that those before the one that is at fault are in.
 */
export class FileSets {
  readonly #run: ImportedFiles;
  readonly #onDone: (at: number, outcome: FileOutcome) => void;
  #waiting: Waiting[] = [];
  #size = { files: 0, bytes: 0, lines: 0 };
  #taking: Promise<void> = Promise.resolve();

  constructor(run: ImportedFiles, onDone: (at: number, outcome: FileOutcome) => void) {
    this.#run = run;
    this.#onDone = onDone;
  }

  /** Adds a file; what came before it is in first. Rejects where taking an earlier one has failed. */
  async add(at: number, file: DocumentFile): Promise<void> {
    const size = sizeOf(file);
    const sum = {
      files: this.#size.files + 1,
      bytes: this.#size.bytes + size.bytes,
      lines: this.#size.lines + size.lines,
    };
    const { setFiles: mostFiles = MOST.files } = this.#run.request;
    const isFull = sum.files > mostFiles || sum.bytes > MOST.bytes || sum.lines > MOST.lines;
    if (isFull) await this.#send();
    this.#size = isFull ? { ...size, files: 1 } : sum;
    this.#waiting.push({ at, file });
  }

  /** Resolves when all that was added is in. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#taking;
  }

  /** Resolves when nothing is being taken in any more, whatever came of it. */
  async rest(): Promise<void> {
    await this.#taking.catch(() => undefined);
  }

  /** Has the set taken in that waits, after the one before it. */
  async #send(): Promise<void> {
    await this.#taking;
    const set = this.#waiting;
    this.#waiting = [];
    this.#size = { files: 0, bytes: 0, lines: 0 };
    if (set.length === 0) return;
    this.#taking = this.#take(set);
    // Who adds or flushes next is told.
    this.#taking.catch(() => undefined);
  }

  async #take(set: readonly Waiting[]): Promise<void> {
    try {
      await this.#takeAtOnce(set);
    } catch (error) {
      if (set.length === 1) throw error;
      for (const one of set) await this.#takeAtOnce([one]);
    }
  }

  async #takeAtOnce(set: readonly Waiting[]): Promise<void> {
    const files = set.map(({ file }) => file);
    const outcomes = await takeFiles(this.#run, files);
    for (const [index, outcome] of outcomes.entries()) this.#onDone(set[index]?.at ?? -1, outcome);
  }
}

const sizeOf = ({ read }: DocumentFile): { readonly bytes: number; readonly lines: number } =>
  read.ok ? { bytes: read.content.length, lines: read.invoice.lines.length } : { bytes: 0, lines: 0 };
