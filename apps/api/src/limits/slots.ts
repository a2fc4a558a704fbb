import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import { AppError } from '../app-error.ts';

export interface SlotRules {
  /** In this process, of all together. */
  readonly atOnce: number;
  /** Of one. */
  readonly each: number;
  /** How it is refused when one has as many as they may, and when all together have. */
  readonly tooManyOfOne: ErrorCode;
  readonly tooManyOfAll: ErrorCode;
}

const RETRY_AFTER = { 'retry-after': '10' };

/** How much long work for callers is under way in this process: little, so that it is fast, and not all of it one's. */
export class Slots {
  readonly #rules: SlotRules;
  readonly #byWhom = new Map<string, number>();
  #taken = 0;

  constructor(rules: SlotRules) {
    this.#rules = rules;
  }

  /**
   * Takes a place. @returns gives it back; further calls do nothing
   * @throws {AppError} by the rules' codes, with Retry-After
   */
  take(whom: string): () => void {
    const { atOnce, each, tooManyOfOne, tooManyOfAll } = this.#rules;
    const mine = this.#byWhom.get(whom) ?? 0;
    if (mine >= each) throw new AppError(tooManyOfOne, { headers: RETRY_AFTER });
    if (this.#taken >= atOnce) throw new AppError(tooManyOfAll, { headers: RETRY_AFTER });
    this.#taken += 1;
    this.#byWhom.set(whom, mine + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      const left = (this.#byWhom.get(whom) ?? 1) - 1;
      if (left === 0) this.#byWhom.delete(whom);
      else this.#byWhom.set(whom, left);
    };
  }
}
