import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { publicStatusOf } from '@counterfoil/domain/attempt.ts';
import type { GatewayAccount } from './accounts.ts';
import type { AttemptRow } from './attempt-row.ts';

const DECLINED = 'Your card was declined';
const NOT_TAKEN = 'The payment did not go through. Nothing was charged.';

/** What a paying call tells the payer about an attempt: `failed` only when certainly nothing was taken. */
export function answerFor(attempt: AttemptRow, account: GatewayAccount | undefined): PayAnswer {
  const settles = account?.gateway.can.settles[attempt.kind] ?? 'atOnce';
  const { status, expected } = publicStatusOf(attempt.state, settles);
  const redirectTo =
    status === 'requires_action' && attempt.action?.do === 'redirect' ? attempt.action.to : undefined;
  const message = status === 'failed' ? messageFor(attempt) : undefined;
  return {
    status,
    attemptId: attempt.id,
    reference: attempt.ref,
    ...(expected === undefined ? {} : { expected }),
    ...(redirectTo === undefined ? {} : { redirectToUrl: redirectTo }),
    ...(message === undefined ? {} : { message }),
  };
}

function messageFor(attempt: AttemptRow): string {
  if (attempt.state === 'declined') return attempt.decline?.text ?? DECLINED;
  return NOT_TAKEN;
}
