import { afterAll, vi } from 'vitest';

/** A clock that a file stops must not stand still for the next one, which may have the same process. */
afterAll(() => {
  vi.useRealTimers();
});
