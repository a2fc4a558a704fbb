import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { AttachmentAnswer } from './attachment-reader.ts';
import { TOO_MUCH_MEMORY } from './exit-codes.ts';

/**
 * The program of the process that reads PDFs. A thread of it reads; its main thread watches the memory, for what a small
 * file unpacks to has no bound, and no library has one for it.
 */

/** Of the whole process, in bytes. Reading the largest document that is taken needs less than half of it. */
const MOST_MEMORY = 512 * 1024 ** 2;
const WATCH_EVERY_MS = 20;

if (isMainThread) watch();
else read();

function watch(): void {
  const thread = new Worker(new URL('./attachment-program.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  setInterval(() => {
    if (process.memoryUsage.rss() > MOST_MEMORY) process.exit(TOO_MUCH_MEMORY);
  }, WATCH_EVERY_MS);
  process.on('message', (bytes: Uint8Array) => thread.postMessage(bytes));
  process.on('disconnect', () => process.exit(0));
  thread.on('message', (answer: AttachmentAnswer) => process.send?.(answer));
  thread.on('error', () => process.exit(TOO_MUCH_MEMORY));
  // A signal to the whole group is for the parent, which says when this ends.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

function read(): void {
  const loading = import('./read-attachment.ts');
  parentPort?.on('message', async (bytes: Uint8Array) => {
    const { readAttachment } = await loading;
    parentPort?.postMessage(await readAttachment(bytes));
  });
}
