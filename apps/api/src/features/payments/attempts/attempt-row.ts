import { money } from '@counterfoil/domain/money/money.ts';
import type { AttemptState } from '@counterfoil/domain/paying/attempt.ts';
import { openStates } from '@counterfoil/domain/paying/attempt.ts';
import type {
  Action,
  Charge,
  ChargeLabels,
  ChargeSource,
  Decline,
  GatewayState,
  MethodKind,
} from '@counterfoil/gateways/port/gateway.ts';
import { gatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import * as z from 'zod/mini';
import type { Db } from '../../../db/database.ts';
import { sql, sqlOnce } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { Secrets } from '../../../secrets.ts';
import type { AfterEnd } from '../after-end/plan.ts';
import { billingOwner } from '../billing-owner.ts';

export type Direction = 'charge' | 'refund' | 'resubmission';

export interface AttemptKey {
  readonly customerId: string;
  readonly attemptId: string;
}

/** A row of `attempt`, as the engine reads it. */
export interface AttemptRow {
  customer_id: string;
  id: string;
  session_id: string;
  reseller_id: number;
  gateway_account_id: string;
  gateway: string;
  /** `resubmission`: the gateway collects a failed charge once more by itself. */
  direction: Direction;
  /** The charge that is refunded, or was booked of the one that is collected once more. */
  of_capture_id: string | null;
  ref: string;
  kind: MethodKind;
  initiator: 'customer' | 'merchant';
  currency: string;
  amount_minor: bigint;
  fee_minor: bigint;
  /** Credit held beside the amount. */
  credit_minor: bigint;
  state: AttemptState;
  remote: string | null;
  /** What it is paid with, as a person knows it. */
  method: string | null;
  labels: ChargeLabels;
  gateway_state_sealed: Buffer | null;
  method_sealed: Buffer | null;
  payer_sealed: Buffer | null;
  /** Who owns a method that pays once, and from where it is paid. */
  owner_sealed: Buffer | null;
  action: Action | null;
  decline: Decline | null;
  request_digest: Buffer;
  return_to: string;
  /** Hash of the pay link it was made through, if it was. */
  pay_link_hash: Buffer | null;
  receipt_email: string | null;
  seq: number;
  lookups: Record<string, number>;
  /** When each way of finding out was last used: way → ISO time. */
  looked_up_at: Record<string, string>;
  /** The saved method that is charged; null for what is not saved. */
  payment_method_id: string | null;
  sent_at: Date;
  last_sent_at: Date;
  /** How long the gateway's answer to one money call may take, as its account said when the attempt was written. */
  answer_within_ms: number;
  /** What is to be done once it has ended. */
  after_end: AfterEnd | null;
  updated_at: Date;
}

/**
 * For a statement about one attempt, found by its id. By `is_open` the planner would take the index of all open attempts of
 * a reseller, since it expects few, and read through those that have ended since the last vacuum.
 */
export const isInOpenState = sql`state in (${sql.join(openStates.map((state) => sql.lit(state)))})`;

export const attemptColumns = sql`a.customer_id, a.id, a.session_id, a.reseller_id, a.gateway_account_id, a.gateway,
  a.direction, a.of_capture_id, a.ref, a.kind, a.initiator, a.currency, a.amount_minor, a.fee_minor, a.credit_minor, a.state, a.remote, a.method,
  a.labels, a.gateway_state_sealed, a.method_sealed, a.payer_sealed, a.owner_sealed, a.action, a.decline, a.request_digest, a.return_to, a.pay_link_hash, a.receipt_email, a.seq,
  a.lookups, a.looked_up_at, a.payment_method_id, a.sent_at, a.last_sent_at, a.answer_within_ms, a.after_end, a.updated_at`;

const gatewayState = z.record(z.string(), z.string());
/** What we have sealed ourselves. */
const ownerOfCharge = z.object({
  owner: z.exactOptional(billingOwner),
  client: z.exactOptional(z.object({ ip: z.string(), userAgent: z.string() })),
});

/** What the adapter wanted to see again; the engine cannot read it, and neither can a thief of the table. */
export function openGatewayState(
  sealed: Buffer | null,
  attemptId: string,
  secrets: Secrets,
): GatewayState | undefined {
  return sealed === null ? undefined : gatewayState.parse(JSON.parse(secrets.open(sealed, attemptId)));
}

export function sealGatewayState(content: GatewayState, attemptId: string, secrets: Secrets): Buffer {
  return secrets.seal(JSON.stringify(content), attemptId);
}

/** The charge as it was sent, built again from the row. A one-time token is gone: `lost`. */
export function chargeFromRow(row: AttemptRow, secrets: Secrets, pay?: ChargeSource): Charge {
  const saved = openGatewayState(row.method_sealed, row.id, secrets);
  return {
    ref: gatewayRef(row.ref),
    sentAt: row.sent_at,
    lastSentAt: row.last_sent_at,
    amount: money(row.amount_minor, row.currency),
    fee: money(row.fee_minor, row.currency),
    initiator: row.initiator,
    source: pay ?? (saved === undefined ? 'lost' : { saved }),
    labels: row.labels,
    payer: openGatewayState(row.payer_sealed, row.id, secrets) ?? {},
    returnTo: row.return_to,
    ...openOwner(row, secrets),
  };
}

/** As {@link sealOwner} has sealed it. */
function openOwner(
  { id, owner_sealed: sealed }: AttemptRow,
  secrets: Secrets,
): Pick<Charge, 'owner' | 'client'> {
  return sealed === null ? {} : ownerOfCharge.parse(JSON.parse(secrets.open(sealed, id)));
}

export const sealOwner = (
  of: Pick<Charge, 'owner' | 'client'>,
  attemptId: string,
  secrets: Secrets,
): Buffer => secrets.seal(JSON.stringify(of), attemptId);

/** An attempt by the key its caller gave it. */
export const findAttemptByKey = (db: Db, { customerId }: CustomerScope, clientKey: string) =>
  db.maybeOne<AttemptRow>(sqlOnce`
    select ${attemptColumns} from attempt a where a.customer_id = ${customerId} and a.client_key = ${clientKey}`);
