import type { MessageType, PaymentMessage } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { AttemptState } from '@counterfoil/domain/paying/attempt.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { listeningOf, writeMessages } from './write-messages.ts';

/** What has happened to a payment. */
export interface PaymentNews {
  readonly type: Extract<MessageType, `payment.${string}`>;
  /** What moved after its end, minor units of what was taken. */
  readonly movement?: {
    readonly kind: NonNullable<PaymentMessage['movement']>['kind'];
    readonly minor: bigint;
    /** What of that is fee. */
    readonly feeMinor: bigint;
  };
}

/** Which payment, and whose. */
export interface PaymentAt {
  readonly reseller_id: number;
  readonly customer_id: string;
  readonly id: string;
}

interface Row {
  id: string;
  customer_id: string;
  customer_reference: string | null;
  ref: string;
  direction: PaymentMessage['direction'];
  gateway: string;
  kind: PaymentMessage['kind'];
  amount_minor: bigint;
  fee_minor: bigint;
  currency: string;
  state: AttemptState;
  remote: string | null;
  decline: { readonly class: string; readonly code: string } | null;
  captured_minor: bigint | null;
  captured_currency: string | null;
  reversed_minor: bigint | null;
  invoices: PaymentMessage['invoices'];
}

/** Tells of a payment as it is now, in the transaction that has changed it. */
export async function tellOfPayment(
  tx: Tx,
  { reseller_id: resellerId, customer_id: customerId, id }: PaymentAt,
  { type, movement }: PaymentNews,
  now: Date,
): Promise<void> {
  const { wanted } = await listeningOf(tx, resellerId);
  if (!wanted(type)) return;
  const row = await tx.one<Row>(sql`
    select a.id, a.customer_id, c.external_ref as customer_reference, a.ref, a.direction, a.gateway, a.kind, a.amount_minor,
           a.fee_minor, a.currency, a.state, a.remote, a.decline, k.amount_minor as captured_minor,
           k.currency as captured_currency, k.reversed_minor,
           coalesce((select json_agg(json_build_object('id', i.id, 'number', i.number) order by i.number)
                       from claim m join invoice i on i.customer_id = m.customer_id and i.id = m.invoice_id
                      where m.customer_id = ${customerId} and m.attempt_id = a.id), '[]') as invoices
      from attempt a join customer c on c.customer_id = a.customer_id
      left join capture k on k.customer_id = a.customer_id and k.attempt_id = a.id
     where a.customer_id = ${customerId} and a.id = ${id}`);
  const decimal = (minor: bigint, currency = row.currency) => formatDecimal(money(minor, currency));
  const taken = row.captured_currency ?? row.currency;
  const data: PaymentMessage = {
    id,
    reference: row.ref,
    direction: row.direction,
    customerId,
    customerReference: row.customer_reference,
    gateway: row.gateway,
    kind: row.kind,
    amount: decimal(row.amount_minor),
    fee: decimal(row.fee_minor),
    currency: row.currency,
    gatewayId: row.remote,
    state: row.state,
    captured: row.captured_minor === null ? null : decimal(row.captured_minor, taken),
    reversed: decimal(row.reversed_minor ?? 0n, taken),
    invoices: row.invoices,
    failure:
      (type === 'payment.failed' || type === 'payment.refund_failed') && row.decline !== null
        ? { class: row.decline.class, code: row.decline.code }
        : null,
    movement:
      movement === undefined
        ? null
        : {
            kind: movement.kind,
            amount: decimal(movement.minor, taken),
            fee: decimal(movement.feeMinor, taken),
          },
    link: `/v1/admin/payments/${id}`,
  };
  await writeMessages(tx, resellerId, [{ type, objectId: id, customerId, data }], now);
}
