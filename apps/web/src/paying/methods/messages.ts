import { defineMessages } from '../../text/catalogue.ts';

/** How a saved method is called, wherever it is named. */
export const t = defineMessages({
  'method.ending': '{brand} ending {last4}',
  'method.card': 'Card',
  'method.account': 'Account',
  'method.bank': '{routing}, account ending {last4}',
  'method.bankShort': 'account ending {last4}',
  'routing.bsb': 'BSB',
  'routing.sortCode': 'Sort code',
  'routing.bankCode': 'Bank code',
  'routing.number': 'Routing number',
});
