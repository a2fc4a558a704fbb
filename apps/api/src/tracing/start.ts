import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TracingSettings } from './settings.ts';
import { traceWith } from './spans.ts';

/** What is left at the end has this long to be sent, milliseconds: a collector that does not answer holds up no stop. */
const FLUSH_WITHIN_MS = 2_000;

/** Traces that are being sent. */
export interface Tracing {
  /** Sends what is left, within two seconds, and traces nothing more. */
  stop(): Promise<void>;
}

/**
 * Traces this process from now on, where the settings ask for it; what does it is loaded only then.
 * @param process what the process is: `serve`, `work`, `start`, `command`
 */
export async function startTracing(
  settings: TracingSettings | undefined,
  process: string,
  log: Logger,
): Promise<Tracing> {
  if (settings === undefined) return { stop: async () => undefined };
  const { openTelemetry } = await import('./open-telemetry.ts');
  const { tracer, stop } = openTelemetry(settings, process, log);
  traceWith(tracer);
  return {
    async stop() {
      traceWith(undefined);
      await Promise.race([stop().catch(() => undefined), sleep(FLUSH_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
