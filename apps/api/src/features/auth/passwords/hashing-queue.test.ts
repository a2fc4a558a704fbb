import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HashingQueue } from './hashing-queue.ts';

/** Hashes that end when the test says so. */
function fakeHasher() {
  const running: { readonly name: string; readonly end: (error?: Error) => void }[] = [];
  const started: string[] = [];
  return {
    started,
    hash: (name: string) => () =>
      new Promise<string>((resolve, reject) => {
        started.push(name);
        running.push({ name, end: (error) => (error === undefined ? resolve(name) : reject(error)) });
      }),
    async endFirst(error?: Error) {
      running.shift()?.end(error);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

const limits = { atOnce: 2, mostWaiting: 3, longestWaitMs: 5_000 };
const code = (error: { code?: string }) => error.code;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the queue before the hashing cores', () => {
  it('runs as many at once as it may, and the others in the order they came', async () => {
    const hasher = fakeHasher();
    const queue = new HashingQueue(limits);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const done = Promise.all(names.map((name) => queue.run(hasher.hash(name))));
    await vi.advanceTimersByTimeAsync(0);
    expect(hasher.started).toEqual(['a', 'b']);
    await hasher.endFirst();
    expect(hasher.started).toEqual(['a', 'b', 'c']);
    for (const _ of names) await hasher.endFirst();
    expect(hasher.started).toEqual(names);
    expect(await done).toEqual(names);
  });

  it('refuses at once what would wait behind too many, and hashes nothing for it', async () => {
    const hasher = fakeHasher();
    const queue = new HashingQueue(limits);
    const taken = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.run(hasher.hash(name)));
    const refused = await queue.run(hasher.hash('f')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'server.busy', status: 503, headers: { 'retry-after': '5' } });
    for (const _ of taken) await hasher.endFirst();
    await Promise.all(taken);
    expect(hasher.started).not.toContain('f');
  });

  it('refuses who has waited for five seconds; those behind keep their order', async () => {
    const hasher = fakeHasher();
    const queue = new HashingQueue({ ...limits, atOnce: 1 });
    const first = queue.run(hasher.hash('a'));
    const early = queue.run(hasher.hash('b')).catch(code);
    await vi.advanceTimersByTimeAsync(3_000);
    const late = queue.run(hasher.hash('c'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await early).toBe('server.busy');
    await hasher.endFirst();
    expect(hasher.started).toEqual(['a', 'c']);
    await hasher.endFirst();
    expect(await Promise.all([first, late])).toEqual(['a', 'c']);
  });

  it('gives the place on when a hash fails, and is empty afterwards', async () => {
    const hasher = fakeHasher();
    const queue = new HashingQueue({ ...limits, atOnce: 1 });
    const failing = queue.run(hasher.hash('a')).catch((error: Error) => error.message);
    const next = queue.run(hasher.hash('b'));
    await hasher.endFirst(new Error('no memory'));
    expect(await failing).toBe('no memory');
    await hasher.endFirst();
    await next;
    const again = queue.run(hasher.hash('c'));
    expect(hasher.started).toEqual(['a', 'b', 'c']);
    await hasher.endFirst();
    expect(await again).toBe('c');
  });
});
