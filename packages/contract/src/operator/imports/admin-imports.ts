import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';
import { dateOrders, decimalMarks, entityNames, importColumns } from './entity-import.ts';

/** What a provider's programs call about imports: `/v1/admin/imports`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));
const decimal = (what: string) => said(z.string(), `${what} An exact decimal, such as \`12.50\`.`);
const moment = (what: string) => said(z.nullable(z.string()), `${what} ISO 8601 in UTC.`);

/** What an e-invoice comes as: UBL 2.1, a cross industry invoice (CII), or a PDF with one of them inside (Factur-X, ZUGFeRD). */
export const documentFormats = ['ubl', 'cii', 'facturx'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** Whether an import is of an e-invoice, by its format. */
export const isDocumentFormat = (format: string | null): format is DocumentFormat =>
  documentFormats.some((known) => known === format);

export const importStates = [
  'checking',
  'checked',
  'waiting',
  'running',
  'stopping',
  'stopped',
  'done',
  'failed',
  'undoing',
  'undone',
  'discarded',
] as const;
export type ImportState = (typeof importStates)[number];

/** `POST /v1/admin/imports`: the file is the body, these stand in the query. */
export const importUploadQuery = z.strictObject({
  fileName: said(z._default(text(200), 'upload'), 'What the file is called in reports.'),
  dryRun: said(
    z._default(z.enum(['true', 'false']), 'false'),
    '`true`: it is only looked at, and waits for `…/start`; a file that is not started within a week is discarded.',
  ),
  mapping: said(
    z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/))),
    'A ready mapping or one of the provider’s own; without it the content tells.',
  ),
  customer: said(
    z.optional(text(100)),
    'Takes what nothing in the file gives to somebody else: our id of a customer, or the provider’s own reference of it.',
  ),
  timeZone: said(z.optional(text(64)), 'IANA zone of times that name none.'),
  kind: said(
    z.optional(z.enum(entityNames)),
    'What a file of rows holds, that is none of usage; without it its columns tell.',
  ),
  dates: said(z.optional(z.enum(dateOrders)), 'How days of such a file are written; without it they tell.'),
  decimalMark: said(
    z.optional(z.enum(decimalMarks)),
    'What stands before the decimals of such a file; without it they tell.',
  ),
});

export const importQuery = z.object({
  state: said(z.optional(z.enum(importStates)), 'Those in this state only.'),
  limit: pageLimit,
  cursor,
});

const changeExample = { what: 'INV-1001', member: 'payable', was: '115.00 NZD', is: '92.00 NZD' };

/** What a dry run found. */
export const importPreview = z
  .object({
    created: said(z.int(), 'What would be new.'),
    updated: said(z.int(), 'What is known and would be corrected.'),
    unchanged: said(z.int(), 'What is known just so.'),
    quarantined: said(z.int(), 'What would be set aside.'),
    amounts: said(
      z.array(
        z.object({
          currency: said(z.string(), 'ISO 4217.'),
          created: decimal('Of what would be new.'),
          change: decimal('By how much what is known would change, below zero where it becomes less.'),
        }),
      ),
      'Money, by currency.',
    ),
    changes: said(
      z.array(
        z.object({
          what: said(z.string(), 'Which one.'),
          member: said(z.string(), 'What of it would change.'),
          was: said(z.string(), 'As it is known.'),
          is: said(z.string(), 'As the file says.'),
        }),
      ),
      'A few of the changes, at most 20.',
    ),
    reasons: said(
      z.array(
        z.object({
          cause: said(z.string(), 'As programs read it, such as `owner`.'),
          count: said(z.int(), 'How many.'),
          reason: said(z.string(), 'Of the first of them, in words.'),
          line: said(z.nullable(z.int()), 'Where the first of them stands; null: the whole file.'),
          remedy: said(z.string(), 'What is to be done about it.'),
        }),
      ),
      'Why something would be set aside, most first.',
    ),
    warnings: said(z.array(z.string()), 'What would be taken as it comes, and is worth a look.'),
  })
  .check(
    z.meta({
      examples: [
        {
          created: 8_114,
          updated: 37,
          unchanged: 252,
          quarantined: 9,
          amounts: [{ currency: 'NZD', created: '1902330.18', change: '412.60' }],
          changes: [changeExample],
          reasons: [
            {
              cause: 'owner',
              count: 9,
              reason: "nobody is known by account code '4711'",
              line: 118,
              remedy: 'make it known',
            },
          ],
          warnings: [],
        },
      ],
    }),
  );
