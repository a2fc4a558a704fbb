import { Readable } from 'node:stream';
import type { Letter } from '../letter/letter.ts';
import { PdfRenderError } from './render-error.ts';
import { type PartSource, type Rendering, RenderProcess } from './render-process.ts';

export interface PdfRendererOptions {
  /** Processes at most; they start when needed. Default 1, which makes some hundred invoices a second. */
  readonly workers?: number;
  /** Documents that may wait for their turn. Default 200. */
  readonly queueLimit?: number;
  /** Longest time for one document once its turn has come. Default 20 s. */
  readonly timeoutMs?: number;
  /** An unused process is ended after this time, and its memory is free again. Default 60 s. */
  readonly idleMs?: number;
  /** The process's program; tests pass another. */
  readonly program?: URL;
}

export interface PdfRenderer {
  /**
   * Renders in a process of its own, so that requests go on meanwhile.
   * @param signal ends the wait: a document that waits is dropped, one that is being rendered is let go
   * @param doc undefined: it comes as the first of the parts
   * @param parts what it waits for, read when its turn has come
   * @throws {PdfRenderError} see its codes; or the signal's reason
   */
  readonly render: (doc: Letter | undefined, signal?: AbortSignal, parts?: PartSource) => Promise<Uint8Array>;
  /**
   * The same, where it is long given on while it is drawn: a short file comes whole, a long one resolves with its first part. One that
   * fails later ends with an error.
   */
  readonly stream: (
    doc: Letter | undefined,
    signal?: AbortSignal,
    parts?: PartSource,
  ) => Promise<Uint8Array | Readable>;
  /** Ends all processes; what is waiting or being rendered is refused. */
  readonly close: () => void;
}

interface Job extends Rendering {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  /** Stops listening to the signal. */
  readonly settle: () => void;
}

/** A renderer that costs nothing until the first invoice is asked for. */
export function createPdfRenderer(options: PdfRendererOptions = {}): PdfRenderer {
  const { workers = 1, queueLimit = 200, timeoutMs = 20_000, idleMs = 60_000 } = options;
  const program = options.program ?? new URL('./worker.ts', import.meta.url);
  const renderers = Array.from({ length: workers }, () => new RenderProcess({ program, timeoutMs, idleMs }));
  const queue: Job[] = [];
  let isClosed = false;

  const work = async (renderer: RenderProcess, job: Job): Promise<void> => {
    try {
      job.resolve(await renderer.render(job));
    } catch (error) {
      job.reject(error);
    } finally {
      job.settle();
      advance();
    }
  };

  const advance = (): void => {
    for (const renderer of renderers) {
      if (renderer.isBusy) continue;
      const job = queue.shift();
      if (!job) return;
      void work(renderer, job);
    }
  };

  const run = ({ doc, parts, onPart }: Rendering, signal: AbortSignal | undefined): Promise<Uint8Array> =>
    new Promise<Uint8Array>((resolve, reject) => {
      if (isClosed) throw new PdfRenderError('closed', 'the PDF renderer is closed');
      signal?.throwIfAborted();
      if (queue.length >= queueLimit) {
        throw new PdfRenderError('busy', `${queueLimit} documents are waiting to be rendered`);
      }
      const abort = (): void => {
        const index = queue.indexOf(job);
        if (index >= 0) queue.splice(index, 1);
        reject(signal?.reason);
      };
      const job: Job = {
        doc,
        onPart,
        parts: endedBy(parts, signal),
        resolve,
        reject,
        settle: () => signal?.removeEventListener('abort', abort),
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.push(job);
      advance();
    });

  return {
    async render(doc, signal, parts) {
      const given: Uint8Array[] = [];
      const rest = await run({ doc, parts, onPart: (part) => given.push(part) }, signal);
      return given.length === 0 ? rest : new Uint8Array(Buffer.concat([...given, rest]));
    },
    stream: (doc, signal, parts) =>
      new Promise((resolve, reject) => {
        let file: Readable | undefined;
        const onPart = (part: Uint8Array): void => {
          if (file === undefined) {
            file = new Readable({ read: () => undefined });
            // Whoever reads it sees that it breaks off; where its reader has left, nobody needs to be told.
            file.on('error', () => undefined);
            resolve(file);
          }
          file.push(part);
        };
        run({ doc, parts, onPart }, signal).then(
          (rest) => {
            file?.push(rest);
            file?.push(null);
            resolve(rest);
          },
          (error: Error) => {
            file?.destroy(error);
            reject(error);
          },
        );
      }),
    close: () => {
      isClosed = true;
      for (const job of queue.splice(0)) {
        job.settle();
        job.reject(new PdfRenderError('closed', 'the PDF renderer is closed'));
      }
      for (const renderer of renderers)
        renderer.stop(new PdfRenderError('closed', 'the PDF renderer is closed'));
    },
  };
}

/** Reads no further once nobody waits for it. */
const endedBy = (source: PartSource | undefined, signal: AbortSignal | undefined): PartSource | undefined =>
  source &&
  ((take) =>
    source((parts) => {
      signal?.throwIfAborted();
      return take(parts);
    }));
