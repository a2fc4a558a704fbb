import { addDays } from '@counterfoil/domain/time/day.ts';
import { localToInstant, today as todayAt } from '@counterfoil/domain/time/time-zone.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { promiseMails } from '../../mail/outbox.ts';
import { findBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { INVOICE_MAIL, type InvoiceMailPayload } from './mail-queue.ts';
import {
  forgetStart,
  listMailingBrands,
  type MailableRow,
  type MailingBrand,
  mailsSince,
  noteTold,
  pageNew,
  pageToRemind,
  recipientsOf,
} from './queries.ts';
import { remindersOn } from './steps.ts';

/** Between two looks for invoices that customers are to be told of. */
export const INVOICE_MAILS_EVERY_MS = 60_000;
const PAGE = 500;
/** Hour of the brand's day before which no mail about an invoice is sent. */
const STARTS_AT = '06:00:00';
/** A new invoice that could not be mailed for so long, because no process ran, is not new any more. */
const NEW_FOR_MS = 3 * 86_400_000;
/** One that was issued longer ago comes from an import of old ones. */
const ISSUED_WITHIN_DAYS = 31;

/**
 * Promises the mails about invoices that are due now: new ones, and reminders by each brand's schedule. Any number of processes
 * may run it at once: what a customer was told of an invoice is noted with the promise, under a key of its own.
 * @returns how many mails were promised
 */
export async function invoiceMailsRound({
  db,
  clock,
}: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<number> {
  const now = clock.now();
  let promised = 0;
  for (const brand of await listMailingBrands(db)) promised += await roundOf(db, brand, now);
  return promised;
}

async function roundOf(db: Database, brand: MailingBrand, now: Date): Promise<number> {
  const row = await findBrand(db, brand.id);
  if (row === undefined) return 0;
  const { settings, timeZone } = brandFromRow(row);
  const { newInvoices, ...schedule } = settings.invoiceMails;
  const start = newInvoices ? await mailsSince(db, brand.id, now) : await forgetStart(db, brand.id);
  const today = todayAt(timeZone, now);
  const midnight = localToInstant(`${today} 00:00:00`, timeZone);
  if (now < localToInstant(`${today} ${STARTS_AT}`, timeZone)) return 0;
  let promised = 0;
  if (start instanceof Date) {
    const since = new Date(Math.max(start.getTime(), now.getTime() - NEW_FOR_MS));
    const issuedFrom = addDays(today, -ISSUED_WITHIN_DAYS);
    promised += await tellAll(db, 'new', now, (after) =>
      pageNew(db, brand, { since, issuedFrom, after, limit: PAGE }),
    );
  }
  for (const { step, ...which } of remindersOn(today, { newInvoices, ...schedule }))
    promised += await tellAll(db, step, now, (after) =>
      pageToRemind(db, brand, { ...which, knownBefore: midnight, after, limit: PAGE }),
    );
  return promised;
}

/** Promises a mail about each invoice of the pages. @returns how many */
async function tellAll(
  db: Database,
  step: string,
  now: Date,
  read: (after: string | undefined) => Promise<MailableRow[]>,
): Promise<number> {
  let promised = 0;
  for (let after: string | undefined; ; ) {
    const rows = await read(after);
    promised += await tell(db, rows, step, now);
    after = rows.at(-1)?.invoice_id;
    if (after === undefined || rows.length < PAGE) return promised;
  }
}

/** What nobody gets is noted all the same: an address that is given later gets no mail of the past. */
const tell = (db: Database, rows: readonly MailableRow[], step: string, now: Date): Promise<number> =>
  rows.length === 0
    ? Promise.resolve(0)
    : db.transaction(async (tx) => {
        const told = await noteTold(tx, rows, step, now);
        const recipients = await recipientsOf(
          tx,
          told.map((row) => row.customer_id),
        );
        const promises = told.flatMap(({ customer_id: customerId, invoice_id: invoiceId }) =>
          (recipients.get(customerId) ?? []).map(({ who, email: to }) => {
            const payload: InvoiceMailPayload = { invoiceId, step, to };
            return { kind: INVOICE_MAIL, customerId, cause: `${invoiceId}:${step}:${who}`, payload };
          }),
        );
        await promiseMails(tx, promises, now);
        return promises.length;
      });
