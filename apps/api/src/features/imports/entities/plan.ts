import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { type DescribedKind, describedKind } from './described.ts';
import { guessMapping, type Question, type Said } from './guess.ts';
import { type Head, headOf } from './layout.ts';

/** How a file is read, or what has to be said before it can be. */
export interface Plan {
  readonly kind: DescribedKind;
  readonly mapping: EntityMapping;
  readonly questions: readonly Question[];
  /** Undefined where a mapping of the reseller's own says everything. */
  readonly head: Head | undefined;
  /** Columns of the file that nothing takes. */
  readonly unused: readonly string[];
}

/**
 * Plans the reading of a file of rows.
 * @param head the beginning of the file
 * @param isWhole whether that is all of it
 * @param said what is known of it, or a whole mapping
 * @returns undefined where it is no file of rows, or of no kind that is known
 */
export async function planOf(
  head: Uint8Array,
  isWhole: boolean,
  said: Said | EntityMapping,
): Promise<Plan | undefined> {
  if ('entity' in said) {
    const kind = describedKind(said.entity);
    return { kind, mapping: said, questions: [], head: await headOf(head, isWhole, said), unused: [] };
  }
  const found = await headOf(head, isWhole);
  const guess = found && guessMapping(found, said);
  return guess && { ...guess, head: found };
}

/** What is open, in one sentence. */
export const openQuestions = (questions: readonly Question[]): string =>
  questions
    .slice(0, 5)
    .map(({ text }) => text)
    .join('; ');
