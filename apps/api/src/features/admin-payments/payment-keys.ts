import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Where a payment stands, found by how a person calls it. */
export interface PaymentKey {
  readonly customerId: string;
  readonly attemptId: string;
  readonly resellerId: number;
  readonly ref: string;
  readonly currency: string;
  /** Of what was taken; null where nothing is booked. */
  readonly captureId: string | null;
}

/** A payment by our reference, its id or the id of its capture; undefined when there is none. */
export function findPaymentKey(db: Db, name: string): Promise<PaymentKey | undefined> {
  const id = isId(name) ? name.toLowerCase() : null;
  return db.maybeOne<PaymentKey>(sql`
    select a.customer_id as "customerId", a.id as "attemptId", a.reseller_id as "resellerId", a.ref,
           coalesce(c.currency, a.currency) as currency, c.id as "captureId"
      from attempt a left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where (a.customer_id, a.id) in (select customer_id, attempt_id from attempt_ref where ref = ${name.toUpperCase()})
        or (${id}::uuid is not null and (a.id = ${id}::uuid or c.id = ${id}::uuid))`);
}
