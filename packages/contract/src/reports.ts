import * as z from 'zod/mini';

/** What a file can be; the specification's code, our name, what the file's name ends with. */
export const ExportType = { CSV: 1, PDF: 2, XLSX: 3 } as const;
export type ExportType = (typeof ExportType)[keyof typeof ExportType];
export const exportTypeId = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export const exportExtension: Readonly<Record<ExportType, 'csv' | 'pdf' | 'xlsx'>> = {
  [ExportType.CSV]: 'csv',
  [ExportType.PDF]: 'pdf',
  [ExportType.XLSX]: 'xlsx',
};

/** What a report can ask for. `DateRange` is sent as two values, `StartDate` and `EndDate`. */
export const reportParameterNames = ['DateRange', 'ServiceId', 'InvoiceId'] as const;
export type ReportParameterName = (typeof reportParameterNames)[number];

export const reportParameter = z.object({ name: z.enum(reportParameterNames), required: z.boolean() });
export type ReportParameter = z.infer<typeof reportParameter>;

/** `GET /v1/ec/reports`: 'Invoice Details', the standard report, always stands first. */
export const report = z.object({
  id: z.string(),
  name: z.string(),
  exportTypeId,
  isStandard: z.boolean(),
  parameters: z.array(reportParameter),
});
export type Report = z.infer<typeof report>;

/** The names of values that are sent. */
export const reportValueNames = ['StartDate', 'EndDate', 'ServiceId', 'InvoiceId'] as const;
export type ReportValueName = (typeof reportValueNames)[number];

/**
 * One value: `StartDate` 'MM.DD.YYYY 00:00:00', `EndDate` 'MM.DD.YYYY 23:59:59', ids as strings. An empty or missing
 * value is the default.
 */
export const reportValue = z.object({
  name: z.enum(reportValueNames),
  value: z.string().check(z.maxLength(100)),
});
export type ReportValue = z.infer<typeof reportValue>;

/** Body of `POST /v1/ec/reports`. */
export const reportRequest = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  parameters: z.array(reportValue).check(z.maxLength(20)),
  isStandard: z.optional(z.boolean()),
  /** Another kind of file than the report's own. */
  exportTypeId: z.optional(exportTypeId),
  /** Whether a csv begins with the mark by which spreadsheets know UTF-8; true unless said otherwise. */
  byteOrderMark: z.optional(z.boolean()),
});
export type ReportRequest = z.infer<typeof reportRequest>;

export const reportStarted = z.object({ reportId: z.string() });

/** 10 waiting, 20 running, 30 done, 40 failed: the codes of `ReportStatus` in the domain. */
const status = z.union([z.literal(10), z.literal(20), z.literal(30), z.literal(40)]);

/** `GET /v1/ec/reports/status/{id}`. */
export const reportStatus = z.object({
  status,
  /** Where the file is, for `…/blob/{path}`; null until it is done, and again when it has expired. */
  path: z.nullable(z.string()),
  name: z.string(),
  /** 'Report {name}.{ext}' */
  fileName: z.string(),
  /** Lines below the heading; null until it is done. */
  rows: z.nullable(z.int()),
});
export type ReportStatusAnswer = z.infer<typeof reportStatus>;

/** `GET /v1/ec/reports/jobs`: the latest twenty of the customer, newest first. Times are ISO 8601 in UTC. */
export const reportJob = z.object({
  id: z.string(),
  ...reportStatus.shape,
  createdAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** From then on a done one has no file any more (`path` null). */
  expiresAt: z.nullable(z.string()),
  sizeBytes: z.nullable(z.int()),
});
export type ReportJob = z.infer<typeof reportJob>;

/** How many the list of jobs holds. */
export const REPORT_JOBS_SHOWN = 20;

/** `GET /v1/ec/reports/blob/{path}`: nothing but an opaque token is a path. */
export const reportBlobParams = z.object({ path: z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/)) });
