import { AppError } from '../../app-error.ts';

export interface ExportLimits {
  /** In this process; each takes a connection of the pool, and the first one a second. */
  readonly atOnce: number;
  readonly perCustomer: number;
}

const RETRY_AFTER = { 'retry-after': '10' };

/** How many exports are under way: few, so that they are fast, and not all of them one customer's. */
export class ExportSlots {
  readonly #limits: ExportLimits;
  readonly #byCustomer = new Map<string, number>();
  #taken = 0;

  constructor(limits: ExportLimits = { atOnce: 3, perCustomer: 2 }) {
    this.#limits = limits;
  }

  /**
   * Takes a place. @returns gives it back; further calls do nothing
   * @throws {AppError} usage.tooManyExports: two of this customer are under way; server.exporting: too many of all
   */
  take(customerId: string): () => void {
    const mine = this.#byCustomer.get(customerId) ?? 0;
    if (mine >= this.#limits.perCustomer)
      throw new AppError('usage.tooManyExports', { headers: RETRY_AFTER });
    if (this.#taken >= this.#limits.atOnce) throw new AppError('server.exporting', { headers: RETRY_AFTER });
    this.#taken += 1;
    this.#byCustomer.set(customerId, mine + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      const left = (this.#byCustomer.get(customerId) ?? 1) - 1;
      if (left === 0) this.#byCustomer.delete(customerId);
      else this.#byCustomer.set(customerId, left);
    };
  }
}
