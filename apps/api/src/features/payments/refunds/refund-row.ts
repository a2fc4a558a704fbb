import { money } from '@counterfoil/domain/money/money.ts';
import type { Refund } from '@counterfoil/gateways/port/gateway.ts';
import { gatewayRef, remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Secrets } from '../../../secrets.ts';
import { type AttemptRow, attemptColumns, openGatewayState } from '../attempts/attempt-row.ts';
import { feeGoneBack } from '../queries.ts';

/** A charge's money as it was booked, with the attempt that took it. */
export interface Taken {
  readonly id: string;
  readonly remote: string;
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly reversed_minor: bigint;
  /** Of refunds whose end nobody knows yet. */
  readonly leaving_minor: bigint;
  readonly fee_minor: bigint;
  /** What is left of the fee after what went back, and what refunds that are not ended yet take of it. */
  readonly fee_left_minor: bigint;
  readonly attempt_id: string;
}

const taken = (customerId: string, captureId: string) => sql<Taken>`
  select c.id, c.remote, c.currency, c.amount_minor, c.reversed_minor, c.attempt_id, c.to_fee_minor as fee_minor,
         leaving.minor as leaving_minor, c.to_fee_minor - leaving.fee - ${feeGoneBack(customerId, sql`c.id`)} as fee_left_minor
    from capture c
   cross join (select coalesce(sum(g.amount_minor), 0)::bigint as minor, coalesce(sum(g.fee_minor), 0)::bigint as fee
                 from attempt g
                where g.customer_id = ${customerId} and g.of_capture_id = ${captureId} and g.is_open
                  and g.direction = 'refund') leaving
   where c.customer_id = ${customerId} and c.id = ${captureId}`;

export const findTaken = (db: Db, customerId: string, captureId: string) =>
  db.maybeOne(taken(customerId, captureId));

/** The same with the capture's row locked; the charge's attempt is locked before, as everybody does. */
export async function lockTaken(
  tx: Tx,
  customerId: string,
  captureId: string,
): Promise<{ taken: Taken; charge: AttemptRow } | undefined> {
  const charge = await tx.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
     where a.customer_id = ${customerId}
       and a.id = (select attempt_id from capture where customer_id = ${customerId} and id = ${captureId}) for update`);
  await tx.maybeOne(sql`
    select 1 from capture where customer_id = ${customerId} and id = ${captureId} for update`);
  const found = await findTaken(tx, customerId, captureId);
  return charge === undefined || found === undefined ? undefined : { taken: found, charge };
}

/** Kept with a refund, so that built again it is the same: what had gone back before it, minor units. */
export interface RefundLabels {
  readonly refundedBefore: string;
}

/** The order as it was sent, built again from the row. */
export function refundFromRow(row: AttemptRow, charge: AttemptRow, of: Taken, secrets: Secrets): Refund {
  const { refundedBefore } = row.labels as unknown as RefundLabels;
  return {
    ref: gatewayRef(row.ref),
    sentAt: row.sent_at,
    lastSentAt: row.last_sent_at,
    amount: money(row.amount_minor, row.currency),
    of: {
      ref: gatewayRef(charge.ref),
      remote: remoteId(of.remote),
      state: openGatewayState(charge.gateway_state_sealed, charge.id, secrets) ?? {},
      captured: money(of.amount_minor, of.currency),
      refundedBefore: money(BigInt(refundedBefore), of.currency),
    },
    reason: 'requestedByCustomer',
  };
}
