import { quantityUnits } from '@counterfoil/domain/money/quantity.ts';
import * as z from 'zod/mini';

/** How rows of a file become usage records: data, so that a provider can write its own. See docs/importing.md. */

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
/** The name of a column as the header or `csv.columns` says it; in NDJSON the path of a member, such as `call.start`. */
const column = text(100);
const columns = z.array(column).check(z.maxLength(8));
const code = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/));
/** An exact factor: `0.000001`, `1e-9` or `1/60`. */
const scale = z
  .string()
  .check(z.regex(/^(?:\d{1,15}(?:\.\d{1,15})?|1e-?(?:1[0-8]|[0-9])|\d{1,15}\/[1-9]\d{0,14})$/));

/** Holds when the column has one of these values; or, with `empty`, when it is empty (true) or not (false). */
const condition = z
  .strictObject({
    column,
    is: z.optional(z.array(z.string().check(z.maxLength(255))).check(z.minLength(1), z.maxLength(200))),
    empty: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ is, empty }) => (is === undefined) !== (empty === undefined), {
      error: "a condition has either 'is' or 'empty'",
    }),
  );
const conditions = z.array(condition).check(z.maxLength(20));

const csvLayout = z.strictObject({
  delimiter: z._default(z.enum([',', ';', '\t', '|']), ','),
  /** `names`: the first line names the columns; `none`: there is none; `optional`: passed over where it stands. */
  header: z._default(z.enum(['names', 'none', 'optional']), 'names'),
  /** The columns in their order; needed without a header that names them. */
  columns: z.optional(z.array(column).check(z.minLength(1), z.maxLength(500))),
  /** Lines after the header that are no records. */
  skipLines: z._default(z.int().check(z.minimum(0), z.maximum(20)), 0),
  /** Blanks around values, and between a delimiter and a quote, do not count. */
  trim: z._default(z.boolean(), false),
  /** What to say of a row with so many columns. */
  hints: z._default(z.record(z.string().check(z.regex(/^\d{1,3}$/)), text(200)), {}),
});

const startedAt = z.strictObject({
  column,
  /**
   * `local`: 'YYYY-MM-DD HH:MM:SS' as clocks showed it; `iso`: the same or with `T`, fractions, `Z` or an offset, or a
   * day alone; `epoch`, `epochMs`: seconds or milliseconds since 1970.
   */
  form: z.enum(['local', 'iso', 'epoch', 'epochMs']),
  /** IANA zone of times that name none; without it that of the import, else of the customer's brand. */
  zone: z.optional(z.string()),
});

/** A service that is made where the provider has none of that code; an existing one keeps its own words. */
const service = z.strictObject({
  name: text(100),
  serviceItemLabel: text(50),
  serviceItem2Label: z.optional(text(50)),
  serviceItem3Label: z.optional(text(50)),
  unitsLabel: text(50),
  recordTypeLabel: z.optional(text(50)),
});

/** A row is of the first kind whose conditions hold; a row of none is quarantined. */
const kind = z.strictObject({
  when: z._default(conditions, []),
  service: code,
  /** A fixed type, or one for each value of a column. */
  recordType: z.union([z.strictObject({ code, description: text(100) }), z.strictObject({ column })]),
  /** What units are multiplied by, instead of `units.scale`. */
  scale: z.optional(scale),
  /** What units are then, instead of `units.unit`. */
  unit: z.optional(z.enum(quantityUnits)),
});

