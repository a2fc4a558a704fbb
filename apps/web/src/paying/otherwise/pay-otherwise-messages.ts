import { defineMessages } from '../../text/catalogue.ts';

/** How to pay where the gateway takes nothing, and why it does not. */
export const t = defineMessages({
  open: 'How to pay',
  title: 'How to pay',
  unavailable: 'Payments cannot be made here at the moment.',
  paused: 'Payments are paused while we check our records. Please try again later.',
  bank: 'Please pay by bank transfer, with the number of what you pay as reference.',
  bankWithReference: 'Please pay by bank transfer. The reference tells us what it is for.',
  contact: 'Please contact {company}, who will tell you how to pay.',
  amount: 'Amount',
  account: 'Bank details',
  reference: 'Reference',
  copy: 'Copy reference',
  copied: 'Copied',
  questions: 'Questions?',
});
