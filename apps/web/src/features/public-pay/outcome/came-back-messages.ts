import { defineMessages } from '../../../text/catalogue.ts';

/** Texts of a bank payment that did not last; they come where there was one. */
export const t = defineMessages({
  failed:
    'The bank payment of {amount} from {day} did not go through. {reason}. Nothing was charged, and the {label} is due again.',
  taken: 'The payment of {amount} from {day} was taken back by the bank. The {label} is due again.',
});
