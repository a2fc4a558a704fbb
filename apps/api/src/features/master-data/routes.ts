import {
  adjustmentPage,
  adjustmentValues,
  adminAdjustment,
} from '@counterfoil/contract/operator/billing/adjustments.ts';
import {
  adminServiceItem,
  serviceItemPage,
  serviceItemQuery,
  serviceItemValues,
} from '@counterfoil/contract/operator/billing/admin-service-items.ts';
import {
  adminAgreement,
  adminBillingPeriod,
  agreementPage,
  agreementValues,
  billingPeriodPage,
  billingPeriodValues,
  customerThingsQuery,
} from '@counterfoil/contract/operator/billing/agreements.ts';
import { adminBundle, bundlePage, bundleValues } from '@counterfoil/contract/operator/billing/bundles.ts';
import { adminCharge, chargePage, chargeValues } from '@counterfoil/contract/operator/billing/charges.ts';
import { sql } from '../../db/sql.ts';
import type { App } from '../../http/app-type.ts';
import { adjustments } from './adjustments.ts';
import { agreements, billingPeriods } from './agreements.ts';
import { bundles } from './bundles.ts';
import { charges } from './charges.ts';
import { entityRoutes, type MasterDataDeps } from './entity-routes.ts';
import { serviceItems } from './service-items.ts';
import { serviceRoutes } from './service-routes.ts';

const billed = { read: 'invoices:read', write: 'invoices:write' } as const;
const money = { read: 'payments:read', write: 'payments:write' } as const;
const services = { read: 'services:read', write: 'services:write' } as const;

/** What the portal shows of a provider's services and of its customers' contracts, for the provider's programs. */
export function masterDataRoutes(app: App, deps: MasterDataDeps): void {
  serviceRoutes(app, deps);
  entityRoutes(app, deps, agreements, {
    path: 'agreements',
    name: 'Agreement',
    names: 'Agreements',
    one: 'an agreement',
    many: 'agreements',
    more: 'Invoices that name the reference as their contract stand with it.',
    scopes: services,
    values: agreementValues,
    shown: adminAgreement,
    page: agreementPage,
    query: customerThingsQuery,
    line: { reference: 'A-1', customer: 'C-1001', name: 'Business voice' },
  });
  entityRoutes(app, deps, billingPeriods, {
    path: 'billing-periods',
    name: 'BillingPeriod',
    names: 'BillingPeriods',
    one: 'a billing period',
    many: 'billing periods',
    more: 'Those of invoices are made when the invoices come; one of the same days gets the reference.',
    scopes: services,
    values: billingPeriodValues,
    shown: adminBillingPeriod,
    page: billingPeriodPage,
    query: customerThingsQuery,
    line: { reference: 'P-1', customer: 'C-1001', agreement: 'A-1', from: '2026-03-01', to: '2026-03-31' },
  });
  entityRoutes(app, deps, serviceItems, {
    path: 'service-items',
    name: 'ServiceItem',
    names: 'ServiceItems',
    one: 'a service item',
    many: 'service items',
    more: 'One that an import has made of a line in usage, with the same service and name, gets the reference.',
    scopes: services,
    values: serviceItemValues,
    shown: adminServiceItem,
    page: serviceItemPage,
    query: serviceItemQuery,
    where: ({ service, name }) => sql`
      ${service === undefined ? sql`true` : sql`s.code = ${service}`}
      and ${name === undefined ? sql`true` : sql`t.name = ${name}`}`,
    line: { reference: 'L-1', customer: 'C-1001', service: 'voice', name: '+64 9 555 0100' },
  });
  entityRoutes(app, deps, bundles, {
    path: 'bundles',
    name: 'Bundle',
    names: 'Bundles',
    one: 'a bundle',
    many: 'bundles',
    more: 'What is used of a product is counted from the usage records of this month, or is what the provider says for the month.',
    scopes: services,
    values: bundleValues,
    shown: adminBundle,
    page: bundlePage,
    query: customerThingsQuery,
    line: {
      reference: 'B-1',
      customer: 'C-1001',
      name: 'Business Connect',
      usedMonth: '2026-03',
      products: [{ name: 'Mobile data', quantity: '20', unitLabel: 'GB', used: '3.5' }],
    },
  });
  entityRoutes(app, deps, charges, {
    path: 'charges',
    name: 'Charge',
    names: 'Charges',
    one: 'a charge not yet invoiced',
    many: 'charges not yet invoiced',
    more: 'It stands among the transactions of its period and in the next bill. Delete it when the invoice that carries it is sent.',
    scopes: billed,
    values: chargeValues,
    shown: adminCharge,
    page: chargePage,
    query: customerThingsQuery,
    where: () => sql`t.invoice_id is null`,
    line: {
      reference: 'CH-1',
      customer: 'C-1001',
      name: 'Number reservation',
      from: '2026-03-01',
      price: '5',
      quantity: '2',
      currency: 'NZD',
      amount: '10.00',
    },
  });
  entityRoutes(app, deps, adjustments, {
    path: 'adjustments',
    name: 'Adjustment',
    names: 'Adjustments',
    one: 'an adjustment of a balance',
    many: 'opening balances and adjustments',
    more: 'It moves the balance that statements and the dashboard show; what is in the customer’s favour pays invoices. What is to be paid in the portal is sent as an invoice. A change takes back what was booked, on its day.',
    scopes: money,
    values: adjustmentValues,
    shown: adminAdjustment,
    page: adjustmentPage,
    query: customerThingsQuery,
    line: {
      reference: 'OB-1001',
      customer: 'C-1001',
      kind: 'openingBalance',
      amount: '125.00',
      currency: 'NZD',
      bookedOn: '2026-02-28',
    },
  });
}
