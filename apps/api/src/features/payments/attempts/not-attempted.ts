import type { Decline, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../../app-error.ts';
import type { AttemptRow } from './attempt-row.ts';

type Why = Extract<Outcome, { is: 'notAttempted' }>['why'];

const NOTHING = 'Nothing was charged.';

/** What the payer reads: a gateway that refuses us, or is not there, has not declined anybody's card. */
const rows: Readonly<Record<Why, Pick<Decline, 'class' | 'text'>>> = {
  config: {
    class: 'retryLater',
    text: `The payment provider does not take payments for us at the moment. Your payment method was not declined. ${NOTHING}`,
  },
  unreachable: {
    class: 'retryLater',
    text: `The payment provider could not be reached. Please try again in a few minutes. ${NOTHING}`,
  },
  methodGone: {
    class: 'otherMethod',
    text: `The payment provider does not have this payment method any more. Please use another one. ${NOTHING}`,
  },
  invalid: { class: 'otherMethod', text: `The payment did not go through. ${NOTHING}` },
};

/** Why a charge never got as far as a decision, in the shape in which an attempt keeps why it was declined. */
export const notAttemptedAs = (why: Why): Decline => ({ ...rows[why], code: why });

/**
 * Ends the call of a payment that the gateway refused because of our account.
 * @throws {AppError} gateway.misconfigured: the page tells how to pay otherwise
 */
export function refuseMisconfigured({ state, decline }: Pick<AttemptRow, 'state' | 'decline'>): void {
  if (state === 'notAttempted' && decline?.code === ('config' satisfies Why))
    throw new AppError('gateway.misconfigured');
}
