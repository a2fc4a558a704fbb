/** Proving ownership of a US account by two small deposits. https://docs.stripe.com/payments/ach-direct-debit */
import type { Work } from './account.ts';
import { banks } from './banks.ts';
import { conflict } from './errors.ts';
import type { PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import { visible } from './render.ts';

const arrivesAfterSeconds = 2 * 24 * 3600;
const mostAttempts = 10;
const prefix = 'payment_method_microdeposit_verification';

/** @throws {StripeFault} 400 when the deposits cannot be sent */
export function microdepositAction(
  work: Work,
  method: PaymentMethod,
  secret: string,
): Readonly<Record<string, unknown>> {
  if (banks.named(method._behaviour)?.noMicrodeposits) {
    throw conflict('The microdeposits could not be sent to this account.', {
      code: 'payment_method_microdeposit_failed',
    });
  }
  return {
    type: 'verify_with_microdeposits',
    verify_with_microdeposits: {
      arrival_date: work.host.clock.seconds() + arrivesAfterSeconds,
      hosted_verification_url: `${work.host.publicUrl}/stripe/microdeposits/${secret}`,
      microdeposit_type: 'descriptor_code',
    },
  };
}

export type Verification = 'verified' | 'exceeded' | 'timed-out';

/**
 * Compares what the account holder read on the statement.
 * @returns how the verification ends; a mistake that leaves attempts is thrown
 * @throws {StripeFault} 400 with a code for a mistake or a wrong state
 */
export function verify(
  intent: PaymentIntent | SetupIntent,
  given: { readonly descriptor_code?: string | undefined; readonly amounts?: readonly number[] | undefined },
  countAttempt: () => void,
): Verification {
  if (intent.next_action?.['type'] !== 'verify_with_microdeposits') {
    throw conflict(`You cannot verify microdeposits on this intent: its status is ${intent.status}.`, {
      code: intent.object === 'payment_intent' ? 'payment_intent_unexpected_state' : 'intent_invalid_state',
      [intent.object]: visible(intent),
    });
  }
  const answer = given.descriptor_code?.toUpperCase() ?? amountsKey(given.amounts);
  switch (answer) {
    case 'SM11AA':
    case '32,45':
      return 'verified';
    case 'SM33CC':
    case '10,11':
      return 'exceeded';
    case 'SM44DD':
    case '40,41':
      return 'timed-out';
  }
  if (intent._attempts + 1 >= mostAttempts) return 'exceeded';
  countAttempt();
  throw given.descriptor_code === undefined
    ? conflict('The amounts provided do not match the amounts that were sent to the bank account.', {
        code: `${prefix}_amounts_mismatch`,
        param: 'amounts',
      })
    : conflict('The descriptor code provided does not match the one sent to the bank account.', {
        code: `${prefix}_descriptor_code_mismatch`,
        param: 'descriptor_code',
      });
}

function amountsKey(amounts: readonly number[] | undefined): string {
  if (amounts === undefined || amounts.length !== 2) {
    throw conflict('You must provide two amounts, or a descriptor code.', {
      code: `${prefix}_amounts_invalid`,
      param: 'amounts',
    });
  }
  return [...amounts].sort((left, right) => left - right).join();
}

/** The error that stays on an intent whose verification has ended without success. */
export function verificationError(ended: 'exceeded' | 'timed-out', method: PaymentMethod | undefined) {
  return {
    type: 'invalid_request_error',
    code: ended === 'exceeded' ? `${prefix}_attempts_exceeded` : `${prefix}_timeout`,
    message:
      ended === 'exceeded'
        ? 'You have exceeded the number of allowed verification attempts.'
        : 'The microdeposits were not verified in time.',
    ...(method === undefined ? {} : { payment_method: visible(method) }),
  };
}
