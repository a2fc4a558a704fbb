import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { bankSubmitted } from '@counterfoil/contract/paying/public-pay-words.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { publicStatusOf } from '@counterfoil/domain/paying/attempt.ts';
import { debitSchemes, settlingDays } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { Db } from '../../db/database.ts';
import type { GatewayAccount } from './accounts.ts';
import type { AttemptRow } from './attempts/attempt-row.ts';
import { readTaken, stillDueOf, type TakenMoney } from './taken.ts';

const DECLINED = { card: 'Your card was declined', bank: 'Your bank refused this debit' } as const;
const NOT_TAKEN = 'The payment did not go through. Nothing was charged.';

/**
 * What a paying call tells the payer about an attempt, see {@link answerFor}.
 * @param only the one invoice that may be told of; all it is for unless given
 */
export const answer = async (
  db: Db,
  attempt: AttemptRow,
  active: GatewayAccount | undefined,
  only?: string,
): Promise<PayAnswer> => answerFor(attempt, active, await readTaken(db, attempt, only));

/**
 * What the payer is told about an attempt: `failed` only when certainly nothing was taken, and of one that went through
 * what was taken, not what was asked for.
 * @param active the reseller's account now; it may be another one than the attempt was made through, or none
 * @param taken what it has brought, where it went through
 */
export function answerFor(
  attempt: AttemptRow,
  active: GatewayAccount | undefined,
  taken: TakenMoney | undefined,
): PayAnswer {
  const account = active?.id === attempt.gateway_account_id ? active : undefined;
  // No bank settles at once.
  const standard = attempt.kind === 'bank' ? 'later' : 'atOnce';
  const settles = account?.gateway.capabilities.settles[attempt.kind] ?? standard;
  const { status, expected } = publicStatusOf(attempt.state, settles);
  const redirectTo =
    status === 'requires_action' && attempt.action?.do === 'redirect' ? attempt.action.to : undefined;
  const message =
    status === 'failed'
      ? messageFor(attempt)
      : expected === 'days'
        ? bankSubmitted(daysOf(attempt, account))
        : undefined;
  return {
    status,
    attemptId: attempt.id,
    reference: attempt.ref,
    at: attempt.updated_at.toISOString(),
    ...amountsOf(attempt, taken),
    ...(attempt.method === null ? {} : { method: attempt.method }),
    ...(expected === undefined ? {} : { expected }),
    ...(redirectTo === undefined ? {} : { redirectToUrl: redirectTo }),
    ...(message === undefined ? {} : { message }),
  };
}

function amountsOf(
  { amount_minor: asked, currency }: AttemptRow,
  taken: TakenMoney | undefined,
): Pick<PayAnswer, 'amount' | 'asked' | 'stillDue' | 'keptAsCredit'> {
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  if (taken === undefined) return { amount: number(asked) };
  return {
    amount: number(taken.minor),
    ...(taken.minor === asked ? {} : { asked: number(asked) }),
    stillDue: number(stillDueOf(taken)),
    ...(taken.keptMinor > 0n ? { keptAsCredit: number(taken.keptMinor) } : {}),
  };
}

/** Each kind of debit is in a currency of its own. */
function daysOf({ currency }: AttemptRow, account: GatewayAccount | undefined): number {
  const debits = debitSchemes(account?.module.manifest.saved);
  return settlingDays(debits.find((debit) => debit.currency === currency));
}

function messageFor(attempt: AttemptRow): string {
  return attempt.decline?.text ?? (attempt.state === 'declined' ? DECLINED[attempt.kind] : NOT_TAKEN);
}
