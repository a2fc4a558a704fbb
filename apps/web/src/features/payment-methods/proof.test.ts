import { describe, expect, it } from 'vitest';
import { accountOf, cardOf } from '../../paying/methods/test-support.ts';
import { nextDefault } from './dialogs/next-default.ts';
import { proofOf } from './proof.ts';

describe('the proof of an account', () => {
  it.each([
    ['SM11AA', 'SM11AA'],
    [' sm11aa ', 'SM11AA'],
    ['SM11', undefined],
    ['', undefined],
  ])('is a code of six characters: %j', (code, sent) => {
    const proof = proofOf({ way: 'descriptorCode', code, first: '32', second: '45' });
    expect(proof).toEqual(sent === undefined ? undefined : { descriptorCode: sent });
  });
  it.each([
    ['32', '45', '32,45'],
    [' 1', '999', '1,999'],
    ['32', '', undefined],
    ['0.32', '45', undefined],
  ])('or two amounts in minor units: %j and %j', (first, second, sent) => {
    const proof = proofOf({ way: 'amounts', code: 'SM11AA', first, second });
    expect(proof).toEqual(sent === undefined ? undefined : { amounts: sent });
  });
});

it('the first remaining method that can be charged is the next default: cards before accounts', () => {
  const old = cardOf({ id: 'old', isExpired: true });
  const [card, account] = [cardOf({ id: 'card' }), accountOf({ id: 'account' })];
  expect(nextDefault([account, old, card])).toBe(card);
  expect(nextDefault([old, account])).toBe(account);
  expect(nextDefault([old, accountOf({ status: 'pending' })])).toBeUndefined();
});
