import { createHash } from 'node:crypto';
import type { StatementEntry } from '../../bank-entries/service.ts';

/** What banks write where there is nothing to write. */
const NONE = /^(?:NOTPROVIDED|NONREF|NOREF|NONE|N\/A|-|0*)$/i;

/** A reference, or the empty text where it says nothing. */
export const meaningful = (reference: string): string =>
  NONE.test(reference.trim()) ? '' : reference.trim();

/**
 * Gives each entry of one statement its key, which is the same in each statement that has it: of what the bank calls it where it
 * says so, else of all that it says. Entries that are alike in all of that are told apart by their place among each
 * other, so that two equal transfers of a day are two, and a statement that comes again, or that overlaps, has the same.
 * @param entries of one account, in file order; `own` is what the bank calls the transaction itself
 */
export function entryKeysOf(
  entries: readonly (Omit<StatementEntry, 'key'> & { readonly own: string })[],
): readonly StatementEntry[] {
  const seen = new Map<string, number>();
  return entries.map(({ own, ...entry }) => {
    const { sign, amount, bookedOn, isReturn, bankReference, endToEndId } = entry;
    const said = [entry.creditorReference, entry.remittance, entry.partyName, entry.partyAccount];
    const content = JSON.stringify([
      bookedOn,
      sign,
      amount.currency,
      String(amount.minor),
      isReturn,
      own === '' ? [bankReference, endToEndId, ...said.map(plain)] : own,
    ]);
    const occurrence = (seen.get(content) ?? 0) + 1;
    seen.set(content, occurrence);
    return { ...entry, key: createHash('sha256').update(`${content} ${occurrence}`).digest() };
  });
}

/** Line ends and blanks differ between two downloads of the same statement. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
