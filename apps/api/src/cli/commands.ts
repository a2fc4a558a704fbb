import type { CommandEntry, CommandGroup } from './command.ts';
import { command, group, of, withDefault } from './entries.ts';

/**
 * Every command of `counterfoil`, in the order of `counterfoil help`. Names and summaries stand here and not with the
 * commands, so that help, and each command, loads no more than it needs: a look-up loads no gateway and no server.
 */
export const commands: readonly (CommandEntry | CommandGroup)[] = [
  command(
    'start',
    'Runs everything in one process: database, migrations, demo world (DEMO=1), sandbox, portal, jobs.',
    async () => (await import('./commands/run-server.ts')).startCommand,
  ),
  command(
    'serve',
    'Answers HTTP: the portal and its API. Any number of these may run.',
    async () => (await import('./commands/run-server.ts')).serveCommand,
  ),
  command(
    'work',
    'Runs jobs: mails, reports, finding out about payments. Any number of these may run.',
    async () => (await import('./commands/run-server.ts')).workCommand,
  ),
  command(
    'migrate',
    'Brings the database up to date. Safe to run twice and by several at once.',
    async () => (await import('./commands/database/migrate.ts')).migrateCommand,
  ),
  command(
    'demo',
    'Shows the demo world: brands, sign-ins, customers, invoices with their pay links; or removes it.',
    async () => (await import('./commands/database/demo.ts')).demoCommand,
  ),
  withDefault(
    command(
      'import',
      'Takes in e-invoices (UBL 2.1), bank statements (camt.053, CSV) and usage records (CSV, NDJSON). The same file twice changes nothing.',
      async () => (await import('./commands/imports/import.ts')).importCommand,
    ),
    of(() => import('./commands/imports/import-runs.ts'), {
      list: 'Lists imports, the newest first.',
      show: 'Shows how far an import is, what it came to and whether it can be undone.',
      stop: 'Stops an import that waits or runs; what is in by then stays.',
      retry: 'Tries to take in what an import has set aside.',
      undo: 'Takes out again what an import made.',
    }),
  ),
  group(
    'statement',
    'Entries of bank statements: what was booked by itself, and what a person decides.',
    of(() => import('./commands/imports/statement.ts'), {
      list: 'Lists entries with what may be meant by them, those taken in last first.',
      book: 'Books an entry to invoices of a customer; a debit takes a payment back.',
      dismiss: 'Says that an entry is none of the customers’ payments.',
      reopen: 'Takes the booking of a credit back, or its dismissal.',
    }),
  ),
  command(
    'put',
    'Makes or changes what a file names, a line each: customers, users, invoices, master data. The same file twice changes nothing.',
    async () => (await import('./commands/put.ts')).putCommand,
  ),
  group(
    'quarantine',
    'What imports could not take in: it waits here for what is missing.',
    of(() => import('./commands/imports/quarantine.ts'), {
      list: 'Lists what waits, why, and what to do about it; newest first.',
      retry: 'Tries to take in what waits.',
      drop: 'Takes entries away for good.',
    }),
  ),
  group(
    'mapping',
    'Mappings: how rows of usage files become records.',
    of(() => import('./commands/imports/mapping.ts'), {
      list: 'Lists the ready mappings and the reseller’s own.',
      show: 'Prints a mapping as JSON, ready or stored: a start for one’s own.',
      add: 'Stores a mapping of the reseller’s own, in the place of one of the same name.',
      remove: 'Forgets a stored mapping. What was imported with it stays.',
    }),
  ),
  group(
    'record-type',
    'Record types: what their units are.',
    of(() => import('./commands/imports/record-type.ts'), {
      list: 'Lists the reseller’s record types with their units.',
      set: 'Says what the units of a record type are.',
    }),
  ),
  group(
    'reseller',
    'Resellers: the providers whose customers use the portal.',
    of(() => import('./commands/people/reseller.ts'), {
      add: 'Makes a reseller. The same again changes nothing.',
      set: 'Changes a reseller’s name or settings. An empty value takes a setting back to its default.',
      list: 'Lists the resellers.',
    }),
  ),
  group(
    'api-key',
    'API keys: what a provider’s own programs call the operator API with.',
    of(() => import('./commands/people/api-key.ts'), {
      add: 'Makes a key of a reseller, or of the installation, for the scopes given, and prints it once.',
      list: 'Lists the keys without their secrets: what each may do, until when, and when it was last used.',
      rotate: 'Gives a key a new secret; the old one works on for a while.',
      revoke: 'Ends a key at once.',
    }),
  ),
  group(
    'webhook-endpoint',
    'Webhooks out: where programs of a provider are told of what happens.',
    of(() => import('./commands/webhook-endpoint.ts'), {
      add: 'Makes an endpoint and prints its secret once.',
      list: 'Lists the endpoints of a reseller, and whether they work.',
      set: 'Changes address, types, description or state of an endpoint.',
      rotate: 'Gives an endpoint a new secret; the old one signs on for a while.',
      test: 'Sends a test message at once and tells what came of it.',
      redeliver: 'Sends again what was given up.',
      remove: 'Deletes an endpoint.',
    }),
  ),
  group(
    'operator',
    'Operators: people of the provider, who sign in to the console.',
    of(() => import('./commands/people/operator.ts'), {
      add: 'Makes an operator and invites them by mail; without a mail server it prints the link.',
      list: 'Lists the operators: role, for whom they act, state, and when each last used the console.',
      set: 'Changes an operator’s name, role or reseller.',
      invite: 'Invites once more an operator who has not come in yet.',
      withdraw: 'Withdraws an open invitation.',
      disable: 'Shuts an operator out at once; --undo lets them in again.',
      reset: 'Takes every way in away from one who lost them, and invites them again.',
      remove: 'Removes an operator with all their ways in, at once.',
    }),
  ),
  group(
    'operator-sso',
    'Single sign-on of operators, of the installation or of one reseller.',
    of(() => import('./commands/people/operator-sso.ts'), {
      set: 'Lets operators sign in through an OpenID provider, or changes how.',
      test: 'Asks the provider whether it can be used, and whether it takes this client.',
      remove: 'Takes single sign-on away. Sessions that are open stay open.',
      list: 'Lists the settings, without their secrets.',
    }),
  ),
  group(
    'brand',
    'Brands: colours, labels, areas, host names, logo and banner.',
    of(() => import('./commands/brand.ts'), {
      add: 'Gives a reseller a brand. The same again changes nothing.',
      set: 'Changes a brand. An empty value takes a setting back to its default.',
      host: 'Points host names at a brand, or away from it.',
      image: 'Stores a brand’s logo or banner (SVG, PNG, JPEG, WebP), or takes it away.',
      list: 'Lists brands with their hosts.',
    }),
  ),
  group(
    'customer',
    'Customers of the resellers.',
    of(() => import('./commands/people/customer.ts'), {
      add: 'Makes a customer and prints its id.',
      set: 'Changes a customer, or makes it known to imports by more: account codes, lines, addresses, names.',
      disable: 'Shuts a customer out of the portal and of Auto-Pay; what it owes stays owed.',
      enable: 'Lets a disabled customer in again.',
      list: 'Lists customers with their ids.',
    }),
  ),
  group(
    'invoice',
    'Invoices and credit notes of the customers.',
    of(() => import('./commands/invoice.ts'), {
      list: 'Lists invoices and credit notes, what came in last first.',
      show: 'Shows one with its lines.',
      correct: 'Takes a corrected invoice that waits in the quarantine in the place of the one in the books.',
      void: 'Voids an invoice that nothing was paid of.',
      dispute: 'Marks an open invoice as disputed: it is owed, but not charged.',
      reopen: 'Takes back that an invoice is void or disputed.',
      'e-invoice': 'Writes one as an e-invoice, or says what keeps it from being one.',
      settle: 'Books what is still due of an invoice as money that came outside the portal.',
    }),
  ),
  group(
    'user',
    'Users who sign in to the portal.',
    of(() => import('./commands/people/user.ts'), {
      add: 'Makes a user. With --invite they choose a password by mail; else one is given, or made, printed once and good for seven days.',
      invite: 'Mails a user the link to finish the registration: it works once, for seven days.',
      password:
        'Sets a user’s password and ends the user’s sessions. One that is made here is good for seven days.',
      disable: 'Shuts a user out at once; --undo lets the user in again.',
      member: 'Adds a user to customers, or takes the user away from them.',
      list: 'Lists users.',
    }),
    of(() => import('./commands/people/user-second-factor.ts'), {
      'second-factor':
        'Shows whether a user has a second factor; --remove takes it away, for one who lost everything.',
    }),
  ),
  group(
    'sso',
    'Companies whose people sign in through an OpenID provider of their own.',
    of(() => import('./commands/people/sso.ts'), {
      set: 'Lets the people of a company sign in through its own OpenID provider, or changes how.',
      test: 'Asks a company’s provider what it offers, and says who could sign in.',
      remove: 'Takes single sign-on away from a company. Sessions that are open stay open.',
      list: 'Lists the companies, without their secrets.',
    }),
  ),
  command(
    'login-code',
    'Prints a link that signs support in as a user: it works once, for five minutes.',
    async () => (await import('./commands/people/login-code.ts')).loginCodeCommand,
  ),
  withDefault(
    command(
      'audit',
      'Shows who did what, on whose behalf, when and from where; newest first.',
      async () => (await import('./commands/audit.ts')).auditCommand,
    ),
    of(() => import('./commands/audit-verify.ts'), {
      verify: 'Reads the audit trail whole and says where a line was changed, taken away or put in later.',
    }),
  ),
  group(
    'privacy',
    'Personal data: handing it out, erasing it, and how long it is kept.',
    of(() => import('./commands/privacy.ts'), {
      export: 'Writes all that is held about a user or a customer into one ZIP file.',
      erase:
        'Erases a user or a customer, as far as the law does not want it kept; or says what that would do.',
      retention:
        'Deletes what is older than the settings keep it, as the worker does every day; or says what it would delete.',
    }),
  ),
  group(
    'books',
    'What payments, invoices, credit and ledger say of each other.',
    of(() => import('./commands/books.ts'), {
      verify: 'Compares all of it, and says where a rule of the books is broken.',
    }),
  ),
  command(
    'journal',
    'Writes what the ledger says of some days as journals for an accounting system, as CSV.',
    async () => (await import('./commands/journal.ts')).journalCommand,
  ),
  group(
    'gateway',
    'Payment gateways and their keys, one in use per reseller.',
    of(() => import('./commands/gateways/gateway.ts'), {
      set: 'Gives a reseller a payment gateway, or changes its settings.',
      check: 'Asks the gateway whether a reseller’s keys work.',
      disable: 'Takes a reseller’s gateway out of use. Payments made through it are still found out about.',
      enable: 'Takes a gateway account into use again, with the settings it has.',
      list: 'Lists the gateway accounts, without their secrets, and when each was last verified.',
    }),
    of(() => import('./commands/gateways/gateway-verify.ts'), {
      verify: 'Proves at the gateway itself, with test keys, that this program reads its protocol rightly.',
    }),
  ),
  group(
    'mail',
    'Mails: samples of all of them, through the mail server; and those that come back.',
    of(() => import('./commands/mail.ts'), {
      bounce: 'Notes a mail that came back: reads a mail server’s report from standard input.',
      test: 'Sends a sample of each mail, in a brand’s name and words, and says what the mail server answered.',
    }),
  ),
  group(
    'payments',
    'Payments and refunds: what was tried, what became of it, and what a person decides.',
    of(() => import('./commands/gateways/payments.ts'), {
      list: 'Lists payments and refunds, newest first.',
      show: 'Shows one payment or refund with every change of its state and what told of it.',
      export: 'Writes payments and refunds to standard output, one a line.',
    }),
    of(() => import('./commands/gateways/payments-change.ts'), {
      refund: 'Gives a payment back to the payer through its gateway, whole or in part.',
      resolve: 'Ends a payment or refund that nobody can find out about, by your word, which stands with it.',
      'look-up': 'Asks the gateway now what became of a payment or refund.',
      'new-link': 'Gives an invoice a new pay link; the old one works no more.',
    }),
    of(() => import('./commands/gateways/payments-external.ts'), {
      add: 'Books money that came outside the portal, by bank transfer or cheque, to a customer’s invoices.',
      void: 'Takes such a payment back: a cheque that bounced, a transfer booked to the wrong customer.',
      external: 'Lists what came outside the portal, the newest record first.',
    }),
    of(() => import('./commands/gateways/payments-pause.ts'), {
      pause: 'Turns payments off after a backup was restored, until each gateway was scanned.',
      resume: 'Turns payments of a reseller on again, by your word, where its gateway cannot be scanned.',
    }),
  ),
  command(
    'autopay',
    'Announces and charges what is due now, as the worker does every minute; or says what it would do.',
    async () => (await import('./commands/gateways/autopay.ts')).autopayCommand,
  ),
  command(
    'reconcile',
    'Follows up events, looks into payments that are due, open or ended, and scans after a restored backup.',
    async () => (await import('./commands/gateways/reconcile.ts')).reconcileCommand,
  ),
  group(
    'db',
    'The database.',
    of(() => import('./commands/database/db.ts'), {
      status: 'Shows the database’s version, schema, size and largest tables. Changes nothing.',
    }),
    of(() => import('./commands/database/db-months.ts'), {
      months: 'Lists the months of usage records: state, records, size. Changes nothing.',
      close: 'Closes a month: its records are not added to or changed any more.',
      reopen: 'Opens a closed month again.',
      archive: 'Moves a closed month’s records from the database into files. Totals stay.',
      unarchive: 'Brings an archived month’s records back from the files; it is closed then.',
    }),
    of(() => import('./commands/database/db-distribute.ts'), {
      distribute: 'Spreads the tables over the machines of a Citus cluster, by customer.',
    }),
  ),
  withDefault(
    command(
      'backup',
      'Writes database and files into one file, while everything runs.',
      async () => (await import('./commands/backup/backup.ts')).backupCommand,
    ),
    of(() => import('./commands/backup/backup.ts'), {
      verify: 'Reads a backup from end to end and says whether it is whole.',
      key: 'Makes a pair of keys for encrypted backups.',
    }),
  ),
  command(
    'restore',
    'Restores a backup into an empty installation; payments are off until the gateways were scanned.',
    async () => (await import('./commands/backup/restore.ts')).restoreCommand,
  ),
  group(
    'keys',
    'SECRET_KEY: what signs and seals.',
    of(() => import('./commands/keys.ts'), {
      rotate: 'Seals everything again under a new SECRET_KEY, while everything runs.',
    }),
  ),
  command(
    'doctor',
    'Examines settings, folders, portal, mail, database, key, worker, brands and gateways. Changes nothing but the rights of files in DATA_DIR that others could read.',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ),
  command(
    'openapi',
    'Prints the OpenAPI document of every call, the same as /openapi.json. Needs no database.',
    async () => (await import('./commands/openapi.ts')).openapiCommand,
  ),
];
