import type { SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { cardOf } from '../../paying/methods/test-support.ts';
import { followSetup } from './follow-setup.ts';

const answer = (over: Partial<SetupAnswer>): SetupAnswer => ({
  status: 'processing',
  reqUid: 'r',
  ...over,
});
const soon = answer({ expected: 'seconds' });
const passing = new ApiError(503, 'server.unavailable', '');

/** Follows through these answers; the last one is given for ever. */
async function follow(script: readonly (SetupAnswer | Error)[], isOver = () => false) {
  const pauses: number[] = [];
  let asked = 0;
  const end = await followSetup('r', {
    ask: async () => {
      const next = script[Math.min(asked, script.length - 1)];
      asked += 1;
      if (next === undefined || next instanceof Error) throw next;
      return next;
    },
    wait: async (ms) => void pauses.push(ms),
    isOver,
  });
  return { end, asked, pauses };
}

describe('a setup is asked about', () => {
  it('until it is saved', async () => {
    const source = cardOf();
    const { end, asked } = await follow([soon, soon, answer({ status: 'succeeded', source })]);
    expect([end, asked]).toEqual([{ is: 'saved', source }, 3]);
  });
  it('until the bank takes days, or the customer has to do something', async () => {
    expect((await follow([answer({ expected: 'days' })])).end.is).toBe('waiting');
    const action = answer({ status: 'requires_action', redirectToUrl: 'https://bank.example' });
    expect((await follow([action])).end).toEqual({ is: 'action', url: 'https://bank.example' });
  });
  it('until it is refused', async () => {
    const error = new ApiError(402, 'paymentMethod.declined', 'No');
    expect((await follow([soon, error])).end).toEqual({ is: 'refused', error });
  });
  it.each([passing, new ApiError(429, 'rate.limited', ''), new ApiError(0, 'client.unreachable', '')])(
    'again after %s',
    async (error) => {
      expect((await follow([error, answer({ status: 'succeeded' })])).end.is).toBe('saved');
    },
  );
  it('for about two minutes, and ever more slowly', async () => {
    const { end, pauses } = await follow([soon]);
    expect(end).toEqual({ is: 'unknown' });
    const total = pauses.reduce((sum, one) => sum + one, 0);
    expect(total).toBeGreaterThan(90_000);
    expect(total).toBeLessThan(150_000);
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
  });
  it('no more when the page is gone', async () => {
    expect((await follow([soon], () => true)).asked).toBe(1);
  });
});
