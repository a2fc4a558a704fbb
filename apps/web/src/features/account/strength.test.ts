import { describe, expect, it } from 'vitest';
import { estimate } from './estimator.ts';
import { strengthOf } from './strength.ts';

describe('the strength meter', () => {
  it.each([
    [0, 'Bad', false],
    [1, 'Weak', false],
    [2, 'Decent', true],
    [3, 'Strong', true],
    [4, 'Great', true],
  ] as const)(
    'has a word for each score, and 2 is enough: %i [portal.account.constant.meter-min-score, portal.account.text.{meter-bad,meter-weak,meter-decent,meter-strong,meter-great}]',
    (score, word, isEnough) => {
      expect(strengthOf('12345', score)).toEqual({ score, word, isEnough });
    },
  );

  it('rates fewer than five characters as the worst, whatever they are [portal.account.constant.meter-min-length]', () => {
    expect(strengthOf('!x9Ä', 4)).toEqual({ score: 0, word: 'Bad', isEnough: false });
    expect(strengthOf('😀😀😀😀', 4).word).toBe('Bad');
  });

  it('knows common passwords, and what is known about the person', () => {
    expect(estimate('password1', [])).toBeLessThan(2);
    expect(estimate('harbour-lantern-47', [])).toBe(4);
    expect(estimate('lighthousekeeper', [])).toBeGreaterThan(
      estimate('lighthousekeeper', ['lighthousekeeper']),
    );
  });
});
