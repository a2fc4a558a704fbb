import { defineMessages } from '../../text/catalogue.ts';

/** What only a signed-in payment says; what the specification quotes stands verbatim (payments §2, §8). */
export const t = defineMessages({
  'paid.credit': 'Your credit paid {amount} to {company}',
  'failed.notHere': 'This cannot be paid here right now',
  'failed.advice': 'Please try again later. If the problem persists, contact support',
  'failed.nothingTo': 'Nothing was charged to {method}.',
  'confirming.text':
    'Your bank has not answered yet. You don’t need to do anything, and please don’t pay again: these {label} can only be charged once.',
  'confirming.lost':
    'We have not heard yet whether your payment arrived. You don’t need to do anything, and please don’t pay again: these {label} can only be charged once.',
  'confirming.leave': 'You can leave this page. Your {label} show how it ended.',
  'submitted.again': 'Please don’t pay again. Your {label} show the result once your bank has confirmed.',
  'action.startOver': 'Use another payment method',
  'act.toInvoices': 'Back to {label}',
  'fact.cardFee': 'Card fee',
  'fact.bankFee': 'Bank fee',
  'fact.adjustments': 'Adjustments:',
  'fact.total': 'Total: ',
  'fact.kept': 'Kept as your credit',
  'fact.stillToPay': 'Still to pay of {number}',
  'fact.credit': 'Credit',
  'busy.paying': 'Paying. Please do not close this page',
  'busy.asking': 'Asking how the payment ended',
});
