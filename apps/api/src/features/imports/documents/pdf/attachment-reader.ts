import { type ChildProcess, fork } from 'node:child_process';
import { TOO_MUCH_MEMORY } from './exit-codes.ts';

/** What reading the e-invoice inside a PDF came to. */
export type AttachmentAnswer =
  | { readonly ok: true; readonly name: string; readonly content: Uint8Array }
  /** `isPlain`: it can be read, and there is no e-invoice in it. */
  | { readonly ok: false; readonly reason: string; readonly isPlain?: true };

const PROGRAM = new URL('./attachment-program.ts', import.meta.url);
/** Longest time for one PDF. */
const TIMEOUT_MS = 20_000;
/** An unused process is ended after this time, and its memory is free again. */
const IDLE_MS = 5_000;

interface Running {
  readonly child: ChildProcess;
  idle?: NodeJS.Timeout;
}

let running: Running | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Takes the invoice out of a PDF (Factur-X, ZUGFeRD), in a process of its own: started by the first PDF, without our
 * environment, bounded in memory and time, ended when idle. One PDF at a time.
 * @param bytes the whole file, bounded in size by the caller
 * @returns the XML as it stands in the file, or why there is none; never throws on any input
 */
export function attachmentOf(bytes: Uint8Array): Promise<AttachmentAnswer> {
  const answer = last.then(() => ask(bytes));
  last = answer;
  return answer;
}

function ask(bytes: Uint8Array): Promise<AttachmentAnswer> {
  const current = running ?? start();
  running = current;
  const { child } = current;
  clearTimeout(current.idle);
  child.ref();
  child.channel?.ref();
  return new Promise((resolve) => {
    const end = (answer: AttachmentAnswer, isOver: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners('message');
      child.removeAllListeners('exit');
      child.removeAllListeners('error');
      if (isOver) stop(current);
      else rest(current);
      resolve(answer);
    };
    const fail = (reason: string): void => end({ ok: false, reason }, true);
    const timer = setTimeout(
      () => fail(`the PDF takes longer than ${TIMEOUT_MS / 1000} s to read`),
      TIMEOUT_MS,
    );
    child.once('message', (answer) => end(answer as AttachmentAnswer, false));
    child.once('exit', (code) =>
      fail(
        code === TOO_MUCH_MEMORY
          ? 'the PDF unpacks to more than may be held in memory'
          : 'the PDF cannot be read: its reader ended',
      ),
    );
    child.once('error', () => fail('the PDF cannot be read: its reader did not start'));
    child.send(bytes);
  });
}

/** It must not keep its parent from ending; it notices and ends with it. */
function rest(current: Running): void {
  const { child } = current;
  child.unref();
  child.channel?.unref();
  current.idle = setTimeout(() => stop(current), IDLE_MS);
  current.idle.unref();
  child.once('exit', () => stop(current));
  child.once('error', () => stop(current));
}

function stop(current: Running): void {
  if (running === current) running = undefined;
  clearTimeout(current.idle);
  current.child.kill('SIGKILL');
}

function start(): Running {
  const child = fork(PROGRAM, {
    serialization: 'advanced',
    env: {},
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return { child };
}
