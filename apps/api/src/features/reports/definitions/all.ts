import type { ReportDefinition } from '../definition.ts';
import { invoiceDetails } from './invoice-details.ts';
import { monthlyComparison } from './monthly-comparison.ts';
import { payments } from './payments.ts';
import { topDestinations } from './top-destinations.ts';
import { usageByCostCentre } from './usage-by-cost-centre.ts';
import { usageByServiceItem } from './usage-by-service-item.ts';

/** Every report that is offered, in the order of the list; the standard report stands first. */
export const allReports: readonly ReportDefinition[] = [
  invoiceDetails,
  usageByServiceItem,
  usageByCostCentre,
  topDestinations,
  monthlyComparison,
  payments,
];
