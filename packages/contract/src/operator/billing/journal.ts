import * as z from 'zod/mini';
import { said } from '../parts.ts';

/** `GET /v1/admin/journal`: what the ledger says of some days, for an accounting system. */

/** What a file is made for. */
export const journalFormats = ['generic', 'xero', 'quickbooks', 'costCentres'] as const;
export type JournalFormat = (typeof journalFormats)[number];

/** The longest time one file is about. */
export const MOST_JOURNAL_DAYS = 366;

export const journalParams = z
  .object({
    from: said(z.iso.date(), 'The first day, in the time zone of the reseller’s first brand.'),
    to: said(z.iso.date(), 'The last day.'),
    format: said(
      z._default(z.enum(journalFormats), 'generic'),
      '`generic`: a line for each side of each entry. `xero` and `quickbooks`: the sums of each day by account and currency, as their imports of journals take them. `costCentres`: what the invoices issued on these days come to, by invoice and cost centre.',
    ),
    customer: said(
      z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
      'Of one customer: our id of it, or the provider’s own reference.',
    ),
    byteOrderMark: said(
      z._default(z.enum(['true', 'false']), 'false'),
      'Begins with one, for programs that else take UTF-8 for something older.',
    ),
  })
  .check(
    z.refine(({ from, to }) => from <= to, { path: ['to'], message: 'is before the first day' }),
    z.refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < MOST_JOURNAL_DAYS, {
      path: ['to'],
      message: `is more than ${MOST_JOURNAL_DAYS} days from the first day`,
    }),
  );
