import type { Money } from '@counterfoil/domain/money/money.ts';
import { listOf, type Sql, sql } from '../../../db/sql.ts';

/** What an attempt is to pay of one invoice. */
export interface ChargeLine {
  readonly invoiceId: string;
  readonly amount: Money;
}

/**
 * Writes the claims of an attempt, as parts of a statement's `with`; in the order of their ids, as everybody takes them:
 * overlapping sets then wait, and never deadlock. The invoices are locked.
 */
export function claimParts(customerId: string, attemptId: string, given: readonly ChargeLine[]): Sql {
  const lines = [...given].sort((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  const ids = lines.map((line) => line.invoiceId);
  const minors = lines.map((line) => String(line.amount.minor));
  return sql`
      claimed as (
        insert into claim (customer_id, attempt_id, invoice_id, amount_minor, is_open)
        select ${customerId}, ${attemptId}, invoice_id, minor, true
          from unnest(${listOf(ids, 'uuid')}, ${listOf(minors, 'bigint')}) as l(invoice_id, minor)
         order by invoice_id
        returning invoice_id, amount_minor),
      held as (
        update invoice i set held_minor = i.held_minor + c.amount_minor from claimed c
         where i.customer_id = ${customerId} and i.id = c.invoice_id)`;
}
