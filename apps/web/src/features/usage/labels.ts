import type { Service } from '@counterfoil/contract/service-items.ts';
import { t } from './messages.ts';

/** The words for what a record carries. */
export interface UsageLabels {
  readonly serviceItem: string;
  readonly serviceItem2: string;
  readonly serviceItem3: string;
  readonly units: string;
  readonly recordType: string;
}

/** The chosen service's own words, else the usual ones (specification, portal §2). @param service undefined: several */
export const usageLabels = (service: Service | undefined): UsageLabels => ({
  serviceItem: service?.serviceItemLabel || t('label.serviceItem'),
  serviceItem2: service?.serviceItem2Label || t('label.serviceItem2'),
  serviceItem3: service?.serviceItem3Label || t('label.serviceItem3'),
  units: service?.unitsLabel || t('label.units'),
  recordType: service?.recordTypeLabel || t('label.recordType'),
});
