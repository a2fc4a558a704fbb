import { STRENGTH_WORDS } from '@counterfoil/domain/text/password.ts';

/** Shorter passwords are the worst whatever they are made of (specification, portal §5). */
const METER_MIN_LENGTH = 5;
/** The least score that is good enough (specification, portal §5). */
const METER_MIN_SCORE = 2;

/** A rating of the meter. */
export interface Strength {
  /** 0 to 4 */
  readonly score: number;
  readonly word: (typeof STRENGTH_WORDS)[number];
  readonly isEnough: boolean;
}

/**
 * What the meter shows for a password.
 * @param estimate the estimator's score, 0 to 4
 */
export function strengthOf(password: string, estimate: number): Strength {
  const isShort = [...password].length < METER_MIN_LENGTH;
  const score = isShort ? 0 : Math.max(0, Math.min(STRENGTH_WORDS.length - 1, Math.trunc(estimate)));
  return { score, word: STRENGTH_WORDS[score] ?? STRENGTH_WORDS[0], isEnough: score >= METER_MIN_SCORE };
}
