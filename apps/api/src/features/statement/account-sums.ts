import type { Database, Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
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

/** Of invoices `i`, in the words of the index: those of which the sums have something else than they are. */
export const isUnsummedBill = sql`
  (i.summed_minor <> ${billed}
   or (i.summed_minor <> 0 and (i.summed_on, i.summed_currency) is distinct from (i.issued_on, i.currency)))`;

/** Of entries `l`, in the words of the index: those that are not in the sums. Entries about credits never are: see `credits`. */
export const isUnsummedEntry = sql`(not l.is_summed and l.source <> 'invoice')`;

interface Added {
  readonly customerId: string;
  /** `currency`, `day` and `minor` of each change. */
  readonly changes: Sql;
}

/** Adds to the sums, always in the order of their key, so that several at once never wait in a circle. */
const add = (column: 'billed_minor' | 'entries_minor', { customerId, changes }: Added): Sql => sql`
  insert into account_day as a (customer_id, currency, day, ${sql.id(column)})
  select ${customerId}::uuid, currency, day, sum(minor)::bigint from (${changes}) c
   group by currency, day having sum(minor) <> 0 order by currency, day
  on conflict (customer_id, currency, day) do update
     set ${sql.id(column)} = a.${sql.id(column)} + excluded.${sql.id(column)}`;

/** Takes what some locked invoices of a customer are in the sums out of them, before they are deleted. */
export const takeFromSums = (tx: Tx, customerId: string, invoiceIds: readonly string[]) =>
  tx.execute(
    add('billed_minor', {
      customerId,
      changes: sql`
        select summed_currency as currency, summed_on as day, -summed_minor as minor from invoice
         where customer_id = ${customerId} and id = any(${[...invoiceIds]}::uuid[]) and summed_minor <> 0`,
    }),
  );

/** Rows that somebody holds are left for the next time: nobody who pays waits, and nobody in a circle. */
const sumBills = (db: Db, customerId: string) =>
  db.one<{ n: number }>(sql`
    with batch as (
      select i.id, i.currency, i.issued_on, ${billed} as minor, i.summed_currency, i.summed_on, i.summed_minor
        from invoice i where i.customer_id = ${customerId} and ${isUnsummedBill}
       limit ${AT_ONCE} for update skip locked
    ), marked as (
      update invoice i set summed_minor = s.minor, summed_on = s.issued_on, summed_currency = s.currency
        from batch s where i.customer_id = ${customerId} and i.id = s.id
    ), added as (${add('billed_minor', {
      customerId,
      changes: sql`
        select currency, issued_on as day, minor from batch
         union all
        select summed_currency, summed_on, -summed_minor from batch where summed_minor <> 0`,
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
    ), added as (${add('entries_minor', { customerId, changes: sql`select currency, day, minor from batch` })})
    select count(*)::int as n from batch`);

/** Brings all of a customer's account into the sums, some at a time; at any moment what they say with the rest is the whole. */
export async function sumAccount(db: Db, customerId: string): Promise<void> {
  for (const some of [sumBills, sumEntries]) while ((await some(db, customerId)).n === AT_ONCE);
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
