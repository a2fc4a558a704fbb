import { defineMessages } from '../../text/catalogue.ts';

/** Texts on the way to the payment provider's own page. */
export const t = defineMessages({
  title: 'Payment',
  leaving: 'You are taken to the payment provider…',
  failed: 'The payment provider’s page could not be opened. Nothing was charged.',
});
