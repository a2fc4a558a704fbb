import type { Database, Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';

/**
 * The sums of an account by day (`account_day`), which statements of large customers begin with: docs/adr/0106-running-balance.md.
 * What is in them is marked, in the ledger for good, in an invoice with what it was. So an invoice that is corrected, voided or
 * reopened by anybody is seen to differ from its mark, and needs no word from whoever did it.
 */

/** Moved together; a payment that meets one of them waits so long. */
const AT_ONCE = 1_000;
/** More than these are not worth reading each time. */
export const MANY_UNSUMMED = 500;

const VOID = 13;
/** Accounts whose balance is between customer and provider: what is owed, and what is kept for the customer. */
const accounts = sql`('receivable', 'customerCredit')`;

/** What an entry `l` of the ledger does to what the customer owes. Moves between the two accounts cancel out. */
export const effect = sql`
  (case when l.debit in ${accounts} then l.amount_minor else 0 end
    - case when l.credit in ${accounts} then l.amount_minor else 0 end)`;

/** What an invoice `i` does to it: bills raise it when they are issued. */
export const billed = sql`
  case when i.kind = 'invoice' and i.payable_minor > 0 and i.status <> ${sql.lit(VOID)} then i.payable_minor else 0 end`;

/** Of invoices `i`, in the words of the index: those of which the sums have something else than they are. Credits are in them as nothing. */
export const isUnsummed = sql`
  (case when i.summed_minor <> ${billed}
             or (i.summed_on, i.summed_currency) is distinct from (i.issued_on, i.currency) then 1 else 0 end = 1)`;

/** How many invoices a customer has: those that are in the sums, which are counted by day, and the others. */
export const invoiceCount = ({ customerId }: CustomerScope): Sql<number> => sql<number>`
  ((select coalesce(sum(invoices), 0) from account_day where customer_id = ${customerId})
   + (select count(*) from invoice i where i.customer_id = ${customerId} and ${isUnsummed} and i.summed_on is null))::int`;

/** Of entries `l`, in the words of the index: those that are not in the sums. Entries about credits never are: see `credits`. */
export const isUnsummedEntry = sql`(not l.is_summed and l.source <> 'invoice')`;

interface Added {
  readonly customerId: string;
  /** `currency`, `day` and for each column what is added to it. */
  readonly changes: Sql;
}

type Column = 'billed_minor' | 'invoices' | 'entries_minor';

/** Adds to the sums, always in the order of their key, so that several at once never wait in a circle. */
function add(columns: readonly Column[], { customerId, changes }: Added): Sql {
  const each = (of: (column: Sql) => Sql, between = sql`, `) =>
    sql.join(
      columns.map((column) => of(sql.id(column))),
      between,
    );
  return sql`
    insert into account_day as a (customer_id, currency, day, ${each((column) => column)})
    select ${customerId}::uuid, currency, day, ${each((column) => sql`sum(${column})`)} from (${changes}) c
     group by currency, day having ${each((column) => sql`sum(${column}) <> 0`, sql` or `)} order by currency, day
    on conflict (customer_id, currency, day) do update
       set ${each((column) => sql`${column} = a.${column} + excluded.${column}`)}`;
}

const billColumns = ['billed_minor', 'invoices'] as const;

/** Takes what some locked invoices of a customer are in the sums out of them, before they are deleted. */
export const takeFromSums = (tx: Tx, customerId: string, invoiceIds: readonly string[]) =>
  tx.execute(
    add(billColumns, {
      customerId,
      changes: sql`
        select summed_currency as currency, summed_on as day, -summed_minor as billed_minor, -1 as invoices from invoice
         where customer_id = ${customerId} and id = any(${[...invoiceIds]}::uuid[]) and summed_on is not null`,
    }),
  );

/** Rows that somebody holds are left for the next time: nobody who pays waits, and nobody in a circle. */
const sumInvoices = (db: Db, customerId: string) =>
  db.one<{ n: number }>(sql`
    with batch as (
      select i.id, i.currency, i.issued_on, ${billed} as minor, i.summed_currency, i.summed_on, i.summed_minor
        from invoice i where i.customer_id = ${customerId} and ${isUnsummed}
       limit ${AT_ONCE} for update skip locked
    ), marked as (
      update invoice i set summed_minor = s.minor, summed_on = s.issued_on, summed_currency = s.currency
        from batch s where i.customer_id = ${customerId} and i.id = s.id
    ), added as (${add(billColumns, {
      customerId,
      changes: sql`
        select currency, issued_on as day, minor as billed_minor, 1 as invoices from batch
         union all
        select summed_currency, summed_on, -summed_minor, -1 from batch where summed_on is not null`,
    })})
    select count(*)::int as n from batch`);

const sumEntries = (db: Db, customerId: string) =>
  db.one<{ n: number }>(sql`
    with batch as (
      select l.id, l.currency, (l.at at time zone 'UTC')::date as day, ${effect} as minor
        from ledger l where l.customer_id = ${customerId} and ${isUnsummedEntry}
       limit ${AT_ONCE} for update skip locked
    ), marked as (
      update ledger l set is_summed = true from batch s where l.customer_id = ${customerId} and l.id = s.id
    ), added as (${add(['entries_minor'], {
      customerId,
      changes: sql`select currency, day, minor as entries_minor from batch`,
    })})
    select count(*)::int as n from batch`);

/** Brings all of a customer's account into the sums, some at a time; at any moment what they say with the rest is the whole. */
export async function sumAccount(db: Db, customerId: string): Promise<void> {
  for (const some of [sumInvoices, sumEntries]) while ((await some(db, customerId)).n === AT_ONCE);
}

const TASK = 'account.sum';

/** Has an account summed up soon, where a statement had to read much that is not. */
export async function sumSoon(db: Database, customerId: string, unsummed: number): Promise<void> {
  if (unsummed <= MANY_UNSUMMED) return;
  await db.transaction((tx) => enqueue(tx, TASK, { customerId }, { key: `${TASK} ${customerId}` }));
}

export const accountSumJob = ({ db }: { readonly db: Db }): Job => ({
  name: TASK,
  run: (payload) => sumAccount(db, (payload as { readonly customerId: string }).customerId),
});
