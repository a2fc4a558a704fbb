import type { Database } from '../../../db/database.ts';
import { matchOf, type StatementEntry, type TakenEntry, takeEntry } from '../../bank-entries/service.ts';
import type { StatementReading } from './reading.ts';

/** How many entries of a statement came to what. */
export type StatementCounts = Readonly<Record<TakenEntry, number>>;

/** What became of a statement. */
export interface TakenStatement {
  readonly counts: StatementCounts;
  /** It was asked to stop before all entries were in. */
  readonly isStopped: boolean;
}

/** How often a statement that is being taken in is asked whether it is to stop. */
const ASK_EVERY = 100;

/**
 * Takes the entries of a statement in, each in a transaction of its own: what breaks off on the way is taken up by the same file
 * again, for an entry that is in is known.
 * @param of.isStopping asked now and then
 */
export async function takeStatement(
  db: Database,
  { entries }: StatementReading,
  of: {
    readonly resellerId: number;
    readonly fileId: string;
    readonly now: Date;
    readonly isStopping?: () => Promise<boolean>;
  },
): Promise<TakenStatement> {
  const counts = { known: 0, booked: 0, suggested: 0, unmatched: 0, passedOver: 0 };
  for (const [at, entry] of entries.entries()) {
    if (at > 0 && at % ASK_EVERY === 0 && (await of.isStopping?.())) return { counts, isStopped: true };
    counts[await db.transaction((tx) => takeEntry(tx, of, entry))] += 1;
  }
  return { counts, isStopped: false };
}

/** How many of them went in, new or known. */
export const createdOf = ({ booked, suggested, unmatched }: StatementCounts): number =>
  booked + suggested + unmatched;

/** What taking a credit in would come to; changes nothing. */
export async function previewCredit(
  db: Database,
  resellerId: number,
  entry: StatementEntry,
): Promise<'booked' | 'suggested' | 'unmatched'> {
  const match = await matchOf(db, resellerId, entry);
  return match.is === 'certain' ? 'booked' : match.is;
}

/** What came of it, in words. */
export function countsInWords({ known, booked, suggested, unmatched, passedOver }: StatementCounts): string {
  const parts = [
    `${booked} booked`,
    `${suggested} to be decided`,
    `${unmatched} waiting`,
    ...(known > 0 ? [`${known} known`] : []),
    ...(passedOver > 0 ? [`${passedOver} of money going out passed over`] : []),
  ];
  return parts.join(', ');
}
