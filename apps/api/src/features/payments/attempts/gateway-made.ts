import type { Money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { ChargeLabels, MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { authorisedCustomer } from '../../../http/requests/scope.ts';
import { sha256 } from '../../../secrets.ts';
import { sessionParts } from '../session.ts';
import type { Direction } from './attempt-row.ts';
import { type ChargeLine, claimParts } from './claims.ts';
import { nextLookupAt } from './schedule.ts';

/** An attempt that no payer of ours started: its gateway makes it, or has made it and it was forgotten here. */
export interface GatewayMade {
  readonly customerId: string;
  readonly attemptId: string;
  readonly resellerId: number;
  readonly accountId: string;
  readonly gateway: string;
  readonly direction: Exclude<Direction, 'refund'>;
  /** What was booked of the charge that is collected once more. */
  readonly captureId: string | null;
  readonly ref: string;
  readonly kind: MethodKind;
  readonly amount: Money;
  /** Part of it, minor units. */
  readonly fee: bigint;
  readonly state: 'pending' | 'unknown';
  readonly remote: string | null;
  readonly labels: ChargeLabels;
  readonly returnTo: string;
  readonly receiptEmail: string | null;
  readonly method: string | null;
  readonly answerWithinMs: number;
  /** What it holds; the invoices are locked. */
  readonly lines: readonly ChargeLine[];
  readonly sentAt: Date;
  readonly now: Date;
  /** Kept with its first transition. */
  readonly evidence: Readonly<Record<string, string>>;
}

/** Writes session, attempt and claims of an attempt that was not started here. Nothing is sent for it. */
export async function writeGatewayMade(tx: Tx, made: GatewayMade): Promise<void> {
  const { customerId, attemptId, resellerId, ref, state, lines, sentAt, now, answerWithinMs } = made;
  const { currency, minor } = made.amount;
  const sessionId = newId(now.getTime());
  const quote = {
    currency,
    totalMinor: lines.reduce((sum, { amount }) => sum + amount.minor, 0n),
    creditMinor: 0n,
    digest: sha256(ref),
    lines: lines.map(({ invoiceId, amount }) => ({
      kind: 'invoice' as const,
      invoiceId,
      minor: amount.minor,
    })),
  };
  const scope = authorisedCustomer(customerId, resellerId, 'system');
  const lookupAt = nextLookupAt(
    state,
    { sent_at: sentAt, lookups: {}, answer_within_ms: answerWithinMs },
    now,
  );
  await tx.execute(sql`
    with ${sessionParts(scope, { id: sessionId, origin: 'gateway', quote }, { now })}
    select 1`);
  await tx.execute(sql`
    insert into attempt (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, of_capture_id,
      ref, request_digest, kind, initiator, currency, amount_minor, fee_minor, state, remote, labels, return_to,
      receipt_email, method, next_lookup_at, sent_at, last_sent_at, answer_within_ms, updated_at)
    values (${customerId}, ${attemptId}, ${sessionId}, ${resellerId}, ${made.accountId}, ${made.gateway},
      ${made.direction}, ${made.captureId}, ${ref}, ${quote.digest}, ${made.kind}, 'merchant', ${currency}, ${minor},
      ${made.fee}, ${state}, ${made.remote}, ${JSON.stringify(made.labels)}, ${made.returnTo}, ${made.receiptEmail},
      ${made.method}, ${lookupAt}, ${sentAt}, ${sentAt}, ${answerWithinMs}, ${now})`);
  await tx.execute(sql`
    insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, evidence, at)
    values (${customerId}, ${attemptId}, 0, null, ${state}, 'gateway', ${JSON.stringify(made.evidence)}, ${now})`);
  await tx.execute(sql`
    insert into attempt_ref (ref, customer_id, attempt_id) values (${ref}, ${customerId}, ${attemptId})`);
  if (lines.length > 0) await tx.execute(sql`with ${claimParts(customerId, attemptId, lines)} select 1`);
}
