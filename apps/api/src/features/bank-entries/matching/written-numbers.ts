import { readCreditorReference } from '@counterfoil/domain/paying/creditor-reference.ts';
import type { StatementEntry } from '../statement-entry.ts';

/** A number as a payer may have written it, and where: the words of which text it is made of. */
export interface WrittenNumber {
  /** In capitals, letters and digits only. */
  readonly plain: string;
  readonly text: number;
  readonly from: number;
  readonly to: number;
  /** Nothing but signs stands between its words: it was written in one piece. */
  readonly isWhole: boolean;
}

/** Most words of a text that are looked at, and of which one number is made. */
const MOST_WORDS = 200;
const MOST_JOINED = 5;
/** Shorter ones are years, months and counts. */
const SHORTEST = 3;
const LONGEST = 40;

/**
 * All that may be a number in what a payer wrote: each word that has a digit, and words that stand side by side as one, for banks
 * break lines within numbers and payers write them in groups. A number is never found within a word.
 */
export function writtenNumbers(
  entry: Pick<StatementEntry, 'remittance' | 'creditorReference' | 'endToEndId'>,
): readonly WrittenNumber[] {
  const { remittance, creditorReference, endToEndId } = entry;
  const texts = [remittance, readCreditorReference(creditorReference) ?? creditorReference, endToEndId];
  return texts.flatMap((text, at) => numbersOf(text, at));
}

function numbersOf(text: string, at: number): WrittenNumber[] {
  const words = [...text.matchAll(/[A-Za-z0-9]+/g)].slice(0, MOST_WORDS);
  const found: WrittenNumber[] = [];
  for (const [from, word] of words.entries()) {
    let plain = '';
    let isWhole = true;
    for (let to = from; to < Math.min(words.length, from + MOST_JOINED); to += 1) {
      const next = words[to];
      const before = words[to - 1];
      if (next === undefined) break;
      if (before !== undefined && to > from)
        isWhole &&= !/\s/.test(text.slice(before.index + before[0].length, next.index));
      plain += next[0].toUpperCase();
      if (plain.length > LONGEST) break;
      if (plain.length >= SHORTEST && /\d/.test(plain)) found.push({ plain, text: at, from, to, isWhole });
    }
    // References of creditors stand in free texts too.
    const reference = creditorReferenceFrom(words, from);
    if (reference !== null) found.push({ plain: reference, text: at, from, to: from, isWhole: true });
    if (word.index > 10_000) break;
  }
  return found;
}

function creditorReferenceFrom(words: readonly RegExpExecArray[], from: number): string | null {
  if (!/^RF\d{2}/i.test(words[from]?.[0] ?? '')) return null;
  // Printed in groups of four, of which the last may be shorter.
  for (let count = 7; count > 0; count -= 1) {
    const text = words
      .slice(from, from + count)
      .map(([word]) => word)
      .join('');
    const reference = readCreditorReference(text);
    if (reference !== null) return reference;
  }
  return null;
}

/**
 * Which of the numbers that are known a payer has named. One that is but a part of a longer known one was not named where the
 * longer was written in one piece; else it is not clear which was meant.
 */
export function namedNumbers(
  written: readonly WrittenNumber[],
  known: ReadonlySet<string>,
): { readonly numbers: ReadonlySet<string>; readonly isAmbiguous: boolean } {
  const hits = written.filter(({ plain }) => known.has(plain));
  const numbers = new Set<string>();
  let isAmbiguous = false;
  for (const hit of hits) {
    const longer = hits.find(
      (one) =>
        one !== hit &&
        one.plain !== hit.plain &&
        one.text === hit.text &&
        one.from <= hit.from &&
        one.to >= hit.to,
    );
    if (longer?.isWhole === true) continue;
    if (longer !== undefined) isAmbiguous = true;
    numbers.add(hit.plain);
  }
  return { numbers, isAmbiguous };
}
