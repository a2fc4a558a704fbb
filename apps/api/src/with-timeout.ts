/**
 * Waits for `work`, but no longer than `ms`; then answers `otherwise`, and the work goes on. The caller is to see
 * that the work's own fault is handled: one that comes after the wait is dropped here.
 */
export async function withTimeout<T, U>(ms: number, work: Promise<T>, otherwise: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<U>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
