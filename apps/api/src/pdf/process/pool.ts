import type { Letter } from '../letter/letter.ts';
import { PdfRenderError } from './render-error.ts';
import { type RecordSource, RenderProcess } from './render-process.ts';

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
   * @param records of its records block, read when its turn has come
   * @throws {PdfRenderError} see its codes; or the signal's reason
   */
  readonly render: (doc: Letter, signal?: AbortSignal, records?: RecordSource) => Promise<Uint8Array>;
  /** Ends all processes; what is waiting or being rendered is refused. */
  readonly close: () => void;
}

interface Job {
  readonly doc: Letter;
  readonly records: RecordSource | undefined;
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
      job.resolve(await renderer.render(job.doc, job.records));
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

  return {
    render: (doc, signal, records) =>
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
          records: endedBy(records, signal),
          resolve,
          reject,
          settle: () => signal?.removeEventListener('abort', abort),
        };
        signal?.addEventListener('abort', abort, { once: true });
        queue.push(job);
        advance();
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
const endedBy = (
  records: RecordSource | undefined,
  signal: AbortSignal | undefined,
): RecordSource | undefined =>
  records &&
  ((take) =>
    records((parts) => {
      signal?.throwIfAborted();
      return take(parts);
    }));
