/** Test cards and test bank accounts as Stripe documents them, and what a payment may amount to. */

import { type BankRow, BankTable } from '@counterfoil/sandbox/money/bank-account.ts';
import {
  type Asked,
  type CardBehaviour,
  CardTable,
  judge,
  type Verdict,
} from '@counterfoil/sandbox/money/card.ts';
import type { MethodType } from './objects.ts';
import { invalid, StripeFault } from './wire.ts';

export interface Decline {
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
  readonly param?: string;
  readonly advice_code?: string;
}

const declined = (
  decline_code: string,
  advice_code?: string,
  message = 'Your card was declined.',
): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
  ...(advice_code === undefined ? {} : { advice_code }),
});

export const declines = {
  generic: declined('generic_decline', 'try_again_later'),
  insufficientFunds: declined('insufficient_funds', 'try_again_later', 'Your card has insufficient funds.'),
  lost: declined('lost_card', 'do_not_try_again'),
  stolen: declined('stolen_card', 'do_not_try_again'),
  velocity: declined(
    'card_velocity_exceeded',
    'try_again_later',
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  ),
  fraudulent: declined('fraudulent', 'do_not_try_again'),
  live: declined(
    'test_mode_live_card',
    undefined,
    'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  ),
  expired: {
    code: 'expired_card',
    decline_code: 'expired_card',
    message: 'Your card has expired.',
    param: 'exp_month',
    advice_code: 'confirm_card_data',
  },
  cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    param: 'cvc',
    advice_code: 'confirm_card_data',
  },
  processing: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    advice_code: 'try_again_later',
  },
  authentication: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  notHandled: {
    code: 'authentication_required',
    decline_code: 'authentication_not_handled',
    message:
      'This payment required an authentication action to complete, but `error_on_requires_action` was set.',
  },
} satisfies Record<string, Decline>;

const visa = { brand: 'visa' } as const;

/** The cards; an unknown name or number is no test card. */
export const cards = new CardTable<Decline>([
  ['4242424242424242', 'visa', visa],
  ['4000056655665556', 'visa_debit', { ...visa, funding: 'debit' }],
  ['5555555555554444', 'mastercard', { brand: 'mastercard' }],
  ['2223003122003222', 'mastercard_2series', { brand: 'mastercard' }],
  ['5200828282828210', 'mastercard_debit', { brand: 'mastercard', funding: 'debit' }],
  ['5105105105105100', 'mastercard_prepaid', { brand: 'mastercard', funding: 'prepaid' }],
  ['378282246310005', 'amex', { brand: 'amex' }],
  ['371449635398431', 'amex_second', { brand: 'amex' }],
  ['6011111111111117', 'discover', { brand: 'discover' }],
  ['3056930009020004', 'diners', { brand: 'diners' }],
  ['36227206271667', 'diners_14digits', { brand: 'diners' }],
  ['3566002020360505', 'jcb', { brand: 'jcb' }],
  ['6200000000000005', 'unionpay', { brand: 'unionpay' }],
  ['4000000360000006', 'au', { ...visa, country: 'AU' }],
  ['4000000000000002', 'chargeDeclined visa_chargeDeclined', { ...visa, decline: declines.generic }],
  [
    '4000000000009995',
    'chargeDeclinedInsufficientFunds visa_chargeDeclinedInsufficientFunds',
    { ...visa, decline: declines.insufficientFunds },
  ],
  [
    '4000000000009987',
    'chargeDeclinedLostCard visa_chargeDeclinedLostCard',
    { ...visa, decline: declines.lost },
  ],
  [
    '4000000000009979',
    'chargeDeclinedStolenCard visa_chargeDeclinedStolenCard',
    { ...visa, decline: declines.stolen },
  ],
  ['4000000000000069', 'chargeDeclinedExpiredCard', { ...visa, decline: declines.expired }],
  ['4000000000000127', 'chargeDeclinedIncorrectCvc', { ...visa, decline: declines.cvc }],
  ['4000000000000119', 'chargeDeclinedProcessingError', { ...visa, decline: declines.processing }],
  [
    '4000000000006975',
    'visa_chargeDeclinedVelocityLimitExceeded chargeDeclinedVelocityLimitExceeded',
    { ...visa, decline: declines.velocity },
  ],
  ['4000000000000341', 'chargeCustomerFail', { ...visa, decline: declines.generic, savable: true }],
  ['4100000000000019', 'radarBlock', { ...visa, decline: declines.fraudulent }],
  ['4000000000000101', 'cvcCheckFail', { ...visa, cvcCheck: 'fail' }],
  ['4000000000000036', 'avsZipFail', { ...visa, postalCheck: 'fail' }],
  ['4000000000000028', 'avsLine1Fail', { ...visa, line1Check: 'fail' }],
  ['4000000000000010', 'avsFail', { ...visa, line1Check: 'fail', postalCheck: 'fail' }],
  ['4000000000000044', 'avsUnchecked', { ...visa, line1Check: 'unavailable', postalCheck: 'unavailable' }],
  ['4000000000003220', 'threeDSecure2Required', { ...visa, authentication: 'always' }],
  ['4000000000003063', 'threeDSecureRequired', { ...visa, authentication: 'always' }],
  [
    '4000008400001629',
    'threeDSecureRequiredChargeDeclined',
    { ...visa, authentication: 'always', decline: declines.generic },
  ],
  [
    '4000008400001280',
    'threeDSecureRequiredProcessingError',
    { ...visa, authentication: 'always', lookupFails: true },
  ],
  ['4000000000003055', 'threeDSecureOptional', visa],
  [
    '4000002500003155',
    'authenticationRequiredOnSetup',
    { ...visa, country: 'IE', authentication: 'untilSetUp' },
  ],
  ['4000002760003184', 'authenticationRequired', { ...visa, country: 'DE', authentication: 'always' }],
  [
    '4000003800000446',
    'authenticationRequiredSetupForOffSession',
    { ...visa, country: 'IT', authentication: 'onSession' },
  ],
  [
    '4000008260003178',
    'authenticationRequiredChargeDeclinedInsufficientFunds',
    { ...visa, country: 'GB', authentication: 'always', decline: declines.insufficientFunds, savable: true },
  ],
  ['4000000000000259', 'createDispute', { ...visa, disputed: 'fraudulent' }],
  ['4000000000007726', 'pendingRefund', { ...visa, refund: 'pending' }],
  ['4000000000005126', 'refundFail', { ...visa, refund: 'failing' }],
  ['4000000000000077', 'bypassPending', visa],
]);

