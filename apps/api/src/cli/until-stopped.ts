import type { Logger } from 'pino';

/** The whole stop may take this long; then the process ends regardless. */
const END_WITHIN_MS = 9_500;

/** Resolves on SIGTERM, SIGINT or the end of the parent. A second signal ends at once. */
export function untilStopped(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (reason: string) => {
      if (isStopping) {
        if (reason !== 'parent') process.exit(1);
        return;
      }
      isStopping = true;
      log.info({ reason }, 'stopping');
      setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
      resolve();
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
    process.on('disconnect', () => stop('parent'));
  });
}
