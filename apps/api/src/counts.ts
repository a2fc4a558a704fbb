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

/** When a round of this process last went well, by the name of its loop; seconds since 1970. */
export const lastRounds = new Map<string, number>();
