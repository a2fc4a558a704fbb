import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallSlots, SLOW_MS } from './call-slots.ts';

/** Slots with calls that end when they are told to, at a time that is told too. */
function setUp(limits = { all: 6, slow: 3, each: 2 }) {
  let nowMs = 0;
  const slots = new CallSlots(() => nowMs, limits);
  const underWay: { account: string; end: () => void }[] = [];
  let most = 0;
  const call = (account: string) =>
    slots.run(account, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      underWay.push({ account, end: resolve });
      most = Math.max(most, underWay.length);
      await promise;
    });
  return {
    slots,
    call: (account: string, times = 1) => {
      for (let n = 0; n < times; n += 1) void call(account);
    },
    of: (beginning: string) => underWay.filter(({ account }) => account.startsWith(beginning)).length,
    most: () => most,
    /** Ends what is under way for some accounts, after so long. */
    async end(beginning: string, afterMs: number) {
      await wait(0);
      nowMs += afterMs;
      for (const one of underWay.filter(({ account }) => account.startsWith(beginning))) {
        underWay.splice(underWay.indexOf(one), 1);
        one.end();
      }
      await wait(0);
    },
    settled: () => wait(0),
  };
}

it('one process holds no more calls than its limit, and no more than its limit to one account', async () => {
  const { call, of, most, settled, end } = setUp();
  for (let n = 0; n < 50; n += 1) call(`a${n}.`, 8);
  await settled();
  expect([of('a'), of('a0.')]).toEqual([6, 2]);
  for (let round = 0; round < 100; round += 1) await end('a', 1);
  expect([of('a'), most()]).toEqual([0, 6]);
});

it('an account with much to ask has two, until others come', async () => {
  const { call, of, settled } = setUp();
  call('busy', 20);
  call('late');
  await settled();
  expect([of('busy'), of('late')]).toEqual([2, 1]);
});

it('fifty dead accounts leave room for one that answers', async () => {
  const { call, of, end, settled } = setUp();
  for (let n = 0; n < 50; n += 1) call(`dead${n}.`, 40);
  // Once nobody knows yet that they are dead: each is asked once.
  for (let round = 0; round < 12; round += 1) await end('dead', SLOW_MS);
  call('good', 10);
  await settled();
  expect(of('dead')).toBeLessThanOrEqual(3);
  expect(of('good')).toBe(2);
  for (let round = 0; round < 5; round += 1) await end('good', 10);
  expect(of('good')).toBe(0);
});

it('an account that answers again is asked as before', async () => {
  const { call, of, end } = setUp();
  call('one', 12);
  await end('one', SLOW_MS);
  expect(of('one')).toBe(1);
  await end('one', 10);
  expect(of('one')).toBe(2);
});

it('a call that fails gives its room back', async () => {
  const { slots, call, of, settled } = setUp({ all: 1, slow: 1, each: 1 });
  const failed = slots.run('one', async () => {
    throw new Error('no');
  });
  call('other');
  await expect(failed).rejects.toThrow('no');
  await settled();
  expect(of('other')).toBe(1);
});
