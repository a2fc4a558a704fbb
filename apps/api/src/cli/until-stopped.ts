import type { Logger } from 'pino';
import { FINISH_WITHIN_MS } from '../http/requests/lifecycle.ts';

/** The whole stop may take this much longer than its pause and the last requests; then the process ends regardless. */
const END_WITHIN_MS = FINISH_WITHIN_MS + 2_000;
/**
 * Signals of one stop. systemd and a terminal signal each process of a group, and launchers pass on what they get: the
 * same stop is heard two or three times, on a busy machine with a pause between.
 */
const ONE_STOP_MS = 2_000;

const LOOK_EVERY_MS = 100;

/** What asks for a stop; a terminal that is closed, too. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Resolves on SIGTERM, SIGINT, SIGHUP or the end of the parent. What comes within two seconds belongs to the same stop;
 * a signal after that is a person who does not want to wait, and ends the process at once with 1.
 * @param pauseMs how long the process answers on before it closes its port
 */
export function untilStopped(log: Logger, pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    let heardAt = 0;
    const stop = (reason: string) => {
      const now = performance.now();
      if (!isStopping) {
        isStopping = true;
        log.info({ reason, pauseMs }, 'stopping');
        setTimeout(() => {
          log.error('the stop took too long: ended with work under way');
          process.exit(1);
        }, pauseMs + END_WITHIN_MS).unref();
        // The command has ended and said how. A call whose payer was answered may go on; the next process finds out.
        setInterval(() => {
          if (process.exitCode !== undefined) process.exit();
        }, LOOK_EVERY_MS).unref();
        resolve();
      } else if (reason !== 'parent' && now - heardAt >= ONE_STOP_MS) {
        log.warn({ reason }, 'a second signal: ended at once');
        process.exit(1);
      }
      // A parent that ends while this process stops makes its launcher's last word come, too.
      if (heardAt === 0 || reason === 'parent') heardAt = now;
    };
    for (const signal of SIGNALS) process.on(signal, () => stop(signal));
    process.on('disconnect', () => stop('parent'));
  });
}
