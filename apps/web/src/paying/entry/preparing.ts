import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';

/** Makes an entry at the gateway; rejects with `ApiError`. */
export type PrepareEntry = () => Promise<PreparedEntry>;

/** How the entry of a form stands. `expired`: what was typed into the provider's page is lost with it. */
export type Preparation =
  | { readonly is: 'none' | 'loading' | 'failed' | 'expired' }
  | { readonly is: 'ready'; readonly prepared: PreparedEntry };

/** An entry that is still good for less than this is begun with all the same, milliseconds. */
const LEAST_MS = 1_000;
/** Longest wait of a browser's timer, milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The entry of one form: made, run out, and made again. The last one that was asked for counts. */
export class Preparing {
  readonly #prepare: PrepareEntry;
  readonly #listeners = new Set<() => void>();
  #view: Preparation = { is: 'none' };
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(prepare: PrepareEntry) {
    this.#prepare = prepare;
  }

  readonly view = (): Preparation => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes another one: there is none, the last was used, ran out, or did not come. @returns undefined: it did not come */
  readonly renew = async (): Promise<PreparedEntry | undefined> => {
    const round = this.#begin({ is: 'loading' });
    try {
      const prepared = await this.#prepare();
      if (round !== this.#round) return undefined;
      this.#set({ is: 'ready', prepared });
      const left = prepared.until === undefined ? undefined : leftOf(prepared.until, Date.now());
      if (left !== undefined) this.#timer = setTimeout(() => this.#set({ is: 'expired' }), left);
      return prepared;
    } catch {
      if (round === this.#round) this.#set({ is: 'failed' });
      return undefined;
    }
  };

  /** The form is gone, or needs none: what still comes is not taken. */
  readonly stop = (): void => {
    this.#begin({ is: 'none' });
  };

  #begin(view: Preparation): number {
    clearTimeout(this.#timer);
    this.#round += 1;
    this.#set(view);
    return this.#round;
  }

  #set(view: Preparation): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

/** How long an entry can still be used, milliseconds; undefined: as long as a page stands. */
export function leftOf(until: string, now: number): number | undefined {
  const left = Date.parse(until) - now;
  return Number.isNaN(left) || left > LONGEST_TIMER_MS ? undefined : Math.max(left, LEAST_MS);
}
