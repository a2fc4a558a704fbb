import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../../src/deps.ts';

/** One request or job of a server; a dead one does nothing more, whatever it waits for. */
export interface Process {
  isDead: boolean;
}

const inside = new AsyncLocalStorage<Process>();
const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
};

/** What never comes. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Waits for ever where the process has died meanwhile. */
export const alive = (): Promise<void> | undefined =>
  inside.getStore()?.isDead === true ? never<void>() : undefined;

/** Outside of the simulated time: what `work` waits for is real. */
export const outside = <T>(work: () => T): T => inside.exit(work);

interface Event {
  readonly at: number;
  readonly no: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/**
 * Time that passes only when nobody has anything left to do: then it jumps to the next moment somebody waits for. The
 * timers of the code under test keep it too. The same seed meets the same order of events, since nothing waits for
 * anything real.
 */
export class VirtualTime {
  #now: number;
  #events = 0;
  readonly #heap: Event[] = [];
  /** Processes that have neither ended nor died. */
  working = 0;
  /** Whether something real is still waited for. */
  isBusy: () => boolean = () => false;
  readonly clock: Clock;

  constructor(start: string) {
    this.#now = new Date(start).getTime();
    this.clock = { now: () => new Date(this.#now) };
  }

  get now(): number {
    return this.#now;
  }

  at(ms: number, run: () => void): Event {
    this.#events += 1;
    const event = { at: Math.max(Math.ceil(ms), this.#now), no: this.#events, run, isCancelled: false };
    push(this.#heap, event);
    return event;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.at(this.#now + ms, resolve);
    });
  }

  /** Runs `work` as a process of its own. @returns when it has ended; one that died never does */
  async start(work: () => Promise<void>, onFault: (error: unknown) => void): Promise<void> {
    const process: Process = { isDead: false };
    this.working += 1;
    await inside.run(process, work).catch(onFault);
    this.working -= 1;
  }

  /** The process that runs now is dead: nobody has to wait for its end. */
  bury<T>(): Promise<T> {
    const process = inside.getStore();
    if (process?.isDead === false) {
      process.isDead = true;
      this.working -= 1;
    }
    return never<T>();
  }

  /** Lets time pass until `isOver`, or nothing is left to happen. */
  async pass(isOver: () => boolean): Promise<void> {
    const restore = this.#install();
    try {
      for (;;) {
        await idle();
        while (this.isBusy()) await idle();
        if (isOver()) return;
        const event = pop(this.#heap);
        if (event === undefined) return;
        if (event.isCancelled) continue;
        this.#now = event.at;
        event.run();
      }
    } finally {
      restore();
    }
  }

  /** The timers of processes keep this time. */
  #install(): () => void {
    const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      if (inside.getStore() === undefined) return real.setTimeout(run, ms, ...args);
      return this.at(this.#now + ms, () => run(...args));
    };
    const clear = (timer: unknown) => {
      if (timer !== null && typeof timer === 'object' && 'isCancelled' in timer) timer.isCancelled = true;
      else real.clearTimeout(timer as NodeJS.Timeout);
    };
    globalThis.setTimeout = set as unknown as typeof setTimeout;
    globalThis.clearTimeout = clear as unknown as typeof clearTimeout;
    performance.now = () => (inside.getStore() === undefined ? real.now() : this.#now);
    return () => {
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
      performance.now = real.now;
    };
  }
}

/** All that can go on has gone on. */
const idle = () => new Promise<void>((resolve) => real.setImmediate(resolve));

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.no < b.no);

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const above = heap[up];
    if (above === undefined || !isBefore(event, above)) break;
    heap[at] = above;
    at = up;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    if (left === undefined) break;
    const isLeft = right === undefined || isBefore(left, right);
    const least = isLeft ? left : right;
    if (least === undefined || !isBefore(least, last)) break;
    heap[at] = least;
    at = isLeft ? 2 * at + 1 : 2 * at + 2;
  }
  heap[at] = last;
  return first;
}
