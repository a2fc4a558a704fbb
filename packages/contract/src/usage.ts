import * as z from 'zod/mini';

/** One call or session as it was measured. `price` is null where the source gave none. */
export const usageRecord = z.object({
  date: z.string(),
  serviceItemName: z.string(),
  serviceItemDescription: z.nullable(z.string()),
  serviceItem2: z.string(),
  serviceItem3: z.string(),
  siteName: z.nullable(z.string()),
  units: z.number(),
  price: z.nullable(z.number()),
  recordType: z.string(),
  costCentre: z.nullable(z.string()),
});
export type UsageRecord = z.infer<typeof usageRecord>;

/** `GET /v1/ec/usage?invoiceLine=…`: the records one invoice line billed, page by page. */
export const lineUsageQuery = z.object({
  invoiceLine: z.uuid(),
  pageNumber: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000)), 1),
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), 100),
});

export const usagePage = z.object({ endUsageDetails: z.array(usageRecord), totalCount: z.int() });
export type UsagePage = z.infer<typeof usagePage>;
