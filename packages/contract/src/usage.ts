import { quantityUnits } from '@counterfoil/domain/money/quantity.ts';
import * as z from 'zod/mini';

/** What a quantity is counted in; null: not known, and the plain number is shown. */
export const quantityUnit = z.nullable(z.enum(quantityUnits));

/** One call or session as it was measured. `price` is null where the source gave none. */
export const usageRecord = z.object({
  id: z.string(),
  date: z.string(),
  serviceItemName: z.string(),
  serviceItemDescription: z.nullable(z.string()),
  serviceItem2: z.string(),
  serviceItem3: z.string(),
  siteName: z.nullable(z.string()),
  units: z.number(),
  /** Of `units`, as the record type says. */
  unit: quantityUnit,
  price: z.nullable(z.number()),
  recordType: z.string(),
  costCentre: z.nullable(z.string()),
  /** The invoice line that billed it; null: not billed yet. */
  billedBy: z.nullable(
    z.object({ invoiceId: z.string(), invoiceNumber: z.string(), invoiceLineId: z.string() }),
  ),
});
export type UsageRecord = z.infer<typeof usageRecord>;

/** What usage can be sorted by: the record's field names. */
export const usageOrders = [
  'date',
  'serviceItemName',
  'serviceItemDescription',
  'serviceItem2',
  'serviceItem3',
  'siteName',
  'units',
  'price',
  'recordType',
  'costCentre',
] as const;
export type UsageOrder = (typeof usageOrders)[number];

export const USAGE_PAGE_SIZE = 100;
/** Rows a page that can be chosen on the screen. */
export const usagePageSizes = [25, 50, 100] as const;
export const USAGE_NUMBER_MAX = 100;

const day = z.iso.date();
const all = z.transform((text: string) => (text === '' ? undefined : text));
/** Empty means all, as a missing one does. */
const idOrAll = z.optional(z.pipe(z.union([z.uuid(), z.literal('')]), all));
const usageFilters = {
  /** `1` stands for all services in the second export call (specification, portal 7). */
  service: z.optional(
    z.pipe(
      z.union([z.uuid(), z.literal(''), z.literal('1')]),
      z.transform((text) => (text === '' || text === '1' ? undefined : text)),
    ),
  ),
  agreement: idOrAll,
  recordType: idOrAll,
  serviceItem: idOrAll,
  /** The beginning of `serviceItem2`: the number that was called, the place that was used. */
  number: z.optional(z.pipe(z.string().check(z.trim(), z.maxLength(USAGE_NUMBER_MAX)), all)),
};

/**
 * `GET /v1/ec/usage`. Days are UTC, `dateTo` is included. With `pageNumber` a page; without it all rows, streamed, and
 * then the dates may be left out where `agreement` is given. With `invoiceLine` the records that line billed.
 */
export const usageQuery = z.object({
  dateFrom: z.optional(day),
  dateTo: z.optional(day),
  ...usageFilters,
  order: z.optional(z.enum(usageOrders)),
  orderDirection: z.optional(z.enum(['asc', 'desc'])),
  pageNumber: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000_000))),
  pageSize: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)), USAGE_PAGE_SIZE),
  invoiceLine: z.optional(z.uuid()),
});
export type UsageQuery = z.infer<typeof usageQuery>;

export const usagePage = z.object({ endUsageDetails: z.array(usageRecord), totalCount: z.int() });
export type UsagePage = z.infer<typeof usagePage>;

/** `GET /v1/ec/usage/summary`: what all records of a filter come to, whatever page is shown. */
export const usageSummaryQuery = z.object({ dateFrom: day, dateTo: day, ...usageFilters });
export type UsageSummaryQuery = z.infer<typeof usageSummaryQuery>;

/** Records without a price count as 0 in `price`. */
const sums = { records: z.int(), units: z.number(), price: z.number() };

export const usageSummary = z.object({
  ...sums,
  /** The same by what the units are, each once; `units` above adds up whatever there is. */
  byUnit: z.array(z.object({ unit: quantityUnit, ...sums })),
  /** Days with records, in order; 'YYYY-MM-DD', UTC. */
  days: z.array(z.object({ day, ...sums })),
  /** Records of archived months in the range: no page shows them, and they are not in the sums. Null: there are none. */
  archived: z.nullable(z.object(sums)),
});
export type UsageSummary = z.infer<typeof usageSummary>;

/** `GET /v1/ec/record-types` */
export const recordType = z.object({
  id: z.string(),
  serviceId: z.string(),
  description: z.string(),
  /** Of its records' units. */
  unit: quantityUnit,
});
export type RecordType = z.infer<typeof recordType>;

const downloadId = z.optional(z.nullable(z.union([z.uuid(), z.literal('')])));

/** That there is such a day. */
const beginsWithDay = (text: string) => day.safeParse(text.slice(0, 10)).success;

/** What `POST /v1/ec/usage/download` takes; missing, null and empty mean all. */
export const usageDownloadParameters = z.object({
  /** 'YYYY-MM-DD 00:00:00', UTC */
  startDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} 00:00:00$/), z.refine(beginsWithDay)),
  /** 'YYYY-MM-DD 23:59:59', UTC */
  endDate: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} 23:59:59$/), z.refine(beginsWithDay)),
  agreementId: downloadId,
  serviceId: downloadId,
  recordTypeId: downloadId,
  serviceItemId: downloadId,
  number: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(USAGE_NUMBER_MAX)))),
  order: z.optional(z.enum(usageOrders)),
  orderDirection: z.optional(z.enum(['asc', 'desc'])),
  /** A byte order mark before the first line, which some spreadsheets need to read UTF-8. */
  byteOrderMark: z._default(z.boolean(), true),
});
/**
 * The specification writes `{parameters}`, which can be read as an object with this member or as the parameters
 * themselves: both are taken.
 */
export const usageDownload = z.pipe(
  z.transform((body: unknown) =>
    typeof body === 'object' && body !== null && !('parameters' in body) ? { parameters: body } : body,
  ),
  z.object({ parameters: usageDownloadParameters }),
);
export type UsageDownload = z.infer<typeof usageDownload>;
