import { defineMessages } from '../../text/catalogue.ts';

/** Texts of a payment whose end is not known yet, wherever it is waited for. */
export const t = defineMessages({
  sent: 'Payment sent',
  at: 'at {time}',
  waiting: 'Waiting for the bank',
  usually: 'usually under a minute',
  offline: 'The server cannot be reached at the moment; this page keeps trying',
  next: 'Confirmed: this page changes by itself',
  nextReceipt: 'Confirmed: this page changes by itself, and a receipt goes to {email}',
  submitted: 'Payment submitted. Your bank usually confirms within {n} working days.',
});
