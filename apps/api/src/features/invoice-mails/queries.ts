import { firstIdAt } from '@counterfoil/domain/text/ids.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isBeingCharged, willBeCharged } from '../auto-pay/queries.ts';

/** Whom a mail about an invoice goes to. `who`: a user's id, or '' for the customer's own address. */
export interface Recipient {
  readonly who: string;
  readonly email: string;
}

/** An invoice that its customer is to be told of. */
export interface MailableRow {
  customer_id: string;
  invoice_id: string;
}

/** A brand of a reseller that mails its invoices. */
export interface MailingBrand {
  readonly id: number;
  readonly resellerId: number;
}

/** Brands with a setting of their own about these mails; whether it asks for any is for the reader. */
export const listMailingBrands = (db: Db) =>
  db.many<MailingBrand>(sql`
    select id, reseller_id as "resellerId" from brand
     where reseller_id is not null and settings ? 'invoiceMails' order by id`);

/** Since when a brand mails new invoices: from now on, unless it did before. */
export async function mailsSince(db: Database, brandId: number, now: Date): Promise<Date> {
  const { since } = await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into invoice_mail_start (brand_id, since) values (${brandId}, ${now}) on conflict do nothing`);
    return tx.one<{ since: Date }>(sql`select since from invoice_mail_start where brand_id = ${brandId}`);
  });
  return since;
}

/** A brand that mails no new invoices: once it does, it begins anew. */
export const forgetStart = (db: Database, brandId: number): Promise<number> =>
  db.transaction((tx) => tx.execute(sql`delete from invoice_mail_start where brand_id = ${brandId}`));

/** The users' choice among their preferences: `{"invoices": true}` wants these mails, `false` wants none. */
const wants = (choice: boolean) =>
  sql`exists (select from user_preference p where p.user_id = u.id and p.key = 'mails'
                 and p.value @> ${JSON.stringify({ invoices: choice })}::jsonb)`;

/**
 * Whom customers' mails go to: their own address, unless it is that of a user who wants no such mail, and each user who wants
 * them. Two statements: Citus refuses one that asks for a customer what is the same on every machine.
 */
export async function recipientsOf(
  db: Db,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Recipient[]>> {
  const ids = [...new Set(customerIds)];
  const customers = await db.many<{ customer_id: string; email: string | null; lower: string | null }>(sql`
    select customer_id, email, lower(email) as lower from customer where customer_id = any(${ids}::uuid[])`);
  const users = await db.many<
    Recipient & { customer_id: string; is_active: boolean; wish: boolean | null }
  >(sql`
    select m.customer_id, u.id::text as who, u.email, u.is_active,
           case when ${wants(false)} then false when ${wants(true)} then true end as wish
      from membership m join app_user u on u.id = m.user_id
     where m.customer_id = any(${ids}::uuid[]) order by m.customer_id, u.id`);
  const members = Map.groupBy(users, (user) => user.customer_id);
  return new Map(
    customers.map(({ customer_id: id, email, lower }) => {
      const all = members.get(id) ?? [];
      const isRefused = all.some((user) => user.email === lower && user.wish === false);
      const own = email === null || email === '' || isRefused ? [] : [{ who: '', email }];
      const others = all.filter((user) => user.is_active && user.email !== lower && user.wish === true);
      return [id, [...own, ...others.map((user) => ({ who: user.who, email: user.email }))]];
    }),
  );
}

const ofBrand = ({ id, resellerId }: MailingBrand) => sql`
  i.reseller_id = ${resellerId} and i.kind = 'invoice' and i.status = 10 and i.due_minor > 0 and c.disabled_at is null
  and coalesce(c.brand_id, (select min(b.id) from brand b where b.reseller_id = ${resellerId})) = ${id}`;

/** The last of the page before; undefined on the first. */
type After = string | undefined;

/** Open invoices that came in after a moment and were not mailed, in the order in which they came. */
export const pageNew = (
  db: Db,
  brand: MailingBrand,
  {
    since,
    issuedFrom,
    after,
    limit,
  }: {
    readonly since: Date;
    readonly issuedFrom: Day;
    readonly after: After;
    readonly limit: number;
  },
) =>
  db.many<MailableRow>(sql`
    select i.customer_id, i.id as invoice_id
      from invoice i join customer c on c.customer_id = i.customer_id
     where ${ofBrand(brand)} and i.id > ${after ?? firstIdAt(since.getTime())} and i.issued_on >= ${issuedFrom}
       and not exists (select from invoice_mail m where m.customer_id = i.customer_id and m.invoice_id = i.id
                          and m.step = 'new')
     order by i.id limit ${limit}`);

/** Nothing is due from the customer's side: money is on its way, or Auto-Pay takes it. */
const isInHand = sql`(${isBeingCharged} or exists (
  select from claim k where k.customer_id = i.customer_id and k.invoice_id = i.id and k.is_open))`;

/** Open invoices that are due on one of some days and were told of neither by this reminder nor by a later one. */
export const pageToRemind = (
  db: Db,
  brand: MailingBrand,
  {
    dueFrom,
    dueTo,
    knownBefore,
    steps,
    isAhead,
    after,
    limit,
  }: {
    readonly dueFrom: Day;
    readonly dueTo: Day;
    /** What came in after that is no reminder's yet. */
    readonly knownBefore: Date;
    /** This reminder and those that come after it. */
    readonly steps: readonly string[];
    /** Before the due date, where auto-pay may be about to take it. */
    readonly isAhead: boolean;
    readonly after: After;
    readonly limit: number;
  },
) =>
  db.many<MailableRow>(sql`
    select i.customer_id, i.id as invoice_id
      from invoice i join customer c on c.customer_id = i.customer_id join reseller r on r.id = i.reseller_id
     where ${ofBrand(brand)} and i.due_on between ${dueFrom} and ${dueTo} and i.id < ${firstIdAt(knownBefore.getTime())}
       and ${after === undefined ? sql`true` : sql`i.id > ${after}`}
       and not ${isInHand} ${isAhead ? sql`and not ${willBeCharged}` : sql``}
       and not exists (select from invoice_mail m where m.customer_id = i.customer_id and m.invoice_id = i.id
                          and m.step = any(${[...steps]}::text[]))
     order by i.id limit ${limit}`);

/** Notes that customers are told of their invoices. @returns those that were not told of it before */
export const noteTold = (tx: Tx, rows: readonly MailableRow[], step: string, now: Date) =>
  tx.many<{ customer_id: string; invoice_id: string }>(sql`
    insert into invoice_mail (customer_id, invoice_id, step, at)
    select customer_id, invoice_id, ${step}::text, ${now}::timestamptz
      from unnest(${rows.map((row) => row.customer_id)}::uuid[], ${rows.map((row) => row.invoice_id)}::uuid[])
             as n(customer_id, invoice_id)
    on conflict do nothing returning customer_id, invoice_id`);

/** What a mail says of an invoice, as it stands when the mail is sent. */
export interface ToldInvoice {
  reseller_id: number;
  number: string;
  currency: string;
  issued_on: string;
  due_on: string | null;
  due_minor: bigint;
  is_in_hand: boolean;
  is_covered: boolean;
}

/** Undefined where there is nothing to tell any more: it is paid, credited, void, disputed, or its customer is disabled. */
export const findToldInvoice = (db: Db, customerId: string, invoiceId: string) =>
  db.maybeOne<ToldInvoice>(sql`
    select i.reseller_id, i.number, i.currency, i.issued_on, i.due_on, i.due_minor, ${isInHand} as is_in_hand,
           ${willBeCharged} as is_covered
      from invoice i join customer c on c.customer_id = i.customer_id join reseller r on r.id = i.reseller_id
     where i.customer_id = ${customerId} and i.id = ${invoiceId} and i.kind = 'invoice' and i.status = 10
       and i.due_minor > 0 and c.disabled_at is null`);