export type ImportPreview = z.infer<typeof importPreview>;

const exampleImport = {
  id: '0199a3c1-7b11-7a02-8c1d-4e3e6e1e9a20',
  fileName: 'calls-2026-03.csv',
  format: 'freeswitch',
  state: 'done',
  addedBy: 'operator:jonas@northline.example',
  sizeBytes: 3_100_212,
  rowsRead: 8_412,
  rowsMerged: 8_403,
  created: 8_114,
  updated: 37,
  unchanged: 252,
  quarantined: 9,
  waiting: 9,
  units: '812044.000000',
  price: '0.000000',
  warnings: [],
  startedAt: '2026-03-01T09:16:00.000Z',
  finishedAt: '2026-03-01T09:16:29.000Z',
  undoUntil: null,
  notUndoneBecause: 'It corrected 37 records, whose former content is not kept',
  undone: 0,
} as const;

/** One import of one file, and what has become of it so far. */
export const adminImport = z
  .object({
    id: said(z.uuid(), 'Its id here; calls about it name it.'),
    fileName: said(z.string(), 'What the file is called.'),
    format: said(
      z.nullable(z.string()),
      '`ubl`, `cii` or `facturx` (a PDF: with its XML inside, or called by the number of an invoice), the mapping of usage records, or the kind of rows; null while it is not known.',
    ),
    state: said(
      z.enum(importStates),
      '`checking`: the dry run waits or works; `checked`: it waits to be started; `waiting`, `running`, then `done` or, with nothing taken in, `failed`; `stopping`: it was asked to stop and leaves off after the rows it is merging, then `stopped`; `undoing`, `undone`; `discarded`: given up before it began.',
    ),
    addedBy: said(z.nullable(z.string()), 'Who brought the file; null where that was not kept.'),
    sizeBytes: said(z.nullable(z.int()), 'Of the file; null where that was not kept.'),
    rowsRead: said(z.int(), 'Rows read so far, of usage records.'),
    rowsMerged: said(z.int(), 'Rows that are in so far, of usage records.'),
    created: said(z.int(), 'New invoices or records.'),
    updated: said(z.int(), 'Corrected ones.'),
    unchanged: said(z.int(), 'Known ones.'),
    quarantined: said(z.int(), 'Those that were set aside.'),
    waiting: said(z.int(), 'Of those, how many still wait in quarantine.'),
    units: decimal('What it added to the units of all records, corrections included.'),
    price: decimal('The same of their prices.'),
    warnings: said(z.array(z.string()), 'What was taken as it came, and is worth a look.'),
    startedAt: said(z.string(), 'When it came, ISO 8601 in UTC.'),
    finishedAt: moment('When it ended.'),
    undoUntil: moment('Until when it can be undone; null where it cannot.'),
    notUndoneBecause: said(z.nullable(z.string()), 'Why a finished one cannot be undone; null where it can.'),
    undone: said(z.int(), 'Of what it made, how much was taken out again.'),
  })
  .check(z.meta({ examples: [exampleImport] }));
export type AdminImport = z.infer<typeof adminImport>;

export const importPage = z.object({
  data: z.array(adminImport),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** An import with what its dry run found. */
export const adminImportDetail = z
  .extend(adminImport, {
    preview: said(z.nullable(importPreview), 'What the dry run found; null where there was none.'),
    columns: said(
      z.nullable(importColumns),
      'Of a file of rows: how its columns are read; null for usage records and documents.',
    ),
  })
  .check(z.meta({ examples: [{ ...exampleImport, preview: null, columns: null }] }));
export type AdminImportDetail = z.infer<typeof adminImportDetail>;

/** Body of `POST /v1/admin/imports/{id}/undo`. */
export const importUndo = z
  .strictObject({ note: said(text(500), 'Why; kept in the audit trail.') })
  .check(z.meta({ examples: [{ note: 'The file of February was sent again' }] }));
