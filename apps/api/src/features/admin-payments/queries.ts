import type { AdminPayment } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { AttemptState } from '@counterfoil/domain/paying/attempt.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { feeGoneBack, feeOfReversal } from '../payments/queries.ts';
import { findPaymentKey, type PaymentKey } from './payment-keys.ts';

export interface PaymentFilter {
  /** Undefined: of all resellers. */
  readonly resellerId?: number | undefined;
  readonly customerId?: string | undefined;
  readonly state?: string | undefined;
  readonly gateway?: string | undefined;
  readonly direction?: string | undefined;
  /** Our reference, as the gateway knows it; in capitals or not. */
  readonly reference?: string | undefined;
  /** Number of an invoice it pays. */
  readonly invoice?: string | undefined;
  /** Sent at this moment or later. */
  readonly since?: Date | undefined;
  /** Sent before this moment. */
  readonly until?: Date | undefined;
  /** Only those whose end nobody knows yet. */
  readonly isOpen?: boolean | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One try to move money, as an operator sees it. Amounts are decimals without symbol. */
export interface Payment {
  readonly id: string;
  readonly ref: string;
  readonly resellerId: number;
  readonly customerId: string;
  readonly customer: string;
  readonly gateway: string;
  readonly direction: AdminPayment['direction'];
  readonly kind: AdminPayment['kind'];
  readonly state: AttemptState;
  /** What was asked for, and the fee in it. */
  readonly amount: string;
  readonly fee: string;
  /** What was taken and the fee in it, which need not be what was asked for; null where nothing is booked. */
  readonly captured: string | null;
  readonly capturedFee: string | null;
  readonly currency: string;
  readonly method: string | null;
  readonly remote: string | null;
  /** The charge that is refunded, by our reference; null for a charge. */
  readonly of: string | null;
  readonly invoices: readonly string[];
  /** What went back by a refund, where that is not what was ordered; null: what was ordered, or nothing. */
  readonly wentBack: string | null;
  /** What its gateway took back beyond it and nobody has seen to; null: nothing. */
  readonly lost: string | null;
  readonly sentAt: string;
  readonly updatedAt: string;
}

export interface PaymentHistory extends Payment {
  readonly history: readonly {
    seq: number;
    from: string | null;
    to: string;
    cause: string;
    at: string;
    evidence: Readonly<Record<string, unknown>>;
  }[];
  /** What the holder of an account that was debited once had agreed to, who that was, and from where; null for others. */
  readonly agreed: { by: string; at: string; address: string; text: string } | null;
  /** What was taken; null where nothing is booked. */
  readonly capture: {
    id: string;
    amount: string;
    refunded: string;
    lost: string;
    /** What of the fee went back. */
    feeRefunded: string;
  } | null;
  /** What became of it after its end, as its gateway calls it. */
  readonly reversals: readonly { at: string; kind: string; amount: string; fee: string; remote: string }[];
  /** What was ordered back of it, the first one first. */
  readonly refunds: readonly {
    id: string;
    ref: string;
    state: string;
    amount: string;
    fee: string;
    at: string;
  }[];
}

/** Of what became of one payment; what is looked up again and again for months must not fill the memory. */
const MOST_ENTRIES = 1_000;

interface PaymentRow {
  customer_id: string;
  id: string;
  ref: string;
  reseller_id: number;
  label: string;
  gateway: string;
  direction: AdminPayment['direction'];
  kind: AdminPayment['kind'];
  state: AttemptState;
  amount_minor: bigint;
  fee_minor: bigint;
  captured_minor: bigint | null;
  captured_fee_minor: bigint | null;
  /** Money for an attempt that had ended keeps the currency it came in. */
  captured_currency: string | null;
  currency: string;
  method: string | null;
  remote: string | null;
  of_ref: string | null;
  invoices: string[];
  lost_minor: bigint | null;
  back_minor: bigint | null;
  sent_at: Date;
  updated_at: Date;
}

/** @param customer the id of one, who is then named in each subquery: Citus asks their machine alone */
const paymentRow = (customer: Sql = sql`a.customer_id`) => sql`
  select a.customer_id, a.id, a.ref, a.reseller_id, c.label, a.gateway, a.direction, a.kind, a.state, a.amount_minor,
         a.fee_minor, a.currency, a.method, a.remote, a.sent_at, a.updated_at, t.amount_minor as captured_minor,
         t.to_fee_minor as captured_fee_minor, t.currency as captured_currency,
         coalesce((select o.ref from capture q join attempt o on o.customer_id = q.customer_id and o.id = q.attempt_id
           where q.customer_id = ${customer} and q.id = a.of_capture_id),
          (select o.ref from resubmission u join attempt o on o.customer_id = u.customer_id and o.id = u.of_attempt_id
           where u.customer_id = ${customer} and u.attempt_id = a.id)) as of_ref,
         (select q.lost_minor from capture q where q.customer_id = ${customer} and q.attempt_id = a.id
             and q.lost_minor > q.lost_seen_minor) as lost_minor,
         (select r.amount_minor from reversal r where r.customer_id = ${customer} and r.capture_id = a.of_capture_id
             and r.kind = 'refund' and r.remote = a.remote and r.amount_minor <> a.amount_minor) as back_minor,
         array(select i.number from claim k join invoice i on i.customer_id = k.customer_id and i.id = k.invoice_id
                where k.customer_id = ${customer} and k.attempt_id = a.id order by i.number) as invoices
    from attempt a join customer c on c.customer_id = a.customer_id
    left join capture t on t.customer_id = a.customer_id and t.attempt_id = a.id`;

/** Attempts, newest first. */
export async function listPayments(db: Db, filter: PaymentFilter): Promise<readonly Payment[]> {
  const { resellerId, customerId, state, gateway, direction, reference, invoice, since, until, before } =
    filter;
  const customer = customerId === undefined ? sql`a.customer_id` : sql`${customerId}`;
  const where: readonly (Sql | false)[] = [
    resellerId !== undefined && sql`a.reseller_id = ${resellerId}`,
    customerId !== undefined && sql`a.customer_id = ${customerId}`,
    state !== undefined && sql`a.state = ${state}`,
    gateway !== undefined && sql`a.gateway = ${gateway}`,
    direction !== undefined && sql`a.direction = ${direction}`,
    reference !== undefined &&
      sql`(a.customer_id, a.id) in (select customer_id, attempt_id from attempt_ref where ref = ${reference.toUpperCase()})`,
    since !== undefined && sql`a.sent_at >= ${since}`,
    until !== undefined && sql`a.sent_at < ${until}`,
    before !== undefined && sql`a.id < ${before}`,
    filter.isOpen === true &&
      sql`(a.is_open or exists (
             select from capture q where q.customer_id = ${customer} and q.attempt_id = a.id
                and q.lost_minor > q.lost_seen_minor))`,
    invoice !== undefined &&
      sql`exists (
             select from claim k join invoice i on i.customer_id = k.customer_id and i.id = k.invoice_id
              where k.customer_id = ${customer} and k.attempt_id = a.id and i.number = ${invoice})`,
  ];
  const conditions = where.reduce<Sql>(
    (all, one) => (one === false ? all : sql`${all} and ${one}`),
    sql`true`,
  );
  const rows = await db.many<PaymentRow>(sql`
    ${paymentRow(customer)} where ${conditions} order by a.id desc limit ${filter.limit}`);
  return rows.map(presentPayment);
}

/**
 * One attempt with every change of its state; undefined when there is none.
 * @param name our reference, or its id
 * @param resellerId whose it has to be; undefined: anybody's
 */
export async function findPayment(
  db: Db,
  name: string,
  resellerId?: number,
): Promise<PaymentHistory | undefined> {
  const key = await findPaymentKey(db, name, resellerId);
  return key && readPayment(db, key);
}

/** The same of an attempt whose key is known. */
export async function readPayment(
  db: Db,
  { customerId, attemptId }: Pick<PaymentKey, 'customerId' | 'attemptId'>,
): Promise<PaymentHistory> {
  const row = await db.one<PaymentRow>(sql`
    ${paymentRow(sql`${customerId}`)} where a.customer_id = ${customerId} and a.id = ${attemptId}`);
  const changes = await db.many<{
    seq: number;
    from_state: string | null;
    to_state: string;
    cause: string;
    at: Date;
    evidence: Record<string, unknown>;
  }>(sql`
    select seq, from_state, to_state, cause, at, evidence from transition
     where customer_id = ${row.customer_id} and attempt_id = ${row.id} order by seq limit ${MOST_ENTRIES}`);
  const history = changes.map((change) => ({
    seq: change.seq,
    from: change.from_state,
    to: change.to_state,
    cause: change.cause,
    at: change.at.toISOString(),
    evidence: change.evidence,
  }));
  const capture = await db.maybeOne<{
    id: string;
    amount: bigint;
    back: bigint;
    lost: bigint;
    fee_back: bigint;
    currency: string;
  }>(sql`
    select p.id, p.amount_minor as amount, p.reversed_minor as back, p.lost_minor as lost,
           ${feeGoneBack(row.customer_id, sql`p.id`)} as fee_back, p.currency
      from capture p where p.customer_id = ${row.customer_id} and p.attempt_id = ${row.id}`);
  const reversals = await db.many<{ at: Date; kind: string; minor: bigint; fee: bigint; remote: string }>(sql`
    select r.at, r.kind, r.amount_minor as minor, ${feeOfReversal(row.customer_id, sql`r.id`)} as fee, r.remote
      from reversal r
     where r.customer_id = ${row.customer_id} and r.capture_id = ${capture?.id ?? null}
     order by r.at, r.id limit ${MOST_ENTRIES}`);
  const refunds = await db.many<{
    id: string;
    ref: string;
    state: string;
    minor: bigint;
    fee: bigint;
    at: Date;
  }>(sql`
    select id, ref, state, amount_minor as minor, fee_minor as fee, sent_at as at from attempt
     where customer_id = ${row.customer_id} and of_capture_id = ${capture?.id ?? null} and direction = 'refund'
     order by sent_at, id limit ${MOST_ENTRIES}`);
  const agreed = await db.maybeOne<{ by: string; at: Date; address: string; text: string }>(sql`
    select c.user_name as by, c.at, c.address, c.text from attempt a
      join consent c on c.customer_id = a.customer_id and c.id = a.consent_id
     where a.customer_id = ${row.customer_id} and a.id = ${row.id}`);
  const decimal = (minor: bigint) => formatDecimal(money(minor, capture?.currency ?? row.currency));
  return {
    ...presentPayment(row),
    history,
    agreed: agreed ? { ...agreed, at: agreed.at.toISOString() } : null,
    capture: capture
      ? {
          id: capture.id,
          amount: decimal(capture.amount),
          refunded: decimal(capture.back),
          lost: decimal(capture.lost),
          feeRefunded: decimal(capture.fee_back),
        }
      : null,
    reversals: reversals.map(({ at, kind, minor, fee, remote }) => ({
      at: at.toISOString(),
      kind,
      amount: decimal(minor),
      fee: decimal(fee),
      remote,
    })),
    refunds: refunds.map(({ minor, fee, at, ...refund }) => ({
      ...refund,
      amount: decimal(minor),
      fee: decimal(fee),
      at: at.toISOString(),
    })),
  };
}

const decimalOf = (minor: bigint | null, currency: string | null): string | null =>
  minor === null || currency === null ? null : formatDecimal(money(minor, currency));

const presentPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  ref: row.ref,
  resellerId: row.reseller_id,
  customerId: row.customer_id,
  customer: row.label,
  gateway: row.gateway,
  direction: row.direction,
  kind: row.kind,
  state: row.state,
  amount: formatDecimal(money(row.amount_minor, row.currency)),
  fee: formatDecimal(money(row.fee_minor, row.currency)),
  captured: decimalOf(row.captured_minor, row.captured_currency),
  capturedFee: decimalOf(row.captured_fee_minor, row.captured_currency),
  currency: row.currency,
  method: row.method,
  remote: row.remote,
  of: row.of_ref,
  invoices: row.invoices,
  wentBack: decimalOf(row.back_minor, row.currency),
  lost: decimalOf(row.lost_minor, row.currency),
  sentAt: row.sent_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/**
 * Says that somebody has seen to what a gateway took back beyond a payment. What it takes later is told again.
 * @returns how much that is, minor units; undefined where there is nothing to see to
 */
export const seeToLost = (tx: Tx, customerId: string, attemptId: string) =>
  tx.maybeOne<{ minor: bigint; currency: string }>(sql`
    update capture set lost_seen_minor = lost_minor
     where customer_id = ${customerId} and attempt_id = ${attemptId} and lost_minor > lost_seen_minor
    returning lost_minor as minor, currency`);

export interface RefusedCharges {
  readonly reseller_id: number;
  readonly count: number;
  /** What the gateway said of the latest, redacted. */
  readonly detail: string | null;
}

/** Charges that gateways refused because of the reseller's account, and not because of a payer's card, by reseller. */
export const listRefusedCharges = (db: Db, since: Date): Promise<RefusedCharges[]> =>
  db.many<RefusedCharges>(sql`
    select a.reseller_id, count(*)::int as count,
           (array_agg(t.evidence->>'detail' order by t.at desc))[1] as detail
      from transition t join attempt a on a.customer_id = t.customer_id and a.id = t.attempt_id
     where t.to_state = 'notAttempted' and t.at >= ${since} and t.evidence->>'why' = 'config'
       and a.direction = 'charge'
     group by a.reseller_id order by a.reseller_id`);
