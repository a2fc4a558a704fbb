import { defineMessages } from '../../text/catalogue.ts';

/** What an invoice is called by its state, wherever one is shown. */
export const t = defineMessages({
  'state.open': 'Open',
  'state.overdue': 'Overdue',
  'state.partPaid': 'Part-paid',
  'state.beingConfirmed': 'Being confirmed',
  'state.waitsForPayer': 'Waiting for you',
  'state.paid': 'Paid',
  'state.credited': 'Credited',
  'state.void': 'Void',
  'state.disputed': 'Disputed',
  'state.credit': 'Credit',
});