export const usageMapping = z
  .strictObject({
    name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/)),
    title: text(100),
    format: z.enum(['csv', 'ndjson']),
    /** A byte order mark in the file counts more. */
    encoding: z._default(z.enum(['utf-8', 'utf-16', 'latin-1']), 'utf-8'),
    csv: z._default(csvLayout, { delimiter: ',', header: 'names', skipLines: 0, trim: false, hints: {} }),
    /** Columns that together name a record for ever. Without: the whole row, and how often it stood before in the file. */
    key: z.optional(z.array(column).check(z.minLength(1), z.maxLength(8))),
    /** Keys of sources that number alike must not meet; the mapping's own name where nothing is said. */
    source: z.optional(text(63)),
    /** The source may move a record in time; then where each one stands is kept. Needs `key`. */
    lifelongKey: z._default(z.boolean(), false),
    /** Rows that are no usage: those for which one of these holds. */
    leaveOut: z._default(conditions, []),
    startedAt,
    /** Where account codes stand, the surest first. */
    accountCodes: z._default(columns, []),
    /** Where numbers of lines stand, the surest first. */
    lines: z._default(columns, []),
    /** What a line is called that nobody knew before: the first of these that is not empty. */
    serviceItem: columns,
    services: z.record(code, service),
    kinds: z.array(kind).check(z.minLength(1), z.maxLength(100)),
    serviceItem2: z.optional(column),
    serviceItem3: z.optional(column),
    units: z.strictObject({
      column,
      /** `seconds`: a whole number of them; `decimal`: any plain decimal number. */
      form: z._default(z.enum(['seconds', 'decimal']), 'decimal'),
      scale: z._default(scale, '1'),
      /** What they are once they are scaled, or the column that says it of each row; without: a number of nobody knows what. */
      unit: z.optional(z.union([z.enum(quantityUnits), z.strictObject({ column })])),
    }),
    price: z.optional(
      z.strictObject({
        column,
        scale: z._default(scale, '1'),
        /** Values that mean 'no price'; the empty one always does. */
        none: z._default(z.array(z.string().check(z.maxLength(50))).check(z.maxLength(20)), []),
        /** A record in another currency than its customer's brand is taken without a price, and said so. */
        currencyColumn: z.optional(column),
      }),
    ),
    /** Becomes the cost centre of a line that has none. */
    costCentre: z.optional(column),
    /** The provider's reference of the agreement; empty: that of the line, else the customer's first. */
    agreement: z.optional(column),
    /** Further columns that must be well-formed. */
    checks: z._default(
      z
        .array(
          z.strictObject({
            column,
            form: z.enum(['local', 'seconds', 'text']),
            mayBeEmpty: z._default(z.boolean(), false),
          }),
        )
        .check(z.maxLength(50)),
      [],
    ),
  })
  .check(
    z.refine((mapping) => !mapping.lifelongKey || mapping.key !== undefined, {
      error: "'lifelongKey' needs 'key'",
      path: ['lifelongKey'],
    }),
    z.refine(({ format, csv }) => format !== 'csv' || csv.header === 'names' || csv.columns !== undefined, {
      error: "without a header that names them 'csv.columns' is needed",
      path: ['csv', 'columns'],
    }),
    z.refine(({ kinds, services }) => kinds.every((one) => Object.hasOwn(services, one.service)), {
      error: "each kind's service stands in 'services'",
      path: ['kinds'],
    }),
    z.refine(({ serviceItem }) => serviceItem.length > 0, {
      error: 'names at least one column',
      path: ['serviceItem'],
    }),
  );
export type UsageMapping = z.infer<typeof usageMapping>;
/** As it is written down: what has a default may be left out. */
export type UsageMappingText = z.input<typeof usageMapping>;

/** `POST /v1/admin/usage-imports`: the file is the body, these stand in the query. */
export const usageUploadQuery = z.strictObject({
  /** A ready mapping or one of the provider's own; without it the content tells. */
  mapping: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/))),
  /** Takes what nothing in the file gives to somebody else: a customer's id, or the provider's own reference of it. */
  customer: z.optional(text(100)),
  /** IANA zone of times that name none. */
  timeZone: z.optional(text(64)),
  /** What the file is called in reports. */
  fileName: z._default(text(200), 'upload'),
});
export type UsageUploadQuery = z.infer<typeof usageUploadQuery>;

export const usageImportStates = ['waiting', 'running', 'stopping', 'stopped', 'done', 'failed'] as const;

/** One uploaded file and what has become of it so far. Quantities are decimal strings. */
export const usageImport = z.object({
  id: z.string(),
  fileName: z.string(),
  /** Null until the job begins and knows. */
  mapping: z.nullable(z.string()),
  /** Whole only when `done`; `stopped`: what was in when an operator stopped it. */
  state: z.enum(usageImportStates),
  rowsRead: z.int(),
  rowsMerged: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  quarantined: z.int(),
  /** What this import added to the sums of all records, corrections included. */
  units: z.string(),
  price: z.string(),
  warnings: z.array(z.string()),
  /** Of those quarantined, how many still wait; they go in by themselves when what was missing has come. */
  waiting: z.int(),
  /** In words: how many went in, how many did not. */
  summary: z.string(),
  /** The first thousand in the order of the file. `line` is null where it concerns the whole file. */
  quarantine: z.array(
    z.object({
      line: z.nullable(z.int()),
      reason: z.string(),
      /** As programs read it, e.g. `owner`; null of imports before it was kept. */
      cause: z.nullable(z.string()),
      /** What is to be done about it. */
      remedy: z.nullable(z.string()),
    }),
  ),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
});
export type UsageImport = z.infer<typeof usageImport>;
