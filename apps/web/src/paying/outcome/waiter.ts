/** Waits, and can be woken before its time. */
export interface Waiter {
  readonly wait: (ms: number) => Promise<void>;
  readonly wake: () => void;
}

/** A waiter on the browser's timers; `wake` ends the wait that is running. */
export function createWaiter(): Waiter {
  let wakeUp: () => void = () => undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => wakeUp(),
  };
}
