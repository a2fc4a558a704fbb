/** How many calls are held at the same time. */
export interface SlotLimits {
  /** By one process to all gateway accounts. */
  readonly all: number;
  /** Of these, to accounts that are slow: the others find room at any time. */
  readonly slow: number;
  /** To one account. One that is slow has one: it tells as well as many that nobody answers. */
  readonly each: number;
}

/** An account is slow whose last call took as long; until one is faster. Milliseconds. */
export const SLOW_MS = 5_000;

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

/**
 * Shares out the calls that one process makes to gateways. Whoever has fewest under way is next, so that an account with
 * much to ask, or one that does not answer, keeps nobody else waiting.
 */
export class CallSlots {
  readonly #limits: SlotLimits;
  readonly #nowMs: () => number;
  readonly #held = new Map<string, number>();
  readonly #slow = new Set<string>();
  readonly #waiting = new Set<Waiting>();
  #all = 0;

  constructor(nowMs: () => number, limits: SlotLimits = { all: 64, slow: 32, each: 8 }) {
    this.#nowMs = nowMs;
    this.#limits = limits;
  }

  /** Does a call once there is room for it. */
  async run<T>(account: string, call: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#waiting.add({ account, begin });
      this.#next();
    });
    const begunMs = this.#nowMs();
    try {
      return await call();
    } finally {
      this.#change(account, -1);
      if (this.#nowMs() - begunMs >= SLOW_MS) this.#slow.add(account);
      else this.#slow.delete(account);
      this.#next();
    }
  }

  #next(): void {
    for (let next = this.#choose(); next !== undefined; next = this.#choose()) {
      this.#waiting.delete(next);
      this.#change(next.account, 1);
      next.begin();
    }
  }

  /** Who may begin now: the one whose account has fewest calls under way, of several who waits longest. */
  #choose(): Waiting | undefined {
    if (this.#all >= this.#limits.all) return undefined;
    const slowHeld = [...this.#slow].reduce((sum, account) => sum + this.#of(account), 0);
    // Slow ones go behind, but for a quarter of their share: one that has come back is to be found out.
    const isBehind = slowHeld >= this.#limits.slow / 4;
    let chosen: { readonly one: Waiting; readonly rank: number } | undefined;
    for (const one of this.#waiting) {
      const held = this.#of(one.account);
      const isSlow = this.#slow.has(one.account);
      const hasRoom = isSlow ? held < 1 && slowHeld < this.#limits.slow : held < this.#limits.each;
      const rank = held + (isSlow && isBehind ? this.#limits.each : 0);
      if (hasRoom && (chosen === undefined || rank < chosen.rank)) chosen = { one, rank };
    }
    return chosen?.one;
  }

  #of(account: string): number {
    return this.#held.get(account) ?? 0;
  }

  #change(account: string, by: 1 | -1): void {
    this.#all += by;
    const held = this.#of(account) + by;
    if (held === 0) this.#held.delete(account);
    else this.#held.set(account, held);
  }
}
