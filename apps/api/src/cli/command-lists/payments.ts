import type { CommandEntry, CommandGroup } from '../command.ts';
import { command, group, of } from '../entries.ts';

/** The books, gateways, payments and the mails about them. */
export const paymentCommands: readonly (CommandEntry | CommandGroup)[] = [
  group(
    'books',
    'What payments, invoices, credit and ledger say of each other.',
    of(() => import('../commands/books.ts'), {
      verify: 'Compares all of it, and says where a rule of the books is broken.',
    }),
  ),
  command(
    'journal',
    'Writes what the ledger says of some days as journals for an accounting system, as CSV.',
    async () => (await import('../commands/journal.ts')).journalCommand,
  ),
  group(
    'gateway',
    'Payment gateways and their keys, one in use per reseller.',
    of(() => import('../commands/gateways/gateway.ts'), {
      set: 'Gives a reseller a payment gateway, or changes its settings.',
      check: 'Asks the gateway whether a reseller’s keys work.',
      disable: 'Takes a reseller’s gateway out of use. Payments made through it are still found out about.',
      enable: 'Takes a gateway account into use again, with the settings it has.',
      list: 'Lists the gateway accounts, without their secrets, and when each was last verified.',
    }),
    of(() => import('../commands/gateways/gateway-verify.ts'), {
      verify: 'Proves at the gateway itself, with test keys, that this program reads its protocol rightly.',
    }),
  ),
  group(
    'mail',
    'Mails: samples of all of them, through the mail server; and those that come back.',
    of(() => import('../commands/mail.ts'), {
      bounce: 'Notes a mail that came back: reads a mail server’s report from standard input.',
      test: 'Sends a sample of each mail, in a brand’s name and words, and says what the mail server answered.',
    }),
  ),
  group(
    'payments',
    'Payments and refunds: what was tried, what became of it, and what a person decides.',
    of(() => import('../commands/gateways/payments.ts'), {
      list: 'Lists payments and refunds, newest first.',
      show: 'Shows one payment or refund with every change of its state and what told of it.',
      export: 'Writes payments and refunds to standard output, one a line.',
    }),
    of(() => import('../commands/gateways/payments-change.ts'), {
      refund: 'Gives a payment back to the payer through its gateway, whole or in part.',
      resolve: 'Ends a payment or refund that nobody can find out about, by your word, which stands with it.',
      'look-up': 'Asks the gateway now what became of a payment or refund.',
      'new-link': 'Gives an invoice a new pay link; the old one works no more.',
    }),
    of(() => import('../commands/gateways/payments-external.ts'), {
      add: 'Books money that came outside the portal, by bank transfer or cheque, to a customer’s invoices.',
      void: 'Takes such a payment back: a cheque that bounced, a transfer booked to the wrong customer.',
      external: 'Lists what came outside the portal, the newest record first.',
    }),
    of(() => import('../commands/gateways/payments-pause.ts'), {
      pause: 'Turns payments off after a backup was restored, until each gateway was scanned.',
      resume: 'Turns payments of a reseller on again, by your word, where its gateway cannot be scanned.',
    }),
  ),
  command(
    'autopay',
    'Announces and charges what is due now, as the worker does every minute; or says what it would do.',
    async () => (await import('../commands/gateways/autopay.ts')).autopayCommand,
  ),
  command(
    'reconcile',
    'Follows up events, looks into payments that are due, open or ended, and scans after a restored backup.',
    async () => (await import('../commands/gateways/reconcile.ts')).reconcileCommand,
  ),
];
