import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../../../db/database.ts';
import { sqlOnce } from '../../../db/sql.ts';
import { enqueue } from '../../../jobs/queue.ts';
import type { AttemptRow } from '../attempts/attempt-row.ts';

/** Kind of the outbox row and of the job that sends it. */
export const RECEIPT = 'receipt';

/** What the job gets: the row of the outbox says the rest. */
export interface ReceiptJob {
  readonly customerId: string;
  readonly outboxId: string;
}

/**
 * Promises one receipt for a payment, in the transaction that books it: it goes out whatever happens to this
 * process, and only once however often the payment is reported.
 */
export async function enqueueReceipt(
  tx: Tx,
  attempt: AttemptRow,
  captureId: string,
  now: Date,
): Promise<void> {
  const { customer_id: customerId, id: attemptId, receipt_email: to } = attempt;
  await promise(tx, { customerId, to, key: captureId, payload: { captureId, attemptId, to } }, now);
}

/** The same for a payment that credit made alone. */
export const enqueueCreditReceipt = (
  tx: Tx,
  of: { readonly customerId: string; readonly sessionId: string; readonly to: string | null },
  now: Date,
): Promise<void> => {
  const { customerId, sessionId, to } = of;
  return promise(tx, { customerId, to, key: sessionId, payload: { sessionId, to } }, now);
};

interface Promised {
  readonly customerId: string;
  readonly to: string | null;
  readonly key: string;
  readonly payload: object;
}

async function promise(tx: Tx, { customerId, to, key, payload }: Promised, now: Date): Promise<void> {
  if (to === null) return;
  const id = newId(now.getTime());
  const written = await tx.execute(sqlOnce`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    values (${customerId}, ${id}, ${RECEIPT}, ${key}, ${JSON.stringify(payload)}, ${now})
    on conflict (customer_id, kind, dedupe_key) do nothing`);
  const job: ReceiptJob = { customerId, outboxId: id };
  if (written > 0) await enqueue(tx, RECEIPT, job, { key: `receipt:${key}` });
}
