/** A clock that stands still until it is moved. */
export interface FakeClock {
  /** The present moment, a new object each time. */
  now(): Date;
  /** Moves the clock; negative goes back. */
  advance(ms: number): void;
  /** Sets the clock to a moment. */
  set(moment: Date | string): void;
}

/** @param start ISO 8601 moment at which the clock stands */
export function fakeClock(start: Date | string = '2026-03-02T09:00:00Z'): FakeClock {
  let current = new Date(start).getTime();
  return {
    now: () => new Date(current),
    advance(ms) {
      current += ms;
    },
    set(moment) {
      current = new Date(moment).getTime();
    },
  };
}
