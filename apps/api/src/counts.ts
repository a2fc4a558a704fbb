import { closedStates } from '@counterfoil/domain/paying/attempt.ts';

/** What this process has counted since it began; `http/metrics.ts` shows it, and most processes never ask. */
class Tally {
  readonly #counts: Map<string, number>;

  /** @param known outcomes that are shown from the start, as 0 */
  constructor(...known: readonly string[]) {
    this.#counts = new Map(known.map((one) => [one, 0]));
  }

  /** @param labels values of the metric's labels, in their order */
  add(...labels: readonly string[]): void {
    const key = labels.join(' ');
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Values of the labels with how often they were counted. */
  *entries(): IterableIterator<readonly [readonly string[], number]> {
    for (const [key, count] of this.#counts) yield [key.split(' '), count];
  }
}

export const counts = {
  /** Charges that ended, by the state in which they did. */
  payments: new Tally(...closedStates),
  /** Deliveries of gateways: taken, refused, failed. */
  deliveries: new Tally('taken', 'refused', 'failed'),
  /** Mails: sent, failed (tried again), refused (for good). */
  mails: new Tally('sent', 'failed', 'refused'),
  /** Runs of jobs, by job: done, failed (tried again), givenUp. */
  jobs: new Tally(),
} as const;

/** How a background round of this process fares. */
export interface Round {
  readonly everyMs: number;
  /** When one last went well, and when one last failed; milliseconds since 1970. */
  okAt?: number;
  failedAt?: number;
  /** What the last one that failed said. */
  problem?: string;
  /** Begins the next one now, unless one is under way. */
  readonly wake: () => void;
}

/** The background rounds of this process, by the name of their loop. */
export const rounds = new Map<string, Round>();
