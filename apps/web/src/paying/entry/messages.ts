import { defineMessages } from '../../text/catalogue.ts';

/** Texts around a way of entry, wherever it stands. */
export const t = defineMessages({
  card: 'card details',
  bank: 'account details',
  failed: 'The form could not be loaded. Check your connection and try again',
});
