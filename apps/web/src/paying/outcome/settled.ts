export type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** What became of a promise, without throwing. */
export const settled = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
