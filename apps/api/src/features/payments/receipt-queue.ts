import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { AttemptRow } from './attempt-row.ts';

/** Kind of the outbox row and of the job that sends it. */
export const RECEIPT = 'receipt';

/** What the job gets: the row of the outbox says the rest. */
export interface ReceiptJob {
  readonly customerId: string;
  readonly outboxId: string;
}

/**
 * Promises one receipt for a capture, in the transaction that books it: it goes out whatever happens to this
 * process, and only once however often the payment is reported.
 */
export async function enqueueReceipt(
  tx: Tx,
  attempt: AttemptRow,
  captureId: string,
  now: Date,
): Promise<void> {
  if (attempt.receipt_email === null) return;
  const id = newId(now.getTime());
  const written = await tx.execute(sql`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    values (${attempt.customer_id}, ${id}, ${RECEIPT}, ${captureId},
            ${JSON.stringify({ captureId, attemptId: attempt.id, to: attempt.receipt_email })}, ${now})
    on conflict (customer_id, kind, dedupe_key) do nothing`);
  const job: ReceiptJob = { customerId: attempt.customer_id, outboxId: id };
  if (written > 0) await enqueue(tx, RECEIPT, job, { key: `receipt:${captureId}` });
}
