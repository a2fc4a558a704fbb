import type { UsagePage, UsageRecord } from '../../../packages/contract/src/usage.ts';

/** A row of a page, as the driver gives it. */
export interface ShownRow {
  readonly id: string;
  /** Text where it was kept in a file. */
  readonly started_at: Date | string;
  readonly service_item: string;
  readonly description: string | null;
  readonly service_item2: string;
  readonly service_item3: string;
  readonly site: string | null;
  readonly units: string;
  readonly unit: UsageRecord['unit'];
  readonly price: string;
  readonly has_price: boolean;
  readonly record_type: string;
  readonly cost_centre: string | null;
  readonly invoice_id: string | null;
  readonly invoice_number: string | null;
  readonly invoice_line_id: string | null;
}

/** What the contract answers. */
export const present = (rows: readonly ShownRow[], totalCount: number): UsagePage => ({
  endUsageDetails: rows.map((row) => ({
    id: row.id,
    date: new Date(row.started_at).toISOString(),
    serviceItemName: row.service_item,
    serviceItemDescription: row.description,
    serviceItem2: row.service_item2,
    serviceItem3: row.service_item3,
    siteName: row.site,
    units: Number(row.units),
    unit: row.unit,
    price: row.has_price ? Number(row.price) : null,
    recordType: row.record_type,
    costCentre: row.cost_centre,
    billedBy:
      row.invoice_id === null || row.invoice_number === null || row.invoice_line_id === null
        ? null
        : {
            invoiceId: row.invoice_id,
            invoiceNumber: row.invoice_number,
            invoiceLineId: row.invoice_line_id,
          },
  })),
  totalCount,
});
