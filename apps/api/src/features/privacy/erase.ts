import { storedResellerSettings } from '@counterfoil/contract/brand.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice-status.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import { eraseLines } from '../../audit/seals.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { type ErasureOf, type ErasureRule, erasureRules } from './erasure-rules.ts';

export interface EraseDeps {
  readonly db: Database;
  readonly files: FileStore;
  readonly clock: Clock;
}

/** What becomes of the rows of a table. */
export interface ErasedTable {
  readonly table: string;
  readonly becomes: 'deleted' | 'changed' | 'kept';
  /** Of kept tables they are not counted. */
  readonly rows: number;
  readonly why: string | null;
}

/** Rows of one transaction, of tables that may have millions about one customer. */
const AT_ONCE = 10_000;

/** Why somebody cannot be erased at the moment, in words; undefined where they can. */
async function obstacleTo(db: Db, { subject: { kind, id } }: ErasureOf): Promise<string | undefined> {
  if (kind === 'user') return undefined;
  const { open, due, credit, methods } = await db.one<
    Record<'open' | 'due' | 'credit' | 'methods', number>
  >(sql`
    select (select count(*)::int from attempt where customer_id = ${id} and is_open) as open,
           (select count(*)::int from invoice
             where customer_id = ${id} and kind = 'invoice' and status <> ${InvoiceStatus.VOID} and due_minor <> 0) as due,
           (select count(*)::int from customer_credit where customer_id = ${id} and balance_minor <> 0) as credit,
           (select count(*)::int from payment_method where customer_id = ${id} and state <> 'gone') as methods`);
  if (open > 0) return `Payments are under way: ${open}`;
  if (due > 0) return `Invoices are not settled: ${due}`;
  if (credit > 0) return 'It has credit that is not used';
  if (methods > 0) return `Saved payment methods have to be removed first: ${methods}`;
  return undefined;
}

/** The day from which on invoices are kept, by the reseller's setting. */
export async function keptFrom(db: Db, resellerId: number, now: Date): Promise<string> {
  const row = await db.maybeOne<{ settings: unknown }>(
    sql`select settings from reseller where id = ${resellerId}`,
  );
  const { keepInvoicesYears } = storedResellerSettings.parse(row?.settings ?? {});
  const day = now.toISOString().slice(0, 10);
  return `${Number(day.slice(0, 4)) - keepInvoicesYears}${day.slice(4)}`.replace(/02-29$/, '02-28');
}

/** What an erasure would do now. Changes nothing. @throws {AppError} privacy.notErasable */
export async function foreseeErasure(db: Db, of: ErasureOf): Promise<readonly ErasedTable[]> {
  await refuse(db, of);
  const tables: ErasedTable[] = [];
  for (const [table, rule] of Object.entries(erasureRules(of))) {
    const rows = rule.is === 'kept' ? 0 : await countRows(db, table, rule.where);
    tables.push(told(table, rule, rows));
  }
  return tables;
}

async function refuse(db: Db, of: ErasureOf): Promise<void> {
  const text = await obstacleTo(db, of);
  if (text !== undefined) throw new AppError('privacy.notErasable', { text });
}

const countRows = async (db: Db, table: string, where: Sql<boolean>): Promise<number> =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from ${sql.id(table)} x where ${where}`)).n;

const told = (table: string, rule: ErasureRule, rows: number): ErasedTable => ({
  table,
  becomes: rule.is === 'emptied' ? 'changed' : rule.is,
  rows,
  why: rule.is === 'kept' ? rule.why : null,
});

/**
 * Erases somebody for good: large tables first in short transactions, the rest and the line of the audit trail in one. Begun
 * again after an interruption, it carries on.
 * @throws {AppError} privacy.notErasable
 */
export async function erase(deps: EraseDeps, of: ErasureOf, by: ActedBy): Promise<readonly ErasedTable[]> {
  const { db, files, clock } = deps;
  await refuse(db, of);
  const rules = Object.entries(erasureRules(of));
  const gone = new Map<string, number>();
  for (const [table, rule] of rules)
    if (rule.is === 'deleted' && rule.isLarge === true)
      gone.set(table, await deleteAll(db, table, rule.where));
  // The files first: rows whose file is gone are found again.
  for (const key of await fileKeysOf(db, of)) await files.delete(key);
  const now = clock.now();
  return db.transaction(async (tx) => {
    await lock(tx, of);
    await refuse(tx, of);
    const tables: ErasedTable[] = [];
    for (const [table, rule] of rules)
      tables.push(told(table, rule, gone.get(table) ?? (await apply(tx, table, rule))));
    const { kind, id } = of.subject;
    await recordAudit(tx, {
      action: 'privacy.erased',
      at: now,
      resellerId: of.resellerId,
      ...(kind === 'user' ? { userId: id } : { customerId: id }),
      ...by,
      detail: Object.fromEntries(
        tables.filter(({ rows }) => rows > 0).map(({ table, rows }) => [table, rows]),
      ),
    });
    return tables;
  });
}

/** Puts it into one order with whatever else is done about them. */
async function lock(tx: Tx, { subject: { kind, id } }: ErasureOf): Promise<void> {
  await tx.many(
    kind === 'user'
      ? sql`select 1 from app_user where id = ${id} for update`
      : sql`select 1 from customer where customer_id = ${id} for update`,
  );
}

async function apply(tx: Tx, table: string, rule: ErasureRule): Promise<number> {
  const name = sql.id(table);
  if (rule.is === 'deleted') return tx.execute(sql`delete from ${name} x where ${rule.where}`);
  if (rule.is === 'changed') return tx.execute(sql`update ${name} x set ${rule.set} where ${rule.where}`);
  if (rule.is === 'emptied')
    return eraseLines(tx, sql`e.id in (select x.id from audit_event x where ${rule.where})`);
  return 0;
}

async function deleteAll(db: Database, table: string, where: Sql<boolean>): Promise<number> {
  const name = sql.id(table);
  let sum = 0;
  for (;;) {
    const some = await db.transaction((tx) =>
      tx.execute(sql`
        -- Whose rows they are is said twice: Citus has to read it of what is deleted as well.
        delete from ${name} x using (
          select x.tableoid, x.ctid from ${name} x where ${where} limit ${AT_ONCE} for update) batch
         where x.tableoid = batch.tableoid and x.ctid = batch.ctid and ${where}`),
    );
    sum += some;
    if (some < AT_ONCE) return sum;
  }
}

/** Files whose rows go. */
async function fileKeysOf(
  db: Db,
  { subject: { kind, id }, keepFrom }: ErasureOf,
): Promise<readonly string[]> {
  if (kind === 'user') return [];
  const rows = await db.many<{ key: string }>(sql`
    select file_key as key from report_job where customer_id = ${id} and file_key is not null
     union all
    select d.file_key from invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
     where d.customer_id = ${id} and i.issued_on < ${keepFrom}::date`);
  return rows.map(({ key }) => key);
}
