import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the page E-mails. */
export const t = defineMessages({
  title: 'E-mails',
  about: 'Receipts and mails about your account are always sent. What else goes to {email} is up to you.',
  invoices: '{invoices} and reminders',
  'invoices.hint':
    'New {invoices} of {customer} as they come in, and reminders when one is due. They stop once it is paid.',
  billing: 'This is the address {company} has for {customer}: without it nobody there may be told.',
  stored: 'Saved',
  'stored.on': 'You will get them at {email}.',
  'stored.off': 'You will not get them any more.',
  failed: 'That could not be saved. Please try again.',
  support: 'This is the person’s own choice: it cannot be changed for them.',
});
