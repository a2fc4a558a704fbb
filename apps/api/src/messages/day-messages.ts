import { addDays, type Day } from '@counterfoil/domain/time/day.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { Database, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type InvoiceMessageRow, invoiceMessageColumns, presentInvoiceMessage } from './invoice-messages.ts';
import { tellOfExpiring } from './people-messages.ts';
import { type Listening, listeningOf, writeMessages } from './write-messages.ts';

/** Between two looks at what day it is at each reseller. */
export const TELL_DAYS_EVERY_MS = 60_000;
/** Days that no worker ran are made up for, as many as these. */
const MOST_DAYS = 7;
const AT_ONCE = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Tells of what a day brings without anybody doing anything: invoices that fall due or are overdue, cards that expire. A day
 * begins in the zone of the reseller's first brand. Each day is told once, in one transaction with the note that it was.
 */
export async function tellOfDays(db: Database, now: Date): Promise<void> {
  const resellers = await db.many<{ id: number; zone: string; day: Day | null }>(sql`
    select e.reseller_id as id, d.day,
           coalesce((select b.time_zone from brand b where b.reseller_id = e.reseller_id order by b.id limit 1), 'UTC') as zone
      from (select distinct reseller_id from webhook_endpoint where state <> 'disabled') as e
      left join webhook_day d on d.reseller_id = e.reseller_id order by 1`);
  for (const { id, zone, day } of resellers) {
    const current = today(zone, now);
    if (day === null || day < current) await db.transaction((tx) => tellOfDay(tx, id, current, now));
  }
}

async function tellOfDay(tx: Tx, resellerId: number, day: Day, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into webhook_day (reseller_id, day) values (${resellerId}, ${day}) on conflict do nothing`);
  const told = await tx.one<{ day: Day }>(sql`
    select day from webhook_day where reseller_id = ${resellerId} for update`);
  if (told.day >= day) return;
  const first = addDays(day, -MOST_DAYS);
  const since = told.day > first ? told.day : first;
  const { wanted } = await listeningOf(tx, resellerId);
  const dueIn = (type: 'invoice.due' | 'invoice.overdue', days: number) =>
    tellOfDue(tx, { resellerId, type, after: addDays(since, days), until: addDays(day, days) }, wanted, now);
  // An invoice that is due on no day of these, and overdue since one of them, is told as overdue alone.
  await dueIn('invoice.due', 0);
  await dueIn('invoice.overdue', -1);
  const month = day.slice(0, 7);
  if (since.slice(0, 7) !== month && wanted('payment_method.expiring')) {
    let after: string | undefined = FIRST_ID;
    while (after !== undefined)
      after = await tellOfExpiring(tx, resellerId, { month, after, limit: AT_ONCE }, now);
  }
  await tx.execute(sql`update webhook_day set day = ${day} where reseller_id = ${resellerId}`);
}

interface Due {
  readonly resellerId: number;
  readonly type: 'invoice.due' | 'invoice.overdue';
  /** Due after this day, until that one. */
  readonly after: Day;
  readonly until: Day;
}

async function tellOfDue(
  tx: Tx,
  { resellerId, type, after, until }: Due,
  wanted: Listening['wanted'],
  now: Date,
): Promise<void> {
  if (!wanted(type)) return;
  for (let last: string | undefined = FIRST_ID; last !== undefined; ) {
    const rows: InvoiceMessageRow[] = await tx.many(sql<InvoiceMessageRow>`
      select ${invoiceMessageColumns} from invoice i join customer c on c.customer_id = i.customer_id
       where i.reseller_id = ${resellerId} and i.kind = 'invoice' and i.status = 10 and i.due_minor > 0
         and i.due_on > ${after}::date and i.due_on <= ${until}::date and i.id > ${last}
       order by i.id limit ${AT_ONCE}`);
    const messages = rows.map((row) => ({
      type,
      objectId: row.id,
      customerId: row.customer_id,
      data: presentInvoiceMessage(row),
    }));
    await writeMessages(tx, resellerId, messages, now);
    last = rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
  }
}

/** How long messages and their deliveries are kept, those that wait included. */
const KEPT_DAYS = 30;
/** Between two rounds of forgetting old messages. */
export const FORGET_MESSAGES_MS = 10 * 60_000;
const FORGOTTEN_AT_ONCE = 5_000;

/** Forgets messages that are older than they are kept, with their deliveries. @returns how many */
export const forgetMessages = (db: Database, now: Date): Promise<number> =>
  db.execute(sql`
    delete from webhook_message where id in (
      select id from webhook_message where at < ${new Date(now.getTime() - KEPT_DAYS * 86_400_000)}
       order by at limit ${FORGOTTEN_AT_ONCE})`);
