import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { countWaiting } from '../../features/imports/quarantine/queries.ts';
import { type OpenPayments, openPayments } from '../../features/payments/attempts/open-queries.ts';
import { type Backlog, readBacklog } from '../../features/payments/webhooks/inbox.ts';
import { livingWorkers } from '../../jobs/presence.ts';
import { type QueueStock, readQueue } from '../../jobs/queue.ts';
import { withTimeout } from '../../with-timeout.ts';

/** Whoever reads the metrics does not wait longer for the database. */
const WITHIN_MS = 1_000;
/** However many ask, and however often, the database is asked no more often. */
const READ_EVERY_MS = 15_000;

/** What lies in the database and tells how the installation fares; the same from every process of it. */
interface Stock {
  readonly payments: readonly OpenPayments[];
  readonly queue: QueueStock;
  readonly events: Backlog;
  readonly quarantined: number;
  readonly workers: number;
}

export interface StockDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Between two readings, milliseconds (15,000). */
  readonly readEveryMs?: number;
}

/** States in which a payment stays open; the others of a payment are counted where it ends. */
/** What open attempts of each direction are called. */
const KINDS = [
  ['charge', 'payment'],
  ['refund', 'refund'],
  ['resubmission', 'resubmission'],
] as const;
const OPEN_STATES = ['sending', 'requiresAction', 'pending', 'unknown', 'needsReview'] as const;

/** Adds what is read from the database; absent while it does not answer, but for the gauge that says so. */
export function stockMetrics(registry: Registry, deps: StockDeps): void {
  const read = reader(deps);
  const gauge = (
    name: string,
    help: string,
    set: (stock: Stock, gauge: Gauge) => void,
    labelNames: readonly string[] = [],
  ) =>
    new Gauge({
      name: `counterfoil_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const stock = await read();
        this.reset();
        if (stock !== undefined) set(stock, this as Gauge);
        else if (labelNames.length === 0) this.remove();
      },
    });
  const number = (name: string, help: string, of: (stock: Stock) => number) =>
    gauge(name, help, (stock, to) => to.set(of(stock)));
  const ageOf = (at: Date | null) =>
    at === null ? 0 : Math.max(0, (deps.clock.now().getTime() - at.getTime()) / 1_000);

  new Gauge({
    name: 'counterfoil_database_answers',
    help: '1 when the figures below could be read from the database within a second, else 0',
    registers: [registry],
    async collect() {
      this.set((await read()) === undefined ? 0 : 1);
    },
  });
  /** One figure for each state in which a payment or refund is open. */
  const byState = (name: string, help: string, of: (open: OpenPayments | undefined) => number) =>
    gauge(
      name,
      help,
      ({ payments }, to) => {
        for (const [direction, kind] of KINDS)
          for (const state of OPEN_STATES)
            to.set(
              { kind, state },
              of(payments.find((one) => one.direction === direction && one.state === state)),
            );
      },
      ['kind', 'state'],
    );
  byState('payments_open', 'Payments and refunds that are not decided, by state', (open) => open?.count ?? 0);
  byState('payments_oldest_seconds', 'Age of the oldest of them; 0 where there is none', (open) =>
    ageOf(open?.oldest ?? null),
  );
  gauge(
    'queue_jobs',
    'Jobs in the queue: waiting (due), running, later (planned or tried again), givenUp',
    ({ queue }, to) => {
      for (const state of ['waiting', 'running', 'later', 'givenUp'] as const)
        to.set({ state }, queue[state]);
    },
    ['state'],
  );
  number(
    'queue_oldest_seconds',
    'For how long the job has been due that waits longest',
    ({ queue }) => queue.oldestSeconds,
  );
  number(
    'queue_workers',
    'Pools of workers that live, two for each process that works',
    ({ workers }) => workers,
  );
  number(
    'webhook_events_waiting',
    'Events of gateways that are not followed up yet',
    ({ events }) => events.waiting,
  );
  number(
    'webhook_events_oldest_seconds',
    'Age of the event that waits longest to be followed up; 0 where none waits',
    ({ events }) => ageOf(events.oldest),
  );
  number(
    'webhook_events_for_a_person',
    'Events of the last week that nobody could follow up',
    ({ events }) => events.forPerson.length,
  );
  number(
    'import_quarantined_rows',
    'Rows and invoices of imported files that wait in quarantine',
    ({ quarantined }) => quarantined,
  );
}

/** Reads at most so often, and never twice at the same time, however long it takes. */
function reader({ db, clock, readEveryMs = READ_EVERY_MS }: StockDeps): () => Promise<Stock | undefined> {
  const readAll = async (): Promise<Stock> => ({
    payments: await openPayments(db),
    queue: await readQueue(db),
    events: await readBacklog(db, clock.now()),
    quarantined: await countWaiting(db),
    workers: await livingWorkers(db),
  });
  let last: { readonly at: number; readonly stock: Promise<Stock | undefined> } | undefined;
  let isReading = false;
  return () => {
    const now = performance.now();
    // All gauges of one look at the metrics ask within the same moment.
    if (!isReading && (last === undefined || now - last.at >= readEveryMs)) {
      isReading = true;
      const stock = readAll()
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
      last = { at: now, stock };
    }
    return withTimeout(WITHIN_MS, last?.stock ?? Promise.resolve(undefined), undefined);
  };
}
