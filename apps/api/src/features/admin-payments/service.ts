import type { PaymentResolution } from '@counterfoil/contract/operator/paying/admin-payments.ts';
import { formatDecimal, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import {
  type AttemptRow,
  type EngineDeps,
  lookUpNow,
  type ManualResolution,
  type OrderKey,
  RefundRefused,
  readAttempt,
  refundPayment,
  settle,
  settleRefund,
  settleResubmission,
} from '../payments/service.ts';
import { findPaymentKey, type PaymentKey } from './payment-keys.ts';
import { seeToLost } from './queries.ts';

export { findPaymentKeyOfCapture, type PaymentKey } from './payment-keys.ts';

/**
 * A payment by our reference or its id.
 * @param resellerId whose it has to be; undefined: anybody's
 * @throws {AppError} payment.notFound
 */
export async function paymentNamed(
  deps: Pick<EngineDeps, 'db'>,
  name: string,
  resellerId: number | undefined,
): Promise<PaymentKey> {
  const found = await findPaymentKey(deps.db, name, resellerId);
  if (found === undefined) throw new AppError('payment.notFound');
  return found;
}

export interface RefundWanted {
  /** An exact decimal in the payment's currency; all that is left unless given. */
  readonly amount: string | undefined;
  readonly note: string;
  readonly key: OrderKey;
  /** How long the gateway's answer is waited for, milliseconds; for ever unless given. */
  readonly waitMs?: number;
}

/**
 * Gives money back to the payer through the gateway that took it. The same order again moves nothing.
 * @returns the refund; `isNew` is false where the same order made it before
 * @throws {AppError} refund.*, payments.paused
 */
export async function refundByOperator(
  deps: EngineDeps,
  { customerId, captureId, currency, resellerId, ref }: PaymentKey,
  { amount, note, key, waitMs }: RefundWanted,
  by: ActedBy,
): Promise<{ readonly attempt: AttemptRow; readonly isNew: boolean }> {
  if (captureId === null)
    throw new AppError('refund.impossible', {
      text: `Nothing was taken by ${ref}: there is nothing to refund`,
    });
  const detail = { payment: ref, amount: amount ?? 'all', note };
  const order = {
    customerId,
    captureId,
    minor: amount === undefined ? undefined : minorOf(amount, currency),
    note,
    by: by.actor,
    key,
    ...(waitMs !== undefined && { waitMs }),
  };
  try {
    return await refundPayment(deps, {
      ...order,
      also: (tx, refund) =>
        recordAudit(tx, {
          action: 'payment.refunded',
          at: deps.clock.now(),
          resellerId,
          customerId,
          ...by,
          detail: { ...detail, refund: refund.ref },
        }),
    });
  } catch (error) {
    if (!(error instanceof RefundRefused)) throw error;
    throw new AppError(error.code, { text: capitalised(error.message), cause: error });
  }
}

function minorOf(amount: string, currency: string): bigint {
  try {
    return parseMoney(amount, currency).minor;
  } catch {
    throw new AppError('refund.amount', {
      text: `An amount in ${currency} is written such as 12.50, not '${amount}'`,
    });
  }
}

/** How an operator's word ends an attempt. */
const ends = { charge: settle, refund: settleRefund, resubmission: settleResubmission } as const;

/** What an operator says of a payment. */
export type Resolution = Pick<PaymentResolution, 'outcome' | 'note'> & {
  readonly gatewayId?: string | undefined;
};

/**
 * Ends a payment or refund that needs review, by an operator's word, which stands with it; or says that what a gateway took
 * back beyond an ended payment was seen to.
 * @returns its state, and of a loss how much was seen to
 * @throws {AppError} payment.ended, payment.notHeld, payment.nothingLost
 */
export async function resolveByOperator(
  deps: EngineDeps,
  payment: PaymentKey,
  said: Resolution,
  by: ActedBy,
): Promise<{ readonly state: AttemptRow['state']; readonly lost?: string }> {
  const { customerId, attemptId, ref } = payment;
  const key = { customerId, attemptId };
  const before = await readAttempt(deps, key);
  if (before === undefined) throw new AppError('payment.notFound');
  if (said.outcome === 'lossSeen')
    return { state: before.state, lost: await seenTo(deps, payment, said, by) };
  if (!isOpen(before.state))
    throw new AppError('payment.ended', { text: `${ref} has ended: ${before.state}` });
  const taken = said.outcome === 'captured';
  const { note, gatewayId } = said;
  const word: ManualResolution = {
    is: 'manualResolution',
    taken,
    by: by.actor,
    note,
    ...(gatewayId !== undefined && { id: gatewayId }),
  };
  const { state } = await ends[before.direction](deps, key, word, 'operator');
  if (isOpen(state))
    throw new AppError('payment.notHeld', {
      text: `${ref} is ${state}: its gateway may still answer; wait until it needs review`,
    });
  // Another word, or its gateway's answer, was faster.
  if ((state === 'succeeded') !== taken)
    throw new AppError('payment.ended', { text: `${ref} has ended meanwhile: ${state}` });
  await record(deps, payment, by, {
    note,
    'before.state': before.state,
    'after.state': state,
    ...(gatewayId !== undefined && { gatewayId }),
  });
  return { state };
}

const record = (
  deps: EngineDeps,
  { resellerId, customerId, ref }: PaymentKey,
  by: ActedBy,
  detail: Readonly<Record<string, string>>,
): Promise<void> =>
  deps.db.transaction((tx) =>
    recordAudit(tx, {
      action: 'payment.resolved',
      at: deps.clock.now(),
      resellerId,
      customerId,
      ...by,
      detail: { payment: ref, ...detail },
    }),
  );

function seenTo(
  deps: EngineDeps,
  { customerId, attemptId, resellerId, ref }: PaymentKey,
  { note }: Resolution,
  by: ActedBy,
): Promise<string> {
  return deps.db.transaction(async (tx) => {
    const seen = await seeToLost(tx, customerId, attemptId);
    if (seen === undefined)
      throw new AppError('payment.nothingLost', {
        text: `Nothing that was lost by ${ref} waits to be seen to`,
      });
    const lost = `${formatDecimal(money(seen.minor, seen.currency))} ${seen.currency}`;
    const detail = { payment: ref, lost, note };
    const at = deps.clock.now();
    await recordAudit(tx, { action: 'payment.resolved', at, resellerId, customerId, ...by, detail });
    return lost;
  });
}

/**
 * Asks the gateway now what became of a payment.
 * @returns its state afterwards
 * @throws {AppError} payment.notFound
 */
export async function lookUpByOperator(
  deps: EngineDeps,
  { customerId, attemptId }: PaymentKey,
): Promise<AttemptRow['state']> {
  const attempt = await readAttempt(deps, { customerId, attemptId });
  if (attempt === undefined) throw new AppError('payment.notFound');
  return (await lookUpNow(deps, attempt)).state;
}
