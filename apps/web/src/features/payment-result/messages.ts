import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the way back from the bank, while it is asked how the payment ended. */
export const t = defineMessages({
  title: 'Payment',
  asking: 'Asking how the payment ended…',
});
