/** The sandbox's clock: real time plus what `POST /_sandbox/clock` has advanced it by. */
import type { Collection, Store, Transaction } from './store.ts';

export class Clock {
  readonly #state: Collection<number>;

  constructor(store: Store) {
    this.#state = store.collection<number>('host/clock');
  }

  get aheadMs(): number {
    return this.#state.get('aheadMs') ?? 0;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** Whole seconds since 1970. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  advance(tx: Transaction, byMs: number): void {
    tx.put(this.#state, 'aheadMs', this.aheadMs + byMs);
  }
}
