/** Stripe's decline, error and bank return codes as classes and as words for the customer. Pure. */
import type { Decline } from '../port/gateway.ts';

interface Row extends Pick<Decline, 'class' | 'text'> {
  readonly final?: true;
  /** The words name the cure, so advice cannot change the class. */
  readonly isSure?: true;
}

const declined = 'Your card was declined';
const hidden: Row = { class: 'otherMethod', text: declined, final: true };
const limitReached: Row = {
  class: 'otherMethod',
  text: 'Card limit reached, please use another method',
  isSure: true,
};
const checkCode: Row = { class: 'fixInput', text: 'Please check the security code' };
const checkExpiry: Row = { class: 'fixInput', text: 'Please check the expiry date' };
const checkNumber: Row = { class: 'fixInput', text: 'Please check the card number' };
const notAuthenticated: Row = {
  class: 'otherMethod',
  text: 'Your bank could not confirm this payment. Please try again or use another payment method',
};
const accountRefused: Row = {
  class: 'otherMethod',
  text: 'Your bank refused this debit. Please use another payment method',
  final: true,
};
const accountLimit: Row = { class: 'retryLater', text: 'The limit of this account is reached' };

/** By decline code, else by error code. https://docs.stripe.com/declines/codes, https://docs.stripe.com/error-codes */
const rows: Readonly<Record<string, Row>> = {
  generic_decline: { class: 'otherMethod', text: declined },
  card_declined: { class: 'otherMethod', text: declined },
  do_not_honor: { class: 'otherMethod', text: declined },
  try_again_later: { class: 'retryLater', text: declined },
  insufficient_funds: { class: 'retryLater', text: 'Not enough funds on this card' },
  // Whoever holds a stolen card must not learn that it is known.
  lost_card: hidden,
  stolen_card: hidden,
  pickup_card: hidden,
  fraudulent: hidden,
  card_velocity_exceeded: limitReached,
  withdrawal_count_limit_exceeded: limitReached,
  expired_card: {
    class: 'fixInput',
    text: 'Your credit card has expired. Please add a new one and try again',
  },
  incorrect_cvc: checkCode,
  invalid_cvc: checkCode,
  incorrect_number: checkNumber,
  invalid_number: checkNumber,
  invalid_expiry_month: checkExpiry,
  invalid_expiry_year: checkExpiry,
  // Where the least is known beforehand, nobody gets as far as this.
  amount_too_small: {
    class: 'otherMethod',
    text: 'This amount is too small to be paid this way. Nothing was charged.',
    final: true,
    isSure: true,
  },
  processing_error: { class: 'retryLater', text: 'Please try again in a few minutes' },
  authentication_required: {
    class: 'authenticate',
    text: 'Your bank asks you to confirm this payment yourself',
    isSure: true,
  },
  authentication_not_handled: {
    class: 'authenticate',
    text: 'Your bank asks you to confirm this payment yourself',
    isSure: true,
  },
  payment_intent_authentication_failure: notAuthenticated,
  setup_intent_authentication_failure: notAuthenticated,
  // Returns of bank debits (charge.failure_code).
  account_closed: accountRefused,
  no_account: accountRefused,
  debit_not_authorized: accountRefused,
  incorrect_account_holder_name: accountRefused,
  refer_to_customer: { ...accountRefused, class: 'otherMethod' },
  charge_exceeds_source_limit: accountLimit,
  charge_exceeds_transaction_limit: accountLimit,
  payment_intent_payment_attempt_failed: {
    class: 'otherMethod',
    text: 'Your bank refused this debit. Please use another payment method',
  },
  // Verification of a US bank account.
  payment_method_microdeposit_verification_descriptor_code_mismatch: {
    class: 'fixInput',
    text: 'Please check the code on your bank statement',
  },
  payment_method_microdeposit_verification_amounts_mismatch: {
    class: 'fixInput',
    text: 'Please check the two amounts on your bank statement',
  },
  payment_method_microdeposit_verification_amounts_invalid: {
    class: 'fixInput',
    text: 'Please give both amounts from your bank statement',
  },
  payment_method_microdeposit_verification_attempts_exceeded: {
    class: 'otherMethod',
    text: 'This account could not be verified. Please use another payment method',
    final: true,
  },
  sepa_debit_bank_not_supported: {
    class: 'otherMethod',
    text: 'This bank cannot be debited. Please use another account',
    final: true,
  },
};

/** What the issuer advises overrules the table's guess. https://docs.stripe.com/declines/card */
const advised: Readonly<Record<string, Pick<Decline, 'class'> & { readonly final?: true }>> = {
  try_again_later: { class: 'retryLater' },
  do_not_try_again: { class: 'otherMethod', final: true },
  confirm_card_data: { class: 'fixInput' },
};

/** Codes and kind of method of a refusal, as an error or an object's last error gives them. */
export interface RefusalCodes {
  readonly code: string;
  readonly declineCode: string;
  readonly adviceCode: string;
  /** Why a charge failed after it was accepted (bank debits). */
  readonly failureCode?: string;
  readonly isBank?: boolean;
}

/** The decline of a refusal; one with codes we do not know is still a refusal, in general words. */
export function declineOf(refusal: RefusalCodes): Decline {
  const codes = [refusal.failureCode ?? '', refusal.declineCode, refusal.code].filter((code) => code !== '');
  const code = codes[0] ?? 'declined';
  const known = codes.find((one) => Object.hasOwn(rows, one));
  const row: Row = (known === undefined ? undefined : rows[known]) ?? {
    class: 'otherMethod',
    text: declined,
  };
  const advice = Object.hasOwn(advised, refusal.adviceCode) ? advised[refusal.adviceCode] : undefined;
  const decided = row.isSure === true ? row : { ...row, ...advice };
  return {
    class: decided.class,
    code,
    text: refusal.isBank === true ? bankText(code, row.text) : row.text,
    ...(decided.final === true ? { final: true } : {}),
  };
}

function bankText(code: string, text: string): string {
  if (code === 'insufficient_funds') return 'Not enough funds on this account';
  return text === declined ? 'Your bank refused this debit' : text;
}
