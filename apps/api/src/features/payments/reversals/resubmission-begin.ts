import { money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Reversal } from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type AttemptRow, attemptColumns } from '../attempts/attempt-row.ts';
import { release } from '../attempts/booking.ts';
import type { ChargeLine } from '../attempts/claims.ts';
import { writeGatewayMade } from '../attempts/gateway-made.ts';
import { moveAttempt, type SettleDeps } from '../attempts/settle.ts';
import { draw, type Share } from './reversal-shares.ts';

/** The open attempt of a gateway to collect a charge once more, if there is one. */
export const openResubmission = (
  db: Db,
  { customer_id: customerId, id }: Pick<AttemptRow, 'customer_id' | 'id'>,
): Promise<AttemptRow | undefined> =>
  db.maybeOne<AttemptRow>(sql`
    select ${attemptColumns} from attempt a
      join resubmission r on r.customer_id = a.customer_id and r.attempt_id = a.id
     where r.customer_id = ${customerId} and r.of_attempt_id = ${id} and a.is_open`);

/** Whether a gateway's collecting a charge once more was written down before. */
export const isResubmissionKnown = async (
  db: Db,
  { customer_id: customerId, id }: AttemptRow,
  remote: string,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from resubmission where customer_id = ${customerId} and of_attempt_id = ${id} and remote = ${remote}`)) !==
  undefined;

/** Whether a charge was ever collected once more. */
export const hasResubmissions = async (
  db: Db,
  { customer_id: customerId, id }: Pick<AttemptRow, 'customer_id' | 'id'>,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from resubmission where customer_id = ${customerId} and of_attempt_id = ${id} limit 1`)) !==
  undefined;

/**
 * `untaken`: it took no money, because none had come; `taken`: it took what is booked, or more; `unclear`: only the gateway
 * can say which of the two.
 */
type Failure = 'untaken' | 'taken' | 'unclear';

/**
 * What a failure of a charge is about, where the charge was collected more than once: the gateway tells one of each collection
 * that failed, in any order and late, and only what takes back booked money is a reversal. What took none is written down, so
 * that it counts once.
 * @param hasMoney whether money of the charge stands booked
 * @param isCollected whether the charge is collected at the gateway now; undefined where that is not known
 */
export async function judgeFailure(
  tx: Tx,
  original: AttemptRow,
  remote: string,
  { hasMoney, isCollected }: { readonly hasMoney: boolean; readonly isCollected: boolean | undefined },
): Promise<Failure> {
  const { customer_id: customerId, id } = original;
  const told = await tx.many<{ remote: string }>(sql`
    select remote from failed_collection where customer_id = ${customerId} and of_attempt_id = ${id}`);
  if (told.some((one) => one.remote === remote)) return 'untaken';
  const collections = await tx.many<Pick<AttemptRow, 'state'>>(sql`
    select a.state from attempt a join resubmission r on r.customer_id = a.customer_id and r.attempt_id = a.id
     where r.customer_id = ${customerId} and r.of_attempt_id = ${id}`);
  if (collections.length === 0) return 'taken';
  const states = [original.state, ...collections.map(({ state }) => state)];
  const failed = states.filter((state) => !isOpen(state) && state !== 'succeeded').length;
  // Of one that is under way the look-up decides: what is told of it comes to nothing by itself.
  if (!states.some(isOpen)) {
    if (failed <= told.length) return 'taken';
    if (hasMoney && isCollected !== true) return isCollected === false ? 'taken' : 'unclear';
  }
  await tx.execute(sql`
    insert into failed_collection (customer_id, of_attempt_id, remote) values (${customerId}, ${id}, ${remote})`);
  return 'untaken';
}

export interface Begun {
  /** The failed charge, its row locked. */
  readonly original: AttemptRow;
  /** What was booked of it; undefined for one that had failed before anything was taken. */
  readonly captureId: string | undefined;
  readonly late: Reversal;
  /** What its failures took from each target and nothing has brought back; of no use without a capture. */
  readonly taken: readonly Share[];
}

