import { type ChildProcess, fork } from 'node:child_process';
import type { Letter, LetterPart } from '../letter/letter.ts';
import { PdfRenderError } from './render-error.ts';

/** Gives what a letter waits for, or the letter itself and then that, as fast as `take` takes it. */
export type PartSource = (take: (parts: readonly LetterPart[]) => Promise<void>) => Promise<void>;

/** What the rendering process is asked for: a letter, where `isMore` what it waits for, and the end of that. */
export type RenderRequest = { readonly id: number } & (
  | { readonly doc: Letter | undefined; readonly isMore: boolean }
  | { readonly parts: readonly LetterPart[] }
  | { readonly end: 'done' | 'given up' }
);

/** What it answers: parts of the file and its rest, or why there is none. */
export type RenderAnswer = { readonly id: number } & (
  | { readonly part: Uint8Array }
  | { readonly bytes: Uint8Array }
  | { readonly reason: string }
);

export interface RenderProcessOptions {
  readonly program: URL;
  readonly timeoutMs: number;
  readonly idleMs: number;
}

/** What is to be rendered, and who takes it. */
export interface Rendering {
  /** Undefined: it comes among the parts. */
  readonly doc: Letter | undefined;
  /** Read when its turn has come. */
  readonly parts?: PartSource | undefined;
  /** Takes parts of a long file while the rest is drawn. */
  readonly onPart: (part: Uint8Array) => void;
}

interface Task extends Pick<Rendering, 'onPart'> {
  readonly id: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** Enough for 500 lines in any script, small enough that a mistake cannot take the machine's memory. */
const memoryLimits = ['--max-old-space-size=192', '--max-semi-space-size=8'];

/**
 * A process of its own that renders one document at a time: started by its first task, replaced after a crash or
 * time-out, ended when idle. A thread would do the same work, but the memory it took never goes back to the
 * system, and the server would keep some 100 MB more for ever after its first PDF (ADR 0007).
 */
export class RenderProcess {
  private readonly options: RenderProcessOptions;
  private child: ChildProcess | undefined;
  private task: Task | undefined;
  private idle: NodeJS.Timeout | undefined;
  private nextId = 1;

  constructor(options: RenderProcessOptions) {
    this.options = options;
  }

  get isBusy(): boolean {
    return this.task !== undefined;
  }

  /** Renders one document; the process must not be busy. @returns the file after the parts that were given */
  render({ doc, parts, onPart }: Rendering): Promise<Uint8Array> {
    clearTimeout(this.idle);
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.stop(new PdfRenderError('timeout', `rendering took longer than ${this.options.timeoutMs} ms`));
      }, this.options.timeoutMs);
      this.task = { id, resolve, reject, timer, onPart };
      this.child ??= this.start();
      setKeepsAlive(this.child, true);
      const isMore = parts !== undefined;
      const sent = this.send({ id, doc, isMore });
      if (isMore) sent.then(() => this.sendParts(id, parts)).catch(() => undefined);
      else sent.catch(() => undefined);
    });
  }

  /** Sends what a letter waits for as the process takes it; without that the letter is given up. */
  private async sendParts(id: number, source: PartSource): Promise<void> {
    try {
      await source(async (parts) => {
        if (this.task?.id !== id) throw new PdfRenderError('closed', 'nobody waits for these parts');
        // Reading them may take its time; standing still may not.
        this.task.timer.refresh();
        await this.send({ id, parts });
      });
      await this.send({ id, end: 'done' });
    } catch (error) {
      await this.send({ id, end: 'given up' }).catch(() => undefined);
      if (this.task?.id === id) this.finish((task) => task.reject(error));
    }
  }

  /** @throws what hinders it; then the task has ended */
  private send(request: RenderRequest): Promise<void> {
    const { id } = request;
    return new Promise((resolve, reject) => {
      const { child } = this;
      if (child === undefined) {
        reject(new PdfRenderError('closed', 'the rendering process has ended'));
        return;
      }
      try {
        child.send(request, (error) => {
          if (error && this.task?.id === id) this.stop(new PdfRenderError('failed', String(error)));
          if (error) reject(error);
          else resolve();
        });
      } catch (error) {
        if (this.task?.id === id) this.finish((task) => task.reject(error));
        reject(error);
      }
    });
  }

  /** Ends the process at once. A task it was working on is refused with `error`. */
  stop(error: PdfRenderError): void {
    const { child } = this;
    this.child = undefined;
    this.finish((task) => task.reject(error));
    clearTimeout(this.idle);
    child?.kill('SIGKILL');
  }

  /** Without our environment: the process parses logos and needs none of the server's secrets. */
  private start(): ChildProcess {
    const child = fork(this.options.program, {
      serialization: 'advanced',
      env: {},
      execArgv: memoryLimits,
      // A signal to the whole group is for the server, which finishes what is under way first.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const isCurrent = (): boolean => this.child === child;
    child.on('message', (message) => {
      const answer = message as RenderAnswer;
      if (!isCurrent() || answer.id !== this.task?.id) return;
      if ('part' in answer) {
        this.task.timer.refresh();
        this.task.onPart(answer.part);
        return;
      }
      this.finish((task) =>
        'bytes' in answer
          ? task.resolve(answer.bytes)
          : task.reject(new PdfRenderError('failed', answer.reason)),
      );
    });
    const fail = (reason: string): void => {
      if (isCurrent()) this.stop(new PdfRenderError('failed', reason));
    };
    child.on('error', (error) => fail(`the rendering process failed: ${error.message}`));
    child.on('exit', (code, signal) => fail(`the rendering process ended (${signal ?? code})`));
    return child;
  }

  private finish(end: (task: Task) => void): void {
    const { task } = this;
    if (!task) return;
    this.task = undefined;
    clearTimeout(task.timer);
    this.idle = setTimeout(() => {
      this.stop(new PdfRenderError('closed', 'the rendering process was idle'));
    }, this.options.idleMs);
    this.idle.unref();
    if (this.child) setKeepsAlive(this.child, false);
    end(task);
  }
}

/** An idle process must not keep its parent from ending; it notices and ends with it. */
function setKeepsAlive(child: ChildProcess, isKeeping: boolean): void {
  if (isKeeping) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
