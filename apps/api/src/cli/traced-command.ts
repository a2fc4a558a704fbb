import type { Runtime } from '../runtime.ts';
import { traced } from '../tracing/spans.ts';
import { startTracing } from '../tracing/start.ts';

/** Runs a command's work as a span, where the settings ask for traces, and sends them before it ends. @throws what the work throws */
export async function tracedCommand<T>(
  name: string,
  { config, log }: Pick<Runtime, 'config' | 'log'>,
  work: () => Promise<T>,
): Promise<T> {
  const tracing = await startTracing(config.tracing, 'command', log);
  try {
    return await traced('internal', `command ${name}`, {}, work);
  } finally {
    await tracing.stop();
  }
}
