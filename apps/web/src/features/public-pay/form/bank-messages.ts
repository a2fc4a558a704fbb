import { defineMessages } from '../../../text/catalogue.ts';

/** Texts of the form that pays by bank account; they come with it, once it is chosen. */
export const t = defineMessages({
  'bank.form': 'Bank payment',
  'bank.agree': 'Agree to the direct debit to pay',
});
