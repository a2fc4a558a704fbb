import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** How files of customers, invoices and all else that is no usage come in: `/v1/admin/import-kinds`. See docs/importing.md. */

/** What a file may hold, in the order in which one thing needs the other. */
export const entityNames = [
  'customers',
  'users',
  'services',
  'agreements',
  'billing-periods',
  'service-items',
  'bundles',
  'charges',
  'adjustments',
  'invoices',
  'credit-notes',
  'external-payments',
] as const;
export type EntityName = (typeof entityNames)[number];

export const isEntityName = (name: string): name is EntityName => entityNames.some((one) => one === name);

/** How the cells of a column are read. */
export const columnForms = [
  'text',
  'code',
  'money',
  'number',
  'date',
  'month',
  'flag',
  'choice',
  'list',
] as const;
export type ColumnForm = (typeof columnForms)[number];

export const decimalMarks = ['.', ','] as const;
export const dateOrders = ['yearFirst', 'dayFirst', 'monthFirst'] as const;
export type DateOrder = (typeof dateOrders)[number];

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));
const mappingName = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/));

/** Where a member comes from: a column of the file, or the same value for all rows. */
const columnSource = z.union([
  z.strictObject({ column: said(text(200), 'As the file heads it.') }),
  z.strictObject({ value: said(text(2_000), 'The same for all rows, as a cell would say it.') }),
]);

/** How rows of a file become things of a kind. */
export const entityMapping = z
  .strictObject({
    name: z._default(mappingName, 'own'),
    title: z._default(text(100), 'Columns of a file'),
    entity: said(z.enum(entityNames), 'What the file holds.'),
    format: said(z._default(z.enum(['csv', 'ndjson']), 'csv'), 'What the file is.'),
    encoding: said(
      z._default(z.enum(['utf-8', 'utf-16', 'latin-1']), 'utf-8'),
      'A byte order mark in the file counts more.',
    ),
    delimiter: said(z._default(z.enum([',', ';', '\t', '|']), ','), 'What tells cells apart.'),
    decimalMark: said(z._default(z.enum(decimalMarks), '.'), 'Of amounts: `12.50` or `12,50`.'),
    dates: said(
      z._default(z.enum(dateOrders), 'yearFirst'),
      'How days are written: `2026-04-03`, `03.04.2026` or `03/04/2026`, `04/03/2026`. The first is always read.',
    ),
    timeZone: said(
      z.optional(text(64)),
      'IANA zone in which a moment with an offset becomes a day; without it the day that is written counts.',
    ),
    columns: said(
      z.record(z.string().check(z.maxLength(100)), columnSource),
      'By the name of the member, as templates head it.',
    ),
  })
  .check(
    z.meta({
      examples: [
        {
          name: 'crm-export',
          title: 'Export of the CRM',
          entity: 'customers',
          format: 'csv',
          encoding: 'utf-8',
          delimiter: ';',
          decimalMark: ',',
          dates: 'dayFirst',
          columns: {
            reference: { column: 'Kundennr.' },
            label: { column: 'Firma' },
            country: { value: 'DE' },
          },
        },
      ],
    }),
  );
export type EntityMapping = z.output<typeof entityMapping>;
export type ColumnSource = z.output<typeof columnSource>;

const columnQuestion = z.object({
  about: said(
    z.enum(['dates', 'decimalMark', 'column']),
    'Which member of the mapping answers it; `column`: a column, or one value for all rows.',
  ),
  member: said(z.string(), 'The member it is about; empty: the file as a whole.'),
  text: said(z.string(), 'What the file says, or lacks.'),
});

/** How the columns of an uploaded file are read, and what is open about it. */
export const importColumns = z.object({
  mapping: entityMapping,
  header: said(z.array(z.string()), 'What the file calls its columns.'),
  samples: said(z.array(z.array(z.string())), 'The first rows, cell by cell, cut where they are long.'),
  questions: said(
    z.array(columnQuestion),
    'What only a person can say; nothing is looked at or taken in before it is said.',
  ),
});
export type ImportColumns = z.output<typeof importColumns>;

/** Body of `PUT /v1/admin/imports/{id}/columns`. */
export const importColumnsPut = z
  .strictObject({
    mapping: said(z.optional(entityMapping), 'How they are read.'),
    kind: said(
      z.optional(z.enum(entityNames)),
      'Instead of it: what the file holds; its columns are guessed again.',
    ),
    save: said(z._default(z.boolean(), false), 'Keeps it for other files, under its name.'),
  })
  .check(
    z.refine(({ mapping, kind }) => (mapping === undefined) !== (kind === undefined), {
      error: 'says either a mapping or a kind',
    }),
    z.meta({
      examples: [
        {
          mapping: {
            name: 'crm-export',
            entity: 'customers',
            delimiter: ';',
            columns: { reference: { column: 'Kundennr.' }, label: { column: 'Firma' } },
          },
          save: true,
        },
      ],
    }),
  );

export type ImportColumnsPut = z.output<typeof importColumnsPut>;
/** The same as it is sent. */
export type ImportColumnsBody = z.input<typeof importColumnsPut>;

/** Mappings that a file of rows or of usage records may be read by. */
export const importMappingList = z.object({
  data: z.array(
    z.object({
      name: said(z.string(), 'As imports name it.'),
      title: said(z.string(), 'As people read it.'),
      entity: said(z.nullable(z.string()), 'What its files hold; null: usage records.'),
      isOwn: said(z.boolean(), 'False: it is there for everybody.'),
    }),
  ),
});

const exampleColumn = {
  name: 'email',
  meaning: 'Where receipts and notices go.',
  isRequired: false,
  form: 'text',
  choices: [],
  example: 'bills@harbour.example',
} as const;

/** A kind of thing that files bring, with its columns. */
export const importKind = z
  .object({
    name: said(z.enum(entityNames), 'As calls and commands name it.'),
    title: said(z.string(), 'As people read it.'),
    groupedBy: said(
      z.nullable(z.string()),
      'Rows with the same value in this column belong together, one below the other; null: each row is one by itself.',
    ),
    columns: z.array(
      z.object({
        name: said(z.string(), 'As templates head it, and as mappings name it.'),
        meaning: said(z.string(), 'What stands in it.'),
        isRequired: said(z.boolean(), 'Whether a row needs it.'),
        form: said(
          z.enum(columnForms),
          'How its cells are read; several values of a `list` stand apart by `|`.',
        ),
        choices: said(z.array(z.string()), 'Of a `choice`, what it may be.'),
        example: said(z.string(), 'Of the template; empty where that leaves it out.'),
      }),
    ),
  })
  .check(
    z.meta({
      examples: [{ name: 'customers', title: 'Customers', groupedBy: null, columns: [exampleColumn] }],
    }),
  );
export type ImportKind = z.infer<typeof importKind>;
export const importKindList = z.object({ data: z.array(importKind) });
export const importKindParams = z.object({ kind: z.enum(entityNames) });
