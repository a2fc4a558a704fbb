/** Test cards and test bank accounts as Stripe documents them, and what a payment may amount to. */
import { type BankRow, BankTable } from '@counterfoil/sandbox/money/bank-account.ts';
import { type CardRow, CardTable } from '@counterfoil/sandbox/money/card.ts';
import { invalid } from './protocol.ts';
import type { DebitType } from './work.ts';

export interface Decline {
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
  readonly param?: string;
  readonly advice_code?: string;
}

const decline = (
  decline_code: string,
  advice_code: string | undefined,
  message = 'Your card was declined.',
  more: Partial<Decline> = {},
): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
  ...(advice_code === undefined ? {} : { advice_code }),
  ...more,
});
const [later, never, check] = ['try_again_later', 'do_not_try_again', 'confirm_card_data'];

export const authenticationRequired = decline(
  'authentication_required',
  undefined,
  'Your card was declined. This transaction requires authentication.',
  { code: 'authentication_required' },
);
export const notHandled = { ...authenticationRequired, decline_code: 'authentication_not_handled' };
export const expired = decline('expired_card', check, 'Your card has expired.', {
  code: 'expired_card',
  param: 'exp_month',
});

const visa = { brand: 'visa' } as const;
const mastercard = { brand: 'mastercard' } as const;
const refusing = (number: string, names: string, how: Decline): CardRow<Decline> => [
  number,
  names,
  { ...visa, decline: how },
];

/** The cards; an unknown name or number is no test card. */
export const cards = new CardTable<Decline>([
  ['4242424242424242', 'visa', visa],
  ['4000056655665556', 'visa_debit', { ...visa, funding: 'debit' }],
  ['5555555555554444', 'mastercard', mastercard],
  ['2223003122003222', 'mastercard_2series', mastercard],
  ['5200828282828210', 'mastercard_debit', { ...mastercard, funding: 'debit' }],
  ['5105105105105100', 'mastercard_prepaid', { ...mastercard, funding: 'prepaid' }],
  ['378282246310005', 'amex', { brand: 'amex' }],
  ['371449635398431', 'amex_second', { brand: 'amex' }],
  ['4000000360000006', 'au', { ...visa, country: 'AU' }],
  refusing('4000000000000002', 'chargeDeclined visa_chargeDeclined', decline('generic_decline', later)),
  refusing(
    '4000000000009995',
    'chargeDeclinedInsufficientFunds visa_chargeDeclinedInsufficientFunds',
    decline('insufficient_funds', later, 'Your card has insufficient funds.'),
  ),
  refusing(
    '4000000000009987',
    'chargeDeclinedLostCard visa_chargeDeclinedLostCard',
    decline('lost_card', never),
  ),
  refusing(
    '4000000000009979',
    'chargeDeclinedStolenCard visa_chargeDeclinedStolenCard',
    decline('stolen_card', never),
  ),
  refusing('4000000000000069', 'chargeDeclinedExpiredCard', expired),
  refusing(
    '4000000000000127',
    'chargeDeclinedIncorrectCvc',
    decline('incorrect_cvc', check, "Your card's security code is incorrect.", {
      code: 'incorrect_cvc',
      param: 'cvc',
    }),
  ),
  refusing(
    '4000000000000119',
    'chargeDeclinedProcessingError',
    decline('processing_error', later, 'An error occurred while processing your card.', {
      code: 'processing_error',
    }),
  ),
  refusing(
    '4000000000006975',
    'visa_chargeDeclinedVelocityLimitExceeded',
    decline('card_velocity_exceeded', later, 'Your card was declined for making repeated attempts.'),
  ),
  refusing('4100000000000019', 'radarBlock', decline('fraudulent', never)),
  [
    '4000000000000341',
    'chargeCustomerFail',
    { ...visa, decline: decline('generic_decline', later), savable: true },
  ],
  ['4000002500003155', 'authenticationRequiredOnSetup', { ...visa, authentication: 'untilSetUp' }],
  ['4000002760003184', 'authenticationRequired', { ...visa, authentication: 'always' }],
  ['4000000000003220', 'threeDSecure2Required', { ...visa, authentication: 'always' }],
  ['4000000000000259', 'createDispute', { ...visa, disputed: 'fraudulent' }],
]);

const closed = { fails: 'account_closed', endsMandate: true } as const;
const wrongName = { fails: 'incorrect_account_holder_name' };
const rows: Readonly<Record<DebitType, readonly BankRow[]>> = {
  au_becs_debit: [
    ['000123456', 'success', {}],
    ['900123456', 'successDelayed', { delayed: true }],
    ['111111113', 'accountClosed', closed],
    ['222222227', 'referToCustomer', { fails: 'refer_to_customer' }],
    ['922222227', 'referToCustomerDelayed', { fails: 'refer_to_customer', delayed: true }],
  ],
  us_bank_account: [
    ['000123456789', 'success', {}],
    ['000111111113', 'accountClosed', closed],
  ],
  bacs_debit: [
    ['00012345', 'success', {}],
    ['22222227', 'insufficientFunds', { fails: 'insufficient_funds' }],
    ['00033333', 'mandateRefused', { mandateRefused: true }],
  ],
  sepa_debit: [
    ['DE89370400440532013000', 'success_de', {}],
    ['DE62370400440532013001', 'failed_de', wrongName],
    ['AT861904300235473202', 'failed_at', wrongName],
    ['DE91370400440000055555', 'notSupported_de', { notSupported: true }],
  ],
};

/** The accounts; one outside the table behaves as the successful one. */
export const banks = new BankTable(rows);

/** In which currency a type pays; a card pays in any. */
export const currencyOf: Readonly<Record<string, string>> = {
  au_becs_debit: 'aud',
  us_bank_account: 'usd',
  bacs_debit: 'gbp',
  sepa_debit: 'eur',
};
export const knownTypes: readonly string[] = ['card', ...Object.keys(currencyOf)];

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
/** Only whole multiples are charged and refunded. */
const steps: Readonly<Record<string, number>> = {
  bhd: 10,
  jod: 10,
  kwd: 10,
  omr: 10,
  tnd: 10,
  ugx: 100,
  isk: 100,
};
/** Of most currencies; what an account is paid out in may ask for more. */
const least = 50;
const most = 99_999_999;

/** @throws {StripeFault} 400 on a currency that is none */
export function readCurrency(currency: string): string {
  const lower = currency.toLowerCase();
  if (!currencies.has(lower)) throw invalid(`Invalid currency: ${lower}.`, 'currency');
  return lower;
}

/** @throws {StripeFault} 400 amount_too_small, amount_too_large, or an amount the currency cannot have */
export function checkAmount(amount: number, currency: string): void {
  if (amount < least)
    throw invalid(`Amount must be at least ${least} ${currency}`, 'amount', 'amount_too_small');
  if (amount > most)
    throw invalid(`Amount must be no more than ${most} ${currency}`, 'amount', 'amount_too_large');
  checkStep(amount, currency);
}

/** @throws {StripeFault} 400 on an amount of more decimals than are charged, or refunded */
export function checkStep(amount: number, currency: string): void {
  if (amount % (steps[currency] ?? 1) !== 0)
    throw invalid(`Invalid amount for ${currency}: it cannot be divided that finely.`, 'amount');
}
