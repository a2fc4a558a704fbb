import { texts } from '@counterfoil/contract/paying/public-pay-words.ts';
import { defineMessages } from '../../../text/catalogue.ts';

/**
 * Texts of the states without a payment, and what only a pay link says of a payment; those in the specification's quotes
 * stand verbatim (payments §2, §4, §8). Apart, because they come after the form, with the code that pays.
 */
export const t = defineMessages({
  'pay.credited': texts.credited,
  'pay.alreadyPaid': texts.alreadyPaid,
  'pay.misconfigured': texts.misconfigured,
  'document.receipt': 'Receipt',
  'foot.close': 'You can close this page.',
  'foot.signIn': 'Sign in to see all invoices',
  'loadFailed.safe': 'Opening this page charged nothing.',
  'loadFailed.expired':
    'We can mail a new link to the address on file, or you can sign in to see and pay your invoices. Opening this page charged nothing.',
  'loadFailed.unknown':
    'Make sure the whole address was copied from the mail. Opening this page charged nothing.',
  'loadFailed.sender': 'the sender',
  'misconfigured.title': 'This invoice cannot be paid here right now',
  'notOffered.title': 'Sign in to pay this invoice',
  'notOffered.signIn':
    '{company} takes payments from saved payment methods only. Sign in to use one of yours, or to add one.',
  'notOffered.text':
    'It cannot be paid by card through this link. Sign in if you have an account with {company}, or pay it as told below.',
  'notOffered.act': 'Sign in to pay',
  'notOffered.orElse': 'Or pay without signing in',
  'misconfigured.otherwise': 'Payments by card are not possible here at the moment.',
  'misconfigured.safe': 'Nothing was charged.',
  'paid.title': 'Already paid',
  'credited.title': 'Invoice credited',
  'notPayable.title': 'Not open for payment',
  'notPayable.void': 'This invoice is void. No payment is required.',
  'notPayable.disputed': 'This invoice is in dispute. It can be paid once that is settled.',
  'notPayable.other': 'This invoice cannot be paid at the moment.',
  'failed.next': 'You can try again, or use another card. If the problem persists, contact support.',
  'failed.nextWay': 'You can try again, or pay in another way. If the problem persists, contact support.',
  'failed.paidMeanwhile': '{amount} of this invoice was paid on {day} at {time}.',
  'confirming.text':
    'Your bank has not answered yet. You don’t need to do anything, and please don’t pay again: this invoice can only be charged once.',
  'confirming.lost':
    'We have not heard yet whether your payment arrived. You don’t need to do anything, and please don’t pay again: this invoice can only be charged once.',
  'confirming.close': 'You can close this page and open the link again later.',
  'submitted.again': 'Please don’t pay again. This page shows the result once your bank has confirmed.',
  'action.startOver': 'Use another card',
});
