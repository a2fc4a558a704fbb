import type { Tx } from '../../../db/database.ts';
import type { Secrets } from '../../../secrets.ts';
import type { Cause } from '../report/causes.ts';
import { findBuyers, type Target } from '../whose.ts';
import type { Correction } from './correct-invoice.ts';
import { isCredit } from './credits.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import { findByIdentities, type KnownInvoice } from './queries.ts';
import type { StoredInvoice } from './stored-invoice.ts';

/** What taking one document needs beside the transaction. */
export interface InvoiceDeps {
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  readonly now: Date;
  /** Whose it is, where the caller knows; else its buyer tells. */
  readonly customerId?: string;
  /** The identity of its issuer, where the caller knows; else its supplier tells. */
  readonly supplierKey?: string;
  /** Digest of what it says, where the caller counts more than {@link contentHashOf} does. */
  readonly contentHash?: Buffer;
  /** Has a document that differs from the one in the books take its place; without it, it is refused. */
  readonly correction?: Correction;
}

/** A document that is not taken, and why. */
export interface RefusedInvoice {
  readonly is: 'quarantined';
  readonly reason: string;
  readonly cause: Cause;
  /** Addresses, numbers and names of which any would say whose it is. */
  readonly missing: readonly string[];
}

/** A document that is being taken. */
export interface Taking {
  readonly tx: Tx;
  readonly deps: InvoiceDeps;
  readonly target: Target;
  readonly invoice: ImportedInvoice;
  readonly stored: StoredInvoice;
  readonly supplierKey: string;
  readonly contentHash: Buffer;
  /** What it is known again by, as one text. */
  readonly identity: string;
}

/** A document that is in the books, before it is reported. */
export interface InBooks {
  readonly is: 'created' | 'unchanged' | 'updated';
  readonly id: string;
  readonly customerId: string;
  /** Of the link to pay it; null where there is none. */
  readonly token: string | null;
  readonly warnings: readonly string[];
}

/** The documents that are in the books already, by what they are known by. */
export type Known = ReadonlyMap<string, KnownInvoice>;
/** Whose documents are that are not, by the documents. */
export type Buyers = ReadonlyMap<Taking, string>;

export const knownOf = (tx: Tx, { resellerId }: Target, takings: readonly Taking[]): Promise<Known> =>
  findByIdentities(
    tx,
    resellerId,
    takings.map(({ supplierKey, invoice: { kind, number } }) => ({ supplierKey, kind, number })),
  );

export async function buyersOf(
  tx: Tx,
  deps: InvoiceDeps,
  target: Target,
  takings: readonly Taking[],
): Promise<Buyers> {
  const { customerId } = deps;
  const some = takings.filter(({ invoice }) => !isBackwards(invoice));
  const found =
    customerId === undefined
      ? await findBuyers(
          tx,
          target.resellerId,
          some.map(({ invoice: { buyer } }) => buyer),
        )
      : some.map(() => customerId);
  return new Map(
    some.flatMap((taking, at): [Taking, string][] => {
      const whose = found[at] ?? target.defaultCustomerId;
      return whose === null ? [] : [[taking, whose]];
    }),
  );
}

/** It is not clear who owes whom. */
export const isBackwards = ({ kind, totals }: ImportedInvoice): boolean =>
  kind === 'creditNote' && totals.payableMinor < 0n;

/** Numbers of the invoices that a credit names. */
export const namedBy = ({ stored, invoice }: Taking): readonly string[] =>
  isCreditDocument(stored) ? invoice.billingReferences.map(({ number }) => number) : [];

export const isCreditDocument = (stored: StoredInvoice): boolean =>
  isCredit({ payableMinor: stored.payable });
