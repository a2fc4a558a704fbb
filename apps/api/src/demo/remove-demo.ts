import { keyModeOf } from '@counterfoil/gateways/cases/case.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { storedSettings } from '../features/admin/gateway-accounts.ts';
import { AdminRefused } from '../features/admin/refused.ts';
import { dropEmptyMonths } from '../features/usage/months/months.ts';
import { openFileStore } from '../files/open-file-store.ts';
import type { Runtime } from '../runtime.ts';
import { removeMails, removeSandbox } from './remove-files.ts';
import { DEMO_LOCK } from './seed-demo.ts';
import { type Owners, ownedRows, readOwners, tablesInOrder } from './writing/owned-rows.ts';

/** What `counterfoil demo remove` took out. */
export interface RemovedDemo {
  readonly resellers: readonly number[];
  /** Rows by table; tables of which nothing went are left out. */
  readonly rows: Readonly<Record<string, number>>;
  /** 'YYYY-MM', whose tables went because nobody has records in them. */
  readonly months: readonly string[];
  /** Stored files: reports and uploads. */
  readonly files: number;
  /** Mails of the outbox. */
  readonly mails: number;
}

type Removing = Pick<Runtime, 'databases' | 'clock' | 'config' | 'secrets'>;

/**
 * Takes the whole demo world out: all that is of its resellers, also what was added to them or paid since. The rows go
 * in one transaction; then their files, their mails in the outbox, the sandbox's journal and months nobody else uses.
 * @param record writes the audit trail, in the same transaction
 * @returns undefined where there is no demo world
 * @throws {AdminRefused} where something else depends on it, or real money moved through it
 */
export async function removeDemo(
  runtime: Removing,
  modules: readonly GatewayModule[],
  record: (tx: Tx, resellers: readonly number[]) => Promise<void>,
): Promise<RemovedDemo | undefined> {
  // Of the pools the one whose statements may take minutes: a customer may have millions of records.
  const db = runtime.databases.exports;
  const taken = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`);
    const marked = await tx.many<{ id: number }>(
      sql`select id from reseller where is_demo order by id for update`,
    );
    if (marked.length === 0) return undefined;
    const owners = await readOwners(
      tx,
      marked.map(({ id }) => id),
    );
    await refuseDependents(tx, owners);
    await refuseRealMoney(tx, runtime, modules, owners);
    const mailed = await addressesOf(tx, owners);
    const keys = await fileKeys(tx, owners);
    const rows = await deleteRows(tx, owners);
    await record(tx, owners.reseller);
    const { left } = await tx.one<{ left: number }>(sql`select count(*)::int as left from reseller`);
    return { owners, mailed, keys, rows, isEmpty: left === 0 };
  });
  if (taken === undefined) return undefined;
  const { owners, mailed, keys, rows, isEmpty } = taken;
  const store = openFileStore(runtime.config.filesUrl, runtime.config.s3);
  for (const key of keys) await store.delete(key);
  await removeSandbox(runtime.config.dataDir);
  return {
    resellers: owners.reseller,
    rows,
    files: keys.length,
    months: await dropEmptyMonths(db, isEmpty ? undefined : runtime.clock.now()),
    mails: await removeMails(runtime.config.dataDir, isEmpty ? undefined : mailed),
  };
}

async function deleteRows(tx: Tx, owners: Owners): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of await tablesInOrder(tx)) {
    const theirs = ownedRows(table, owners);
    const gone =
      theirs === undefined ? 0 : await tx.execute(sql`delete from ${sql.id(table)} where ${theirs}`);
    if (gone > 0) rows[table] = gone;
  }
  return rows;
}

/** Links between the demo world and somebody else's, which its removal would tear. */
async function refuseDependents(db: Db, of: Owners): Promise<void> {
  const [customers, users] = [sql`${[...of.customer]}::uuid[]`, sql`${[...of.user]}::uuid[]`];
  const found = await db.many<{ what: string }>(sql`
    select 'user ' || u.email || ' sees a customer of it' as what
      from membership m join app_user u on u.id = m.user_id
     where m.customer_id = any(${customers}) and m.user_id <> all(${users})
    union all
    select 'company ' || c.name || ' has a customer of it'
      from company_customer cc join company c on c.id = cc.company_id
     where cc.customer_id = any(${customers}) and cc.company_id <> all(${[...of.company]}::uuid[])
    union all
    select 'customer ' || c.label || ' has a brand of it'
      from customer c where c.brand_id = any(${[...of.brand]}::int[]) and c.customer_id <> all(${customers})
    union all
    select 'payment ' || a.ref || ' was made through a gateway account of it'
      from attempt a
     where a.gateway_account_id = any(${[...of.account]}::uuid[]) and a.customer_id <> all(${customers})
    union all
    (select 'usage of it lies in the files of archived months: bring these back first (db months)'
      from usage_archived_line where customer_id = any(${customers}) limit 1)
    limit 5`);
  if (found.length > 0)
    throw new AdminRefused(`the demo world is in use: ${found.map(({ what }) => what).join('; ')}`);
}

/** A reseller of the demo that took money in earnest is one no longer: its books are not a demo's. */
async function refuseRealMoney(
  db: Db,
  { secrets }: Removing,
  modules: readonly GatewayModule[],
  of: Owners,
): Promise<void> {
  const accounts = await db.many<{
    id: string;
    reseller_id: number;
    gateway: string;
    config: Record<string, unknown>;
    secrets: Buffer | null;
  }>(sql`
    select id, reseller_id, gateway, config, secrets from gateway_account
     where id = any(${[...of.account]}::uuid[])
       and id in (select gateway_account_id from capture where customer_id = any(${[...of.customer]}::uuid[]))`);
  for (const account of accounts) {
    const manifest = modules.find((one) => one.manifest.id === account.gateway)?.manifest;
    const settings = storedSettings(secrets, account);
    if (manifest !== undefined && keyModeOf(manifest, settings) !== 'live') continue;
    throw new AdminRefused(
      `reseller ${account.reseller_id} has live keys of ${account.gateway} and took money: its books are no demo`,
    );
  }
}

/** To whom the demo world's mails go. */
async function addressesOf(db: Db, of: Owners): Promise<ReadonlySet<string>> {
  const rows = await db.many<{ address: string }>(sql`
    select email as address from app_user where id = any(${[...of.user]}::uuid[])
    union select lower(email) from customer
     where customer_id = any(${[...of.customer]}::uuid[]) and email is not null
    union select lower(receipt_email) from attempt
     where customer_id = any(${[...of.customer]}::uuid[]) and receipt_email is not null`);
  return new Set(rows.map(({ address }) => address));
}

async function fileKeys(db: Db, of: Owners): Promise<readonly string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select file_key as key from report_job
     where customer_id = any(${[...of.customer]}::uuid[]) and file_key is not null
    union select file_key from invoice_document where customer_id = any(${[...of.customer]}::uuid[])
    union select file_key from import_file where id = any(${[...of.file]}::uuid[]) and file_key is not null`);
  return rows.map(({ key }) => key);
}
