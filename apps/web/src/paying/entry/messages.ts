import { defineMessages } from '../../text/catalogue.ts';

/** Texts around a way of entry, wherever it stands. */
export const t = defineMessages({
  card: 'card details',
  bank: 'account details',
  frame: 'the payment provider’s form',
  'frame.open': 'Fill in the payment provider’s form first',
  failed: 'The form could not be loaded. Check your connection and try again',
  'prepare.none': 'The form has not loaded yet',
  'prepare.loading': 'The form has not loaded yet',
  'prepare.failed':
    'Oops, something went wrong. The payment provider’s form could not be prepared. Nothing was charged or saved.',
  'prepare.expired': 'This form has expired. Nothing was charged or saved. Load it again to go on.',
  'prepare.again': 'Load the form again',
});
