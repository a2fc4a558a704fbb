/**
 * Fixed words and times of the public payment page (specification, payments §4, §8, §9). Apart from the schemas:
 * the page's first load carries these, and no schema.
 */

/** Channel and message by which other tabs learn that a payment ended. */
export const PAYMENT_WATCH = 'paymentWatch';
/** The submit overlay goes after this when the payment has already failed. */
export const OVERLAY_MS = 1_500;

export const texts = {
  failed: 'Payment Failed',
  successful: 'Payment Successful',
  credited: 'The invoice has been credited. No further payments required.',
  alreadyPaid: 'The invoice has already been paid. No further payments required.',
  misconfigured:
    'Payment Failed – Payment gateway is not configured properly, please try again later. If the problem persists, contact support',
  oops: 'Oops, something went wrong',
} as const;

/** What is said of a bank debit on its way (decisions §6). @param days working days the bank usually takes */
export const bankSubmitted = (days: number): string =>
  `Payment submitted. Your bank usually confirms within ${days} working ${days === 1 ? 'day' : 'days'}.`;
