import { defineMessages } from '../text/catalogue.ts';

/** Texts of a payment, wherever one is shown. */
export const t = defineMessages({
  receipt: 'Receipt',
  'receipt.busy': 'Saving…',
  'part.open': 'Pay another amount',
  'part.label': 'Amount to pay',
  'part.hint': 'From {least} to {most}. What is left stays to be paid.',
  'part.error': 'Enter an amount from {least} to {most}',
  'part.rest':
    'What is left must be at least {rest}, or nothing: enter up to {upTo}, or choose “Pay all of it”',
  'part.step': 'Enter an amount in steps of {step}, or choose “Pay all of it”',
  'part.close': 'Pay all of it',
  'part.use': 'Use this amount',
  'part.using': 'Asking for the total…',
  'part.stillDue': 'Still to pay',
});
