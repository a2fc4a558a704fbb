import { adjustmentValues } from '@counterfoil/contract/operator/billing/adjustments.ts';
import { serviceItemValues } from '@counterfoil/contract/operator/billing/admin-service-items.ts';
import { agreementValues, billingPeriodValues } from '@counterfoil/contract/operator/billing/agreements.ts';
import { bundleValues } from '@counterfoil/contract/operator/billing/bundles.ts';
import { chargeValues } from '@counterfoil/contract/operator/billing/charges.ts';
import type { BulkKind } from './bulk/bulk.ts';
import { bulkInvoices } from './features/admin-invoices/bulk-routes.ts';
import { bulkCustomers, bulkUsers } from './features/customers/bulk-routes.ts';
import { bulkExternalPayments } from './features/external-payments/bulk.ts';
import { adjustments } from './features/master-data/adjustments.ts';
import { agreements, billingPeriods } from './features/master-data/agreements.ts';
import { bulkOf } from './features/master-data/bulk-kind.ts';
import { bulkServices } from './features/master-data/bulk-services.ts';
import { bundles } from './features/master-data/bundles.ts';
import { charges } from './features/master-data/charges.ts';
import { serviceItems } from './features/master-data/service-items.ts';
import type { Secrets } from './secrets.ts';

interface Line {
  readonly reference: string;
}

export interface BulkKindDeps {
  readonly secrets: Secrets;
  readonly publicUrl: URL;
}

/** What goes in by lines, by the names of the operator API's calls `/v1/admin/<name>/bulk`. */
export const bulkKinds: Readonly<Record<string, (deps: BulkKindDeps) => BulkKind<Line>>> = {
  customers: () => asLines(bulkCustomers),
  users: () => asLines(bulkUsers),
  services: () => asLines(bulkServices),
  agreements: () => asLines(bulkOf(agreements, agreementValues)),
  'billing-periods': () => asLines(bulkOf(billingPeriods, billingPeriodValues)),
  'service-items': () => asLines(bulkOf(serviceItems, serviceItemValues)),
  bundles: () => asLines(bulkOf(bundles, bundleValues)),
  charges: () => asLines(bulkOf(charges, chargeValues)),
  adjustments: () => asLines(bulkOf(adjustments, adjustmentValues)),
  'external-payments': () => asLines(bulkExternalPayments),
  invoices: ({ secrets, publicUrl }) => asLines(bulkInvoices({ secrets, publicUrl })),
};

/** What a kind writes is what its own schema has read. */
const asLines = <Write extends Line>(kind: BulkKind<Write>): BulkKind<Line> =>
  kind as unknown as BulkKind<Line>;

/** The same for imports of files. */
export const entityWriters =
  (deps: BulkKindDeps) =>
  (bulk: string): BulkKind<Line> => {
    const kindOf = Object.hasOwn(bulkKinds, bulk) ? bulkKinds[bulk] : undefined;
    if (kindOf === undefined) throw new Error(`there is no bulk call of ${bulk}`);
    return kindOf(deps);
  };
