import * as brand from '@counterfoil/contract/brand.ts';
import * as costCentres from '@counterfoil/contract/cost-centres.ts';
import * as customers from '@counterfoil/contract/customers.ts';
import * as dashboard from '@counterfoil/contract/dashboard.ts';
import * as envelope from '@counterfoil/contract/envelope.ts';
import * as invoices from '@counterfoil/contract/invoices.ts';
import * as mailTexts from '@counterfoil/contract/mail-texts.ts';
import * as auditTrail from '@counterfoil/contract/operator/access/audit-trail.ts';
import * as operatorPeople from '@counterfoil/contract/operator/access/operator-people.ts';
import * as operatorSso from '@counterfoil/contract/operator/access/operator-sso.ts';
import * as operatorWays from '@counterfoil/contract/operator/access/operator-ways.ts';
import * as operators from '@counterfoil/contract/operator/access/operators.ts';
import * as signInAs from '@counterfoil/contract/operator/access/sign-in-as.ts';
import * as adjustments from '@counterfoil/contract/operator/billing/adjustments.ts';
import * as adminInvoices from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import * as adminServiceItems from '@counterfoil/contract/operator/billing/admin-service-items.ts';
import * as agreements from '@counterfoil/contract/operator/billing/agreements.ts';
import * as bundles from '@counterfoil/contract/operator/billing/bundles.ts';
import * as charges from '@counterfoil/contract/operator/billing/charges.ts';
import * as eInvoices from '@counterfoil/contract/operator/billing/e-invoices.ts';
import * as putInvoice from '@counterfoil/contract/operator/billing/put-invoice.ts';
import * as services from '@counterfoil/contract/operator/billing/services.ts';
import * as adminCustomers from '@counterfoil/contract/operator/customers/admin-customers.ts';
import * as customerMethods from '@counterfoil/contract/operator/customers/customer-methods.ts';
import * as privacy from '@counterfoil/contract/operator/customers/privacy.ts';
import * as search from '@counterfoil/contract/operator/customers/search.ts';
import * as adminImports from '@counterfoil/contract/operator/imports/admin-imports.ts';
import * as adminQuarantine from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import * as entityImport from '@counterfoil/contract/operator/imports/entity-import.ts';
import * as usageImport from '@counterfoil/contract/operator/imports/usage-import.ts';
import * as adminPayLinks from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import * as adminPayments from '@counterfoil/contract/operator/paying/admin-payments.ts';
import * as autoPayRuns from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import * as bankEntries from '@counterfoil/contract/operator/paying/bank-entries.ts';
import * as externalPayments from '@counterfoil/contract/operator/paying/external-payments.ts';
import * as adminBrands from '@counterfoil/contract/operator/running/admin-brands.ts';
import * as adminGateways from '@counterfoil/contract/operator/running/admin-gateways.ts';
import * as installation from '@counterfoil/contract/operator/running/installation.ts';
import * as mails from '@counterfoil/contract/operator/running/mails.ts';
import * as today from '@counterfoil/contract/operator/running/today.ts';
import * as webhookEndpoints from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import * as webhookEvents from '@counterfoil/contract/operator/running/webhook-events.ts';
import * as webhookMessages from '@counterfoil/contract/operator/running/webhook-messages.ts';
import * as bulkPay from '@counterfoil/contract/paying/bulk-pay.ts';
import * as directDebit from '@counterfoil/contract/paying/direct-debit.ts';
import * as entryConfig from '@counterfoil/contract/paying/entry-config.ts';
import * as payLinks from '@counterfoil/contract/paying/pay-links.ts';
import * as paymentMethods from '@counterfoil/contract/paying/payment-methods.ts';
import * as publicPay from '@counterfoil/contract/paying/public-pay.ts';
import * as receipts from '@counterfoil/contract/paying/receipts.ts';
import * as account from '@counterfoil/contract/people/account.ts';
import * as auth from '@counterfoil/contract/people/auth.ts';
import * as loginAs from '@counterfoil/contract/people/login-as.ts';
import * as passkeys from '@counterfoil/contract/people/passkeys.ts';
import * as registration from '@counterfoil/contract/people/registration.ts';
import * as secondFactor from '@counterfoil/contract/people/second-factor.ts';
import * as sessions from '@counterfoil/contract/people/sessions.ts';
import * as sso from '@counterfoil/contract/people/sso.ts';
import * as preferences from '@counterfoil/contract/preferences.ts';
import * as reports from '@counterfoil/contract/reports.ts';
import * as serviceItems from '@counterfoil/contract/service-items.ts';
import * as statement from '@counterfoil/contract/statement.ts';
import * as transactions from '@counterfoil/contract/transactions.ts';
import * as usage from '@counterfoil/contract/usage.ts';
import * as webhooks from '@counterfoil/contract/webhooks.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import * as z from 'zod/mini';

const modules: readonly object[] = [
  brand,
  costCentres,
  customers,
  dashboard,
  envelope,
  invoices,
  mailTexts,
  adjustments,
  adminBrands,
  adminCustomers,
  privacy,
  adminImports,
  adminInvoices,
  adminPayLinks,
  adminGateways,
  adminPayments,
  adminQuarantine,
  adminServiceItems,
  agreements,
  bundles,
  charges,
  auditTrail,
  autoPayRuns,
  bankEntries,
  externalPayments,
  installation,
  mails,
  operatorPeople,
  operatorSso,
  operatorWays,
  operators,
  eInvoices,
  putInvoice,
  search,
  signInAs,
  customerMethods,
  entityImport,
  services,
  today,
  usageImport,
  webhookEndpoints,
  webhookEvents,
  webhookMessages,
  bulkPay,
  directDebit,
  entryConfig,
  payLinks,
  paymentMethods,
  publicPay,
  receipts,
  account,
  auth,
  loginAs,
  passkeys,
  registration,
  secondFactor,
  sessions,
  sso,
  preferences,
  reports,
  serviceItems,
  statement,
  transactions,
  usage,
  webhooks,
];

type Meta = ReturnType<typeof z.globalRegistry.get>;

/** What the contract says of its schemas, with the names given here before it. */
class SaidElsewhere extends WeakMap<z.core.$ZodType, Meta> {
  override get(schema: z.core.$ZodType): Meta {
    return super.get(schema) ?? z.globalRegistry.get(schema);
  }
  override has(schema: z.core.$ZodType): boolean {
    return super.has(schema) || z.globalRegistry.has(schema);
  }
}

/**
 * The contract's objects under their own names, as components of the document: `invoice` is `Invoice`. A client that is
 * generated from the document has types of these names.
 * @throws {Error} when two objects have one name
 */
export function namedSchemas(): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  registry._map = new SaidElsewhere() as unknown as typeof registry._map;
  const taken = new Map<string, unknown>();
  for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
    if (!(schema instanceof z.ZodMiniObject)) continue;
    if ((taken.get(name) ?? schema) !== schema) throw new Error(`the contract has two objects named ${name}`);
    taken.set(name, schema);
    registry.add(schema, {
      ...z.globalRegistry.get(schema),
      id: capitalised(name),
    });
  }
  return registry;
}
