import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { BillRow } from './queries.ts';

/** Kind of the outbox rows and name of the job that sends them. */
export const AUTO_PAY_MAIL = 'autoPay';

export interface AutoPayMailJob {
  readonly customerId: string;
  readonly outboxId: string;
}

/** What a mail says, as it was decided; amounts are minor units of the invoice's currency. */
export type AutoPayNews =
  | {
      readonly mail: 'autoPayAhead';
      readonly chargeOn: string;
      readonly due: string;
      /** Credit of the customer that will be used first; absent in mails that were promised before it was said. */
      readonly credit?: string;
      readonly fee: string;
      /** What will be charged, and what at most where that credit is used otherwise before. */
      readonly total: string;
      readonly most?: string;
      readonly method: string;
      readonly asksNobody: boolean;
    }
  | { readonly mail: 'autoPayNoMethod'; readonly dueOn: string; readonly due: string }
  | {
      readonly mail: 'autoPayDeclined';
      readonly total: string;
      readonly method: string;
      readonly why: string;
      /** The day of the next try; null: there is none. */
      readonly againOn: string | null;
      /** Only another method helps. */
      readonly isOtherNeeded: boolean;
    }
  | { readonly mail: 'autoPayConfirm'; readonly total: string; readonly method: string }
  /** Less was taken than was charged; `due`: what is still to be paid. */
  | {
      readonly mail: 'autoPayPart';
      readonly taken: string;
      readonly due: string;
      readonly method: string;
    };

/** What the outbox row holds beside what is said. */
export interface AutoPayMailPayload {
  readonly to: string;
  readonly resellerId: number;
  readonly invoiceId: string;
  readonly number: string;
  readonly currency: string;
  readonly news: AutoPayNews;
}

/**
 * Promises one mail, in the transaction of what it tells of.
 * @param key the same for the same news: it goes out once
 */
export async function promiseMail(
  tx: Tx,
  row: BillRow,
  key: string,
  news: AutoPayNews,
  now: Date,
): Promise<void> {
  if (row.email === null) return;
  const id = newId(now.getTime());
  const payload: AutoPayMailPayload = {
    to: row.email,
    resellerId: row.reseller_id,
    invoiceId: row.invoice_id,
    number: row.number,
    currency: row.currency,
    news,
  };
  const written = await tx.execute(sql`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    values (${row.customer_id}, ${id}, ${AUTO_PAY_MAIL}, ${`${row.invoice_id}:${key}`}, ${JSON.stringify(payload)}, ${now})
    on conflict (customer_id, kind, dedupe_key) do nothing`);
  const job: AutoPayMailJob = { customerId: row.customer_id, outboxId: id };
  if (written > 0) await enqueue(tx, AUTO_PAY_MAIL, job, { key: `${AUTO_PAY_MAIL}:${id}` });
}
