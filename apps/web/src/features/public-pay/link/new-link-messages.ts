import { defineMessages } from '../../../text/catalogue.ts';

/** Texts of the offer of a new link; apart, because few payers ever see them. */
export const t = defineMessages({
  'newLink.ask': 'Mail me a new link',
  'newLink.asking': 'Asking for a new link',
  'newLink.asked':
    'If {company} has an e-mail address on file and something is still to pay, a new link is on its way there.',
  'newLink.failed': 'This could not be asked for now. Please try again later.',
});
