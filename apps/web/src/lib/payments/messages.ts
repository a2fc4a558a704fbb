import { defineMessages } from '../../messages/catalogue.ts';

/** Texts of a payment, wherever one is shown. */
export const t = defineMessages({
  receipt: 'Receipt',
  'receipt.busy': 'Saving…',
});
