import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './block-list.ts';

const words = ['Halyard Telecom', 'ada@demo.example', 'Ada Lovelace', 'MX'];

describe('the block list', () => {
  it.each(['123456', 'password', 'PASSWORD', 'Qwertyuiop', 'iloveyou', '１２３４５６'])(
    'holds %s [decisions.9.block-list]',
    (password) => {
      expect(isCommonPassword(password, [])).toBe(true);
    },
  );

  it.each(['halyard', 'Halyard1', 'HALYARD!2026', 'halyard-telecom', '12lovelace34', 'Telecom#1'])(
    'refuses a word about the brand or the person: %s',
    (password) => {
      expect(isCommonPassword(password, words)).toBe(true);
    },
  );

  it.each([
    'halyard-lantern',
    'mx-4711-harbour',
    'Ledger!2026',
    'x'.repeat(128),
    '!!!!!!!!',
    '漢字仮名交じり文',
  ])('takes %s', (password) => {
    expect(isCommonPassword(password, words)).toBe(false);
  });
});