/**
 * Writes down that a gateway collects a failed charge once more: an attempt of its own, pending, that holds the invoices as
 * far as they need the money and no other attempt holds them. What is still open for the same charge has failed by that.
 */
export async function beginResubmission(
  tx: Tx,
  deps: SettleDeps,
  { original, captureId, late, taken }: Begun,
): Promise<void> {
  const { customer_id: customerId } = original;
  const at = deps.clock.now();
  const before = await openResubmission(tx, original);
  if (before !== undefined) await endBefore(tx, deps, before, at);
  const fee = captureId === undefined && original.fee_minor < late.amount.minor ? original.fee_minor : 0n;
  const lines = await holdable(
    tx,
    original,
    captureId === undefined ? undefined : draw(taken, late.amount.minor).drawn,
  );
  const id = newId(at.getTime());
  await writeGatewayMade(tx, {
    customerId,
    attemptId: id,
    resellerId: original.reseller_id,
    accountId: original.gateway_account_id,
    gateway: original.gateway,
    direction: 'resubmission',
    captureId: captureId ?? null,
    ref: newGatewayRef(),
    kind: original.kind,
    amount: late.amount,
    fee,
    state: 'pending',
    remote: original.remote,
    labels: original.labels,
    returnTo: original.return_to,
    receiptEmail: original.receipt_email,
    method: original.method,
    answerWithinMs: original.answer_within_ms,
    lines,
    sentAt: at,
    now: at,
    evidence: { of: original.ref, remote: late.remote },
  });
  await tx.execute(sql`
    insert into resubmission (customer_id, attempt_id, of_attempt_id, remote)
    values (${customerId}, ${id}, ${original.id}, ${late.remote})`);
  deps.log.warn(
    { attempt: original.id, again: id, minor: String(late.amount.minor), invoices: lines.length },
    'a failed debit is collected once more by its gateway',
  );
}

async function endBefore(tx: Tx, deps: SettleDeps, before: AttemptRow, now: Date): Promise<void> {
  const finding = { is: 'closed' } as const;
  await moveAttempt(tx, deps, before, {
    next: 'closed',
    observed: finding,
    gatewayState: undefined,
    cause: 'gateway',
    now,
  });
  await release(tx, before);
}

interface WantedRow {
  readonly invoice_id: string;
  readonly currency: string;
  readonly wanted: bigint;
  readonly due_minor: bigint;
  readonly held_minor: bigint;
  readonly is_claimed: boolean;
}

/**
 * What can be held of each invoice of a charge: what it needs, and nothing of one that another attempt pays.
 * @param drawn what failures took from the targets of what was booked; all that was asked for unless given
 */
async function holdable(
  tx: Tx,
  original: AttemptRow,
  drawn: readonly Share[] | undefined,
): Promise<ChargeLine[]> {
  const { customer_id: customerId } = original;
  const rows = await tx.many<WantedRow>(sql`
    select c.invoice_id, i.currency, c.amount_minor as wanted, i.due_minor, i.held_minor,
           exists (select 1 from claim o
                    where o.customer_id = ${customerId} and o.invoice_id = c.invoice_id and o.is_open) as is_claimed
      from claim c join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
     where c.customer_id = ${customerId} and i.customer_id = ${customerId} and c.attempt_id = ${original.id} and i.status = ${InvoiceStatus.OPEN}
     order by c.invoice_id for update of i`);
  return rows.flatMap(
    ({ invoice_id: invoiceId, currency, wanted: asked, due_minor, held_minor, is_claimed }) => {
      const taken = drawn?.find(({ target }) => target === `invoice:${invoiceId}`)?.amount ?? 0n;
      const wanted = drawn === undefined ? asked : taken;
      const needs = due_minor - held_minor;
      const minor = wanted < needs ? wanted : needs;
      return is_claimed || minor <= 0n ? [] : [{ invoiceId, amount: money(minor, currency) }];
    },
  );
}
