import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sqlOnce } from '../../db/sql.ts';

/** Accounts of the ledger. Money at the gateway is an asset; invoices are what customers owe. */
export const Account = {
  gateway: 'gateway',
  /** Where money that came outside the portal is. */
  external: 'external',
  receivable: 'receivable',
  feeIncome: 'feeIncome',
  customerCredit: 'customerCredit',
  /** What a credit note or a negative invoice gives: less income of ours. */
  creditNote: 'creditNote',
  /** What the provider says of a balance beside its documents: opening balances and corrections by hand. */
  adjustment: 'adjustment',
  /** Money refunded for an invoice that stays settled: a cost of ours, not a debt of the customer's. */
  refunded: 'refunded',
  /** What a gateway took back beyond what a charge had brought in: a cost until it comes back. */
  lost: 'lostAtGateway',
} as const;

/** One entry: both sides, and what it is of. */
export interface Posting {
  readonly customerId: string;
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  /** Minor units. */
  readonly minor: bigint;
  /** What kind of row caused it, and which. */
  readonly source: string;
  readonly sourceId: string;
  /** Tells the entries of one cause apart. */
  readonly leg: string;
  readonly at: Date;
}

/** Posts an entry; nothing where the amount is 0. The same cause and leg again breaks the table's key. */
export async function postLedger(tx: Tx, posting: Posting): Promise<void> {
  const { customerId, debit, credit, currency, minor, source, sourceId, leg, at } = posting;
  if (minor <= 0n) return;
  await tx.execute(sqlOnce`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    values (${customerId}, ${newId(at.getTime())}, ${debit}, ${credit}, ${currency}, ${minor}, ${source}, ${sourceId},
            ${leg}, ${at})`);
}
