import { texts } from '@counterfoil/contract/paying/public-pay-words.ts';
import { defineMessages } from '../../text/catalogue.ts';

/**
 * How a payment ended, or stands, whoever pays; those in the specification's quotes stand verbatim (payments §2, §4, §8).
 * They come after a form, with the code that pays.
 */
export const t = defineMessages({
  'paid.title': texts.successful,
  'paid.text': 'You paid {amount} to {company}',
  'paid.receipt': 'Receipt will be delivered to {email}',
  'failed.title': texts.failed,
  'failed.nothing': 'Nothing was charged.',
  'failed.notSent': 'The payment did not reach us. Nothing was charged.',
  'failed.stillToPay': 'Still to pay',
  'confirming.title': 'Payment being confirmed',
  'submitted.title': 'Payment submitted',
  'action.title': 'Your bank wants you to confirm',
  'action.text': 'The payment is not complete yet. Nothing is charged until you confirm it at your bank.',
  'action.leaving': 'Taking you to your bank to confirm this payment…',
  'action.continue': 'Continue to your bank',
  'action.failed': 'The server could not be reached. Check your connection and try again.',
  'facts.label': 'What is paid',
  'fact.paidWith': 'Paid with',
  'fact.triedWith': 'Tried with',
  'fact.method': 'Payment method',
  'fact.paidOn': 'Paid on',
  'fact.sentOn': 'Sent on',
  'fact.triedOn': 'Tried on',
  'fact.reference': 'Payment reference',
  'fact.supportReference': 'Reference for support',
  'fact.moment': '{day}, {time}',
  'foot.support': 'Support: {contacts}',
});
