import { AppError } from '../../../app-error.ts';

export interface HashingLimits {
  /** How many hashes are computed at the same time. */
  readonly atOnce: number;
  /** How many may wait; the next one is refused at once. */
  readonly mostWaiting: number;
  /** Who has waited for this long is refused: the person will not wait longer, and hashing then helps nobody. */
  readonly longestWaitMs: number;
}

interface Waiting {
  readonly start: () => void;
  readonly timer: NodeJS.Timeout;
}

const RETRY_AFTER_SECONDS = 5;
const busy = () => new AppError('server.busy', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });

/**
 * Lets a few hashes run at a time, in the order they were asked for, and the others wait, but neither many nor
 * long: a storm of sign-ins takes the cores it is given and answers the rest soon.
 */
export class HashingQueue {
  readonly #limits: HashingLimits;
  /** In the order of arrival: a Set keeps it, and forgets one in the middle as easily as the first. */
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  constructor(limits: HashingLimits) {
    this.#limits = limits;
  }

  /** @throws {AppError} server.busy, and nothing was hashed */
  async run<T>(hash: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.atOnce) await this.#turn();
    else this.#running += 1;
    try {
      return await hash();
    } finally {
      this.#passOn();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.size >= this.#limits.mostWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(entry);
        reject(busy());
      }, this.#limits.longestWaitMs);
      const entry: Waiting = { start: resolve, timer };
      this.#waiting.add(entry);
    });
  }

  /** The place goes to the one who waits longest, without being free in between. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.start();
  }
}
