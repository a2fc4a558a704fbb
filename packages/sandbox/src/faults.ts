/** Faults to order: what goes wrong, where, and how often. Kept in memory only; a restart clears them. */

export const operations = ['charge', 'refund', 'save', 'find'] as const;
export type Operation = (typeof operations)[number];

/** Break the conversation, whatever is asked. */
export const transportModes = [
  'timeout-before',
  'timeout-after',
  'error-500-after',
  'reset-after',
  'malformed',
  'slow',
  'lookup-blind',
  'lookup-down',
  'rate-limit',
  'lock-timeout',
] as const;
/** Change what happens when the request is carried out; a replayed answer does not use one up. */
export const effectModes = [
  'late',
  'lookup-loose',
  'replay-500',
  'partial',
  'self-void',
  'late-failure',
  'resubmit',
  'webhook-first',
  'webhook-twice',
  'webhook-late',
  'webhook-reversed',
  'webhook-lost',
] as const;
export const modes = [...transportModes, ...effectModes] as const;
export type Mode = (typeof modes)[number];

export interface FaultOrder {
  readonly gateway: string;
  readonly operation: Operation;
  readonly mode: Mode;
  /** How many requests it hits. */
  readonly times: number;
  /** Milliseconds, for modes that wait. */
  readonly ms?: number;
  /** Minor units to capture, for `partial`; absent: half. */
  readonly minor?: number;
  /** For `replay-500`: whether the money moved before the error (default true). */
  readonly executed?: boolean;
  /** Only requests of this account. */
  readonly account?: string;
}

export interface Fault extends FaultOrder {
  readonly id: number;
  remaining: number;
}

export class Faults {
  #faults: Fault[] = [];
  #next = 1;
  #onClear: (() => void)[] = [];

  add(order: FaultOrder): Fault {
    const fault: Fault = { ...order, id: this.#next, remaining: order.times };
    this.#next += 1;
    this.#faults.push(fault);
    return fault;
  }

  /** Uses up and returns the oldest fault of one of these modes that fits, if any. */
  take(gateway: string, operation: Operation, account: string, among: readonly Mode[]): Fault | undefined {
    const fault = this.#faults.find(
      (known) =>
        known.remaining > 0 &&
        known.gateway === gateway &&
        known.operation === operation &&
        among.includes(known.mode) &&
        (known.account === undefined || known.account === account),
    );
    if (fault === undefined) return undefined;
    fault.remaining -= 1;
    if (fault.remaining === 0) this.#faults = this.#faults.filter((known) => known !== fault);
    return fault;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
    for (const listener of this.#onClear) listener();
  }

  /** Calls back when faults are cleared, so that hung connections can be let go. */
  onClear(listener: () => void): void {
    this.#onClear.push(listener);
  }
}
