import { dictionary } from '@zxcvbn-ts/language-common';

/** The commonest passwords of published leaks, in small letters. */
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'] as string[]);

/** Shorter words stand inside too many good passwords to say anything. */
const SHORTEST_WORD = 4;

/**
 * Whether a password is one that guessers try first: one of the commonest, or nothing but one of the given words
 * (brand, company, the person's own address) with digits or signs around.
 * @param words names as they are written; each counts whole and by its parts
 */
export function isCommonPassword(password: string, words: readonly string[]): boolean {
  const folded = fold(password);
  if (commonPasswords.has(folded)) return true;
  const core = letters(folded);
  return core !== '' && words.some((word) => partsOf(word).includes(core));
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase();
const letters = (text: string) => text.replaceAll(/[^\p{L}]/gu, '');

function partsOf(word: string): string[] {
  const folded = fold(word);
  const parts = [folded, ...folded.split(/[^\p{L}\p{N}]+/u)];
  return parts.map(letters).filter((part) => part.length >= SHORTEST_WORD);
}
