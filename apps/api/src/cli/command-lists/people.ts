import type { CommandEntry, CommandGroup } from '../command.ts';
import { command, group, of, withDefault } from '../entries.ts';

/** Resellers, brands, customers, users and operators, and what is on record about them. */
export const peopleCommands: readonly (CommandEntry | CommandGroup)[] = [
  group(
    'reseller',
    'Resellers: the providers whose customers use the portal.',
    of(() => import('../commands/people/reseller.ts'), {
      add: 'Makes a reseller. The same again changes nothing.',
      set: 'Changes a reseller’s name or settings. An empty value takes a setting back to its default.',
      list: 'Lists the resellers.',
    }),
  ),
  group(
    'api-key',
    'API keys: what a provider’s own programs call the operator API with.',
    of(() => import('../commands/people/api-key.ts'), {
      add: 'Makes a key of a reseller, or of the installation, for the scopes given, and prints it once.',
      list: 'Lists the keys without their secrets: what each may do, until when, and when it was last used.',
      rotate: 'Gives a key a new secret; the old one works on for a while.',
      revoke: 'Ends a key at once.',
    }),
  ),
  group(
    'webhook-endpoint',
    'Webhooks out: where programs of a provider are told of what happens.',
    of(() => import('../commands/webhook-endpoint.ts'), {
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
    of(() => import('../commands/people/operator.ts'), {
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
    of(() => import('../commands/people/operator-sso.ts'), {
      set: 'Lets operators sign in through an OpenID provider, or changes how.',
      test: 'Asks the provider whether it can be used, and whether it takes this client.',
      remove: 'Takes single sign-on away. Sessions that are open stay open.',
      list: 'Lists the settings, without their secrets.',
    }),
  ),
  group(
    'brand',
    'Brands: colours, labels, areas, host names, logo and banner.',
    of(() => import('../commands/brand.ts'), {
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
    of(() => import('../commands/people/customer.ts'), {
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
    of(() => import('../commands/invoice.ts'), {
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
    of(() => import('../commands/people/user.ts'), {
      add: 'Makes a user. With --invite they choose a password by mail; else one is given, or made, printed once and good for seven days.',
      invite: 'Mails a user the link to finish the registration: it works once, for seven days.',
      password:
        'Sets a user’s password and ends the user’s sessions. One that is made here is good for seven days.',
      disable: 'Shuts a user out at once; --undo lets the user in again.',
      member: 'Adds a user to customers, or takes the user away from them.',
      list: 'Lists users.',
    }),
    of(() => import('../commands/people/user-second-factor.ts'), {
      'second-factor':
        'Shows whether a user has a second factor; --remove takes it away, for one who lost everything.',
    }),
  ),
  group(
    'sso',
    'Companies whose people sign in through an OpenID provider of their own.',
    of(() => import('../commands/people/sso.ts'), {
      set: 'Lets the people of a company sign in through its own OpenID provider, or changes how.',
      test: 'Asks a company’s provider what it offers, and says who could sign in.',
      remove: 'Takes single sign-on away from a company. Sessions that are open stay open.',
      list: 'Lists the companies, without their secrets.',
    }),
  ),
  command(
    'login-code',
    'Prints a link that signs support in as a user: it works once, for five minutes.',
    async () => (await import('../commands/people/login-code.ts')).loginCodeCommand,
  ),
  withDefault(
    command(
      'audit',
      'Shows who did what, on whose behalf, when and from where; newest first.',
      async () => (await import('../commands/audit.ts')).auditCommand,
    ),
    of(() => import('../commands/audit-verify.ts'), {
      verify: 'Reads the audit trail whole and says where a line was changed, taken away or put in later.',
    }),
  ),
  group(
    'privacy',
    'Personal data: handing it out, erasing it, and how long it is kept.',
    of(() => import('../commands/privacy.ts'), {
      export: 'Writes all that is held about a user or a customer into one ZIP file.',
      erase:
        'Erases a user or a customer, as far as the law does not want it kept; or says what that would do.',
      retention:
        'Deletes what is older than the settings keep it, as the worker does every day; or says what it would delete.',
    }),
  ),
];
