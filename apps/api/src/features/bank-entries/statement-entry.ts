import type { Money } from '@counterfoil/domain/money/money.ts';
import type { Day } from '@counterfoil/domain/time/dates.ts';

/** What a bank statement says of one transaction. Texts are trimmed and bounded; empty where nothing was said. */
export interface StatementEntry {
  /** The provider's own account, without blanks: an IBAN or what the bank calls it. */
  readonly account: string;
  /** Which one it is, as {@link entryKeysOf} says. */
  readonly key: Buffer;
  readonly sign: 'credit' | 'debit';
  /** Above nothing. */
  readonly amount: Money;
  readonly bookedOn: Day;
  /** It takes back an earlier entry. */
  readonly isReturn: boolean;
  /** False: it stands for several transactions whose amounts the bank did not tell. */
  readonly isSingle: boolean;
  readonly bankReference: string;
  readonly endToEndId: string;
  /** ISO 11649 or another structured one, as it was written. */
  readonly creditorReference: string;
  readonly remittance: string;
  /** Who has paid, or is paid. */
  readonly partyName: string;
  readonly partyAccount: string;
  /** Where it stands in the file, from 1. */
  readonly line: number;
}

/** How long texts of an entry may be; what is longer is cut. */
export const MOST_TEXT = 2_000;
export const MOST_NAME = 200;
