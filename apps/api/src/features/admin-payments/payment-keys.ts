import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

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

/** Whose it has to be; undefined: anybody's. */
type Whose = number | undefined;

const keyOf = (found: Sql, resellerId: Whose) => sql<PaymentKey>`
    select a.customer_id as "customerId", a.id as "attemptId", a.reseller_id as "resellerId", a.ref,
           coalesce(c.currency, a.currency) as currency, c.id as "captureId"
      from attempt a left join capture c on c.customer_id = a.customer_id and c.attempt_id = a.id
     where (a.customer_id, a.id) in (${found})
       and (${resellerId ?? null}::int is null or a.reseller_id = ${resellerId ?? null})`;

/** A payment by our reference or its id; undefined when there is none. */
export const findPaymentKey = (db: Db, name: string, resellerId?: Whose) =>
  db.maybeOne<PaymentKey>(
    keyOf(
      isId(name)
        ? sql`select customer_id, attempt_id from attempt_ref where attempt_id = ${name}`
        : sql`select customer_id, attempt_id from attempt_ref where ref = ${name.toUpperCase()}`,
      resellerId,
    ),
  );

/** A payment by the id of what was taken, which no index knows: for a person who has it from an old record. */
export const findPaymentKeyOfCapture = (db: Db, captureId: string, resellerId?: Whose) =>
  db.maybeOne<PaymentKey>(
    keyOf(sql`select customer_id, attempt_id from capture where id = ${captureId}`, resellerId),
  );
