/** The record of money really taken and refunded: what `GET /_sandbox/charges` shows. */
import type { Collection, Store, Transaction } from './store.ts';

export interface Capture {
  readonly gateway: string;
  readonly operation: 'charge' | 'refund';
  /** The caller's own reference as it stands in the request. */
  readonly reference: string | null;
  readonly idempotencyKey: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The gateway's id of the payment. */
  readonly remote: string;
  /** The gateway's id of this movement of money, with its account before it where only that makes it unique. */
  readonly movement: string;
  readonly account: string;
  /** Minor units really taken (or refunded). */
  readonly minor: number;
  readonly refundedMinor: number;
  /** ISO code, upper case. */
  readonly currency: string;
  readonly state:
    | 'captured'
    | 'partially-refunded'
    | 'refunded'
    | 'voided'
    | 'charged-back'
    | 'pending'
    | 'failed';
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
}

export class Captures {
  readonly #all: Collection<Capture>;

  constructor(store: Store) {
    this.#all = store.collection<Capture>('host/capture');
  }

  /** @throws {Error} when a movement has this id already: one of the two would be lost, whoever compares would not see it */
  record(tx: Transaction, capture: Capture): void {
    if (this.#all.get(capture.movement) !== undefined)
      throw new Error(`a movement of money has the id ${capture.movement} already`);
    tx.put(this.#all, capture.movement, capture);
  }

  /** Changes a recorded movement; does nothing when it was never recorded (money that was never taken). */
  change(tx: Transaction, movement: string, change: Partial<Capture>): void {
    const known = this.#all.get(movement);
    if (known !== undefined) tx.put(this.#all, movement, { ...known, ...change });
  }

  /** In the order in which they happened. */
  list(operation: Capture['operation']): Capture[] {
    return [...this.#all.newest()].filter((capture) => capture.operation === operation).reverse();
  }
}
