import { Gauge, type Registry } from 'prom-client';
import type { AskDeps } from './ask.ts';
import { type Backlog, readBacklog } from './inbox.ts';
import { within } from './within.ts';

/** Whoever reads the metrics does not wait longer for the database. */
const WITHIN_MS = 1_000;

/** How much waits in the inbox, read when the metrics are; absent while the database does not answer. */
export function eventMetrics(registry: Registry, deps: Pick<AskDeps, 'db' | 'clock'>): void {
  let reading: Promise<Backlog | undefined> | undefined;
  /** One reading for all gauges that are asked at the same time. */
  const read = () => {
    reading ??= within(
      WITHIN_MS,
      readBacklog(deps.db, deps.clock.now()).catch(() => undefined),
      undefined,
    ).finally(() => (reading = undefined));
    return reading;
  };
  const gauge = (name: string, help: string, of: (backlog: Backlog) => number) =>
    new Gauge({
      ...{ name: `counterfoil_webhook_events_${name}`, help, registers: [registry] },
      async collect() {
        const backlog = await read();
        if (backlog === undefined) this.remove();
        else this.set(of(backlog));
      },
    });
  gauge('waiting', 'Events of gateways that are not followed up yet', ({ waiting }) => waiting);
  gauge(
    'oldest_seconds',
    'Age of the event that waits longest to be followed up; 0 where none waits',
    ({ oldest }) => (oldest === null ? 0 : (deps.clock.now().getTime() - oldest.getTime()) / 1_000),
  );
}
