/** What a provider's program may do with its API key, and what that means in words. Each call for programs names one. */
export const apiScopes = {
  'customers:read': 'read customers',
  'customers:write': 'make, change, disable and enable customers, one by one and in bulk',
  'users:read': 'read who may sign in for a customer',
  'users:write': 'let people sign in for a customer, invite them, and end that',
  'users:signInAs': 'open the portal as a user of a customer, to look only',
  'payments:read':
    'read payments and refunds, payments that came outside the portal, and adjustments of balances',
  'payments:write':
    'refund, resolve and look up payments; record those from outside and take them back; adjust balances',
  'invoices:read': 'read invoices and credit notes with their lines, and charges not invoiced yet',
  'invoices:write':
    'send and correct invoices; void, dispute, reopen and settle them; send charges not invoiced yet',
  'brands:read': 'read brands and what is set of the reseller',
  'brands:write': 'make and change brands with their hosts and pictures, and what is set of the reseller',
  'services:read': 'read services, record types, agreements, billing periods, service items and bundles',
  'services:write':
    'make, change and delete services, record types, agreements, billing periods, service items and bundles',
  'mails:read': 'read the mails that were sent, without what their links open',
  'mails:write': 'send mails again, and dismiss those that cannot be delivered',
  'webhooks:read': 'read the events that gateways have sent',
  'webhooks:write': 'follow events of gateways up again, and dismiss them',
  'webhookEndpoints:read':
    'read where messages about what happens are sent, what they say and how that fares',
  'webhookEndpoints:write':
    'make, change and delete endpoints of webhooks, rotate their secrets, and send messages again',
  'today:read': 'read what needs a person, as far as the other scopes allow, and the money of a day',
  'jobs:read': 'read the health of the installation and how its jobs fare; for keys of the installation',
  'jobs:write': 'run jobs again, now, or not at all; for keys of the installation',
  'gateways:read': 'read gateway accounts and how they are verified, never their keys',
  'gateways:write':
    'set gateway accounts with their keys, take them in and out of use, check and verify them',
  'resellers:read': 'read the resellers of the installation; for keys of the installation',
  'resellers:write': 'make and change resellers; for keys of the installation',
  'search:read': 'search customers, users, invoices and service items',
  'audit:read': 'read the audit trail',
  'privacy:export': 'hand out all data of a customer or a user as one file',
  'privacy:erase': 'erase a customer or a user for good',
  'imports:read': 'read imports, and what they have set aside',
  'imports:write':
    'upload files and import them; undo imports; correct, try again or drop what they have set aside',
  'usage:read': 'read how usage imports are getting on',
  'usage:write': 'upload usage records',
} as const satisfies Record<string, string>;
export type ApiScope = keyof typeof apiScopes;

export const isApiScope = (text: string): text is ApiScope => Object.hasOwn(apiScopes, text);

/** Names the reseller that a call is about; needed with a key of the installation, which is bound to none. */
export const RESELLER_HEADER = 'x-reseller-id';
