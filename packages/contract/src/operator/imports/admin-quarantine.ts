import * as z from 'zod/mini';
import { cursor, pageLimit, said } from '../parts.ts';
import { quarantineCauses } from './quarantine-causes.ts';

/** What a provider's programs call about what imports have set aside: `/v1/admin/quarantine`. */

const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most));

const choice = {
  import: said(z.optional(z.uuid()), 'Those of this import only.'),
  cause: said(z.optional(z.enum(quarantineCauses)), 'Those that wait for this reason only.'),
};

export const quarantineQuery = z.object({ ...choice, limit: pageLimit, cursor });

const exampleEntry = {
  id: '0199a3c1-ac40-7b35-9e4f-7b6b9b4b2d53',
  importId: '0199a3c1-7b11-7a02-8c1d-4e3e6e1e9a20',
  fileName: 'calls-2026-03.csv',
  format: 'field-network',
  kind: 'usage',
  line: 118,
  cause: 'owner',
  reason: "nobody is known by account code 'NL-10842'",
  remedy: 'make it known',
  values: [
    { name: 'id', value: 's1', isWrong: false },
    { name: 'account', value: 'NL-10842', isWrong: true },
  ],
  canBeRetried: true,
  firstSeenAt: '2026-03-01T09:16:29.000Z',
  tries: 1,
  triedAt: '2026-03-01T09:20:00.000Z',
} as const;

/** Something that an import set aside, as it stood in its file. */
export const quarantinedEntry = z
  .object({
    id: said(z.uuid(), 'Its id here; calls about it name it.'),
    importId: said(z.uuid(), 'The import that met it last.'),
    fileName: said(z.string(), 'The file it came in.'),
    format: said(
      z.nullable(z.string()),
      '`ubl`, `cii`, `facturx`, the mapping of usage records, or the kind of rows.',
    ),
    kind: said(
      z.enum(['usage', 'invoice', 'file', 'row']),
      'A row of usage, a document, a file as a whole, or a row of anything else.',
    ),
    line: said(z.nullable(z.int()), 'Where it stands in its file; null: it is the whole file.'),
    cause: said(z.enum(quarantineCauses), 'Why it waits, as programs read it.'),
    reason: said(z.string(), 'The same in words.'),
    remedy: said(z.string(), 'What is to be done about it.'),
    values: said(
      z.array(
        z.object({
          name: said(z.string(), 'The column, or the member of an NDJSON line.'),
          value: said(z.string(), 'As it stands in the file.'),
          isWrong: said(z.boolean(), 'Whether it is why the row waits, as far as that is known.'),
        }),
      ),
      'The row; empty for a file, and where it was not kept.',
    ),
    canBeRetried: said(z.boolean(), 'False: it was not kept, and its file has to come again.'),
    firstSeenAt: said(z.string(), 'Since when it waits, ISO 8601 in UTC.'),
    tries: said(z.int(), 'How often it was tried again.'),
    triedAt: said(z.nullable(z.string()), 'When that was last, ISO 8601 in UTC.'),
  })
  .check(z.meta({ examples: [exampleEntry] }));
export type QuarantinedEntry = z.infer<typeof quarantinedEntry>;

export const quarantinePage = z.object({
  data: z.array(quarantinedEntry),
  nextCursor: said(z.nullable(z.string()), 'Null on the last page.'),
});

/** Body of `POST /v1/admin/quarantine/{id}/retry`. */
export const quarantineRetry = z
  .strictObject({
    values: said(
      z._default(z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(4_000))), {}),
      'Columns or members with what stands in them from now on; what is left out stays as it is.',
    ),
    customer: said(
      z.optional(text(200)),
      'Takes it where nothing in it gives it to somebody else: our id of a customer, or the provider’s own reference of it.',
    ),
  })
  .check(z.meta({ examples: [{ values: { account: 'NL-10482' } }] }));
export type QuarantineRetry = z.output<typeof quarantineRetry>;

/** Its answer. */
export const quarantineRetried = z
  .object({
    taken: said(z.boolean(), 'Whether it is in the books now.'),
    entry: said(z.nullable(quarantinedEntry), 'Where it still waits: it, with the reason of now.'),
  })
  .check(z.meta({ examples: [{ taken: true, entry: null }] }));
export type QuarantineRetried = z.infer<typeof quarantineRetried>;

/** Body of `POST /v1/admin/quarantine/retry`. */
export const quarantineRetryAll = z
  .strictObject(choice)
  .check(z.meta({ examples: [{ import: '0199a3c1-7b11-7a02-8c1d-4e3e6e1e9a20' }] }));

/** Its answer: how many wait for the worker that tries them. */
export const quarantineQueued = z.object({ queued: said(z.int(), 'How many will be tried.') });
