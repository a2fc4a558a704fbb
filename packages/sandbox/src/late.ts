/**
 * Requests whose connection was cut before they were carried out, and which are carried out all the same:
 * after the first look-up, so that whoever looked was told there is nothing.
 */
const givenUpAfterMs = 60_000;

interface Late {
  readonly account: string;
  readonly run: () => void;
  readonly afterMs: number;
  started: boolean;
}

export class LateRequests {
  #waiting: Late[] = [];

  /** @param afterMs how long after the first look-up it runs */
  add(account: string, afterMs: number, run: () => Promise<unknown>): void {
    const late: Late = { account, afterMs, started: false, run: () => void run().catch(() => undefined) };
    this.#waiting.push(late);
    setTimeout(() => this.#start(late, 0), givenUpAfterMs).unref();
  }

  lookedUp(account: string): void {
    for (const late of this.#waiting) if (late.account === account) this.#start(late, late.afterMs);
  }

  #start(late: Late, afterMs: number): void {
    if (late.started || !this.#waiting.includes(late)) return;
    late.started = true;
    setTimeout(() => {
      if (!this.#waiting.includes(late)) return;
      this.#waiting = this.#waiting.filter((known) => known !== late);
      late.run();
    }, afterMs);
  }

  clear(): void {
    this.#waiting = [];
  }
}
