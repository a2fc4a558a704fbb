/** Test cards and what they do. https://docs.stripe.com/testing */
import {
  type Asked,
  type CardBehaviour,
  CardTable,
  judge,
  type Verdict,
} from '@counterfoil/sandbox/money/card.ts';

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
