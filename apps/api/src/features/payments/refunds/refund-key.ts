import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type AttemptRow, attemptColumns } from '../attempts/attempt-row.ts';

/**
 * How an order that comes twice is known to be the same one; the second then answers the first.
 * - `caller`: by a key that the caller has made up for it
 * - `amount`: by payment and amount. The same amount once more is ordered by naming, in `after`, the refund of it that
 *   there is; all that is left needs no such name, for it can never be refunded twice
 */
export type OrderKey =
  | { readonly by: 'caller'; readonly key: string }
  | { readonly by: 'amount'; readonly after: string | null };

/** What identifies an order: where it stands under its key. Its capture is locked. */
interface Ordered {
  readonly customerId: string;
  readonly captureId: string;
  /** Minor units; all that is left unless given. */
  readonly minor: bigint | undefined;
  readonly key: OrderKey;
  /** What of the payment can still be refunded, minor units. */
  readonly left: bigint;
}

/** The refund that the same order has made before, or the key that a new one is kept under. */
export type Known = { readonly before: AttemptRow } | { readonly clientKey: string };

/** Whether a refund has given money back, or still may. */
export const mayHaveGoneBack = ({ state }: AttemptRow): boolean => isOpen(state) || state === 'succeeded';

/** Looks an order up. One that certainly gave nothing back is no obstacle to another try, unless the caller's key says so. */
export async function findOrdered(tx: Tx, ordered: Ordered): Promise<Known> {
  const { customerId, captureId, minor, key, left } = ordered;
  if (key.by === 'caller') {
    const clientKey = `refund:${captureId}:${key.key}`;
    const before = await tx.maybeOne<AttemptRow>(sql`
      select ${attemptColumns} from attempt a
       where a.customer_id = ${customerId} and a.client_key = ${clientKey}`);
    return before === undefined ? { clientKey } : { before };
  }
  const words = [minor ?? 'all', ...(key.after === null ? [] : ['after', key.after])].join(':');
  const refunds = await tx.many<AttemptRow & { client_key: string | null }>(sql`
    select ${attemptColumns}, a.client_key from attempt a
     where a.customer_id = ${customerId} and a.of_capture_id = ${captureId} and a.direction = 'refund' order by a.sent_at, a.id`);
  const stem = `refund:${captureId}:${words}#`;
  const tries = refunds.filter(({ client_key: of }) => of?.startsWith(stem));
  const before = tries.filter(mayHaveGoneBack).at(-1);
  const isNew = before === undefined || (minor === undefined && left > 0n);
  return isNew ? { clientKey: `${stem}${tries.length + 1}` } : { before };
}

/** A refund of a payment, by our reference. */
export const findRefunded = (tx: Tx, { customerId, captureId }: Ordered, ref: string) =>
  tx.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${customerId} and a.of_capture_id = ${captureId} and a.direction = 'refund' and a.ref = ${ref}`);