/** What the bank says to paying with, or saving, a card. */
export const verdictOn = (card: CardBehaviour<Decline>, asked: Asked): Verdict<Decline> =>
  judge(card, asked, { authentication: declines.authentication, lookupFailed: declines.processing });

type DebitType = Exclude<MethodType, 'card'>;

const ends = { endsMandate: true } as const;
const delayed = { delayed: true } as const;

const rows: Readonly<Record<DebitType, readonly BankRow[]>> = {
  au_becs_debit: [
    ['000123456', 'success', {}],
    ['900123456', 'successDelayed', delayed],
    ['111111113', 'accountClosed', { fails: 'account_closed', ...ends }],
    ['111111116', 'noAccount', { fails: 'no_account', ...ends }],
    ['222222227', 'referToCustomer', { fails: 'refer_to_customer' }],
    ['922222227', 'referToCustomerDelayed', { fails: 'refer_to_customer', ...delayed }],
    ['333333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['666666660', 'dispute', { disputed: 'debit_not_authorized' }],
    ['343434343', 'exceedsWeeklyLimit', { fails: 'charge_exceeds_source_limit' }],
    ['121212121', 'exceedsTransactionLimit', { fails: 'charge_exceeds_transaction_limit' }],
  ],
  us_bank_account: [
    ['000123456789', 'success', {}],
    ['000111111113', 'accountClosed', { fails: 'account_closed', ...ends }],
    ['000111111116', 'noAccount', { fails: 'no_account', ...ends }],
    ['000222222227', 'insufficientFunds', { fails: 'insufficient_funds' }],
    ['000333333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['000444444440', 'invalidCurrency', { fails: 'invalid_currency' }],
    ['000666666661', 'failMicrodeposits', { noMicrodeposits: true }],
    ['000555555559', 'dispute', { disputed: 'debit_not_authorized' }],
    ['000000000009', 'processing', { never: true }],
    ['000777777771', 'weeklyLimitExceeded', { fails: 'charge_exceeds_source_limit' }],
  ],
  bacs_debit: [
    ['00012345', 'success', {}],
    ['90012345', 'successDelayed', delayed],
    ['33333335', 'debitNotAuthorized', { fails: 'debit_not_authorized', ...ends }],
    ['93333335', 'debitNotAuthorizedDelayed', { fails: 'debit_not_authorized', ...ends, ...delayed }],
    ['22222227', 'insufficientFunds', { fails: 'insufficient_funds' }],
    ['92222227', 'insufficientFundsDelayed', { fails: 'insufficient_funds', ...delayed }],
    ['55555559', 'dispute', { ...delayed, disputed: 'debit_not_authorized' }],
    ['00033333', 'mandateRefused', { mandateRefused: true }],
    ['00044444', 'setupRefused', { setupRefused: true }],
    ['34343434', 'exceedsWeeklyLimit', { fails: 'charge_exceeds_weekly_limit' }],
    ['12121212', 'exceedsTransactionLimit', { fails: 'charge_exceeds_transaction_limit' }],
  ],
  sepa_debit: [
    ...sepa('success', 'AT611904300234573201', 'DE89370400440532013000', {}),
    ...sepa('successDelayed', 'AT321904300235473204', 'DE08370400440532013003', delayed),
    ...sepa('failed', 'AT861904300235473202', 'DE62370400440532013001', {
      fails: 'incorrect_account_holder_name',
    }),
    ...sepa('failedDelayed', 'AT051904300235473205', 'DE78370400440532013004', {
      fails: 'incorrect_account_holder_name',
      ...delayed,
    }),
    ...sepa('disputed', 'AT591904300235473203', 'DE35370400440532013002', {
      disputed: 'debit_not_authorized',
    }),
    ...sepa('insufficientFunds', 'AT981904300002222227', 'DE65370400440002222227', {
      fails: 'insufficient_funds',
    }),
    ...sepa('notSupported', 'AT271904300000055555', 'DE91370400440000055555', { notSupported: true }),
  ],
};

function sepa(name: string, at: string, de: string, behaviour: BankRow[2]): BankRow[] {
  return [
    [de, `${name}_de`, behaviour],
    [at, `${name}_at`, behaviour],
  ];
}

/** The accounts; one outside the table behaves as the successful one. */
export const banks = new BankTable(rows);

/** Why a debit failed, for people. */
export const bankFailureText: Readonly<Record<string, string>> = {
  account_closed: "The customer's bank account has been closed.",
  no_account: "The customer's bank account could not be located.",
  refer_to_customer: 'The debit was refused; refer to the customer.',
  debit_not_authorized: 'The customer has notified their bank that this payment was unauthorized.',
  insufficient_funds: "The customer's account has insufficient funds to cover this payment.",
  invalid_currency: 'The bank was unable to process this transaction because of its currency.',
  charge_exceeds_source_limit: 'The payment exceeds the weekly limit of this account.',
  charge_exceeds_weekly_limit: 'The payment exceeds the weekly limit of this account.',
  charge_exceeds_transaction_limit: 'The payment exceeds the limit of a single transaction.',
  incorrect_account_holder_name: "The name on the account does not match the bank's records.",
};

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
const threeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const wholeHundreds = new Set(['ugx', 'isk']);
const zeroDecimals = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);

/** Least amounts in minor units; others follow the 50 minor units of most currencies. */
const least: Readonly<Record<string, number>> = {
  gbp: 30,
  aed: 200,
  czk: 1500,
  dkk: 250,
  hkd: 400,
  huf: 17_500,
  mxn: 1000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1000,
};
const most = 99_999_999;

/** @throws {StripeFault} 400 on a currency that is none */
export function readCurrency(currency: string): string {
  const lower = currency.toLowerCase();
  if (!currencies.has(lower)) {
    throw invalid(
      `Invalid currency: ${lower}. Stripe currently supports many currencies, see https://stripe.com/docs/currencies`,
      'currency',
    );
  }
  return lower;
}

/** @throws {StripeFault} 400 amount_too_small, amount_too_large, or an amount the currency cannot have */
export function checkAmount(amount: number, currency: string): void {
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  const minimum = least[currency] ?? 50;
  if (amount < minimum) {
    throw invalid(`Amount must be at least ${display(minimum, currency)}`, 'amount', 'amount_too_small');
  }
  if (amount > most) {
    throw invalid(`Amount must be no more than ${display(most, currency)}`, 'amount', 'amount_too_large');
  }
  checkStep(amount, currency);
}

/** @throws {StripeFault} 400 on an amount of more decimals than are charged, or refunded */
export function checkStep(amount: number, currency: string): void {
  if (
    (threeDecimals.has(currency) && amount % 10 !== 0) ||
    (wholeHundreds.has(currency) && amount % 100 !== 0)
  ) {
    throw new StripeFault(
      400,
      'invalid_request_error',
      `Invalid amount for ${currency}: it cannot be divided that finely.`,
      {
        param: 'amount',
      },
    );
  }
}

function display(amount: number, currency: string): string {
  const decimals = zeroDecimals.has(currency) ? 0 : threeDecimals.has(currency) ? 3 : 2;
  const digits = String(amount).padStart(decimals + 1, '0');
  const shown = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${shown} ${currency}`;
}
