import { defineMessages } from '../../text/catalogue.ts';

/** Texts of the public payment page while it loads and with its form; they come with the page. */
export const t = defineMessages({
  'label.invoice': 'Invoice',
  'title.pay': 'Pay {label} {number}',
  'title.loading': 'Payment',
  'head.from': '{label} from {brand}',
  'head.due': 'Due',
  'head.overdue': 'Overdue',
  'fact.number': '{label} number',
  'fact.period': 'Period',
  'fact.date': '{label} date',
  'fact.amount': '{label} amount',
  'fact.part': 'Amount to pay',
  'fact.fee': 'Card fee',
  'fact.bankFee': 'Bank fee',
  'fact.total': 'Total',
  'form.label': 'Card payment',
  'ways.legend': 'Pay by',
  'ways.card': 'Card',
  'ways.bank': 'Bank account',
  'form.submit': 'Pay {amount}',
  'form.leave': 'Continue to pay {amount}',
  'form.busy': 'Paying…',
  'form.dueChanged': 'A payment was made meanwhile. What is due now is shown above.',
  'form.partTaken': 'Of the last payment only a part was taken. What is still to be paid is shown above.',
  'form.tooSmall': 'The smallest amount that can be paid by {how} is {amount}. Nothing was charged.',
  'form.amountNotRepresentable':
    'By {how}, amounts can only be paid in steps of {step}. Please pay another amount, or ask us how to pay this one.',
  'form.paused':
    'Too many {what} were declined. Nothing was charged. The next one can be tried from {time} on.',
  'form.incomplete': 'To pay, complete: {fields}',
  'busy.paying': 'Paying. Please do not close this page',
  'loading.label': 'Loading the invoice',
  'foot.direct': '{what} details go straight to the payment provider',
  'foot.through': '{what} details are sent encrypted and never stored here',
  'foot.help': 'Help with this payment',

  'document.invoice': '{label} PDF',
  'document.busy': 'Saving…',
  'document.failed': 'The file could not be saved.',

  'incomplete.title': 'This page could not be loaded completely',
  'incomplete.loading': 'Nothing was charged. Check your connection and load the page again.',
  'incomplete.reload': 'Load the page again',
});
