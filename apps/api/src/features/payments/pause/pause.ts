import type { Database, Db, Tx } from '../../../db/database.ts';
import { sql, sqlOnce } from '../../../db/sql.ts';

/** A gateway account whose payments are off, because its database was restored from a backup. */
export interface Pause {
  readonly accountId: string;
  readonly resellerId: number;
  readonly gateway: string;
  /** When the backup was made: what was paid after it is not known here. */
  readonly since: Date;
  readonly setAt: Date;
  readonly note: string;
  /** Why scanning the gateway cannot end it; a person has to. Null where it can. */
  readonly problem: string | null;
}

/** Whether nothing may be charged or refunded through an account for now. */
export const isPaused = async (db: Db, accountId: string): Promise<boolean> =>
  (await db.maybeOne(sqlOnce`select 1 from payment_pause where gateway_account_id = ${accountId}`)) !==
  undefined;

/** All of them, by reseller. */
export const listPauses = (db: Db): Promise<Pause[]> =>
  db.many<Pause>(sql`
    select p.gateway_account_id as "accountId", a.reseller_id as "resellerId", a.gateway, p.since, p.set_at as "setAt",
           p.note, p.problem
      from payment_pause p join gateway_account a on a.id = p.gateway_account_id order by a.reseller_id, a.id`);

/**
 * Turns payments off for every gateway account, those that are not used any more included. Of one that is off already the
 * earlier time counts.
 * @returns of how many accounts
 */
export const pausePayments = (
  tx: Tx,
  { since, note, now }: { readonly since: Date; readonly note: string; readonly now: Date },
): Promise<number> =>
  tx.execute(sql`
    insert into payment_pause as p (gateway_account_id, since, set_at, note, next_scan_at)
    select id, ${since}, ${now}, ${note}, ${now} from gateway_account
    on conflict (gateway_account_id) do update
       set since = least(p.since, excluded.since), set_at = excluded.set_at, note = excluded.note,
           next_scan_at = excluded.next_scan_at, problem = null`);

/** Turns payments on again for the accounts of a reseller, by a person's decision. @returns the gateways */
export const resumePayments = async (tx: Tx, resellerId: number): Promise<readonly string[]> => {
  const rows = await tx.many<{ gateway: string }>(sql`
    delete from payment_pause p using gateway_account a
     where a.id = p.gateway_account_id and a.reseller_id = ${resellerId} returning a.gateway`);
  return rows.map(({ gateway }) => gateway);
};

/** A pause that is this process's to scan for, until its lease ends. */
export interface TakenPause {
  readonly accountId: string;
  readonly since: Date;
  readonly setAt: Date;
  readonly problem: string | null;
}

/** Takes an account that is to be scanned; others pass it by until the lease ends. */
export const takePause = (db: Database, now: Date, leasedUntil: Date): Promise<TakenPause | undefined> =>
  db.transaction((tx) =>
    tx.maybeOne<TakenPause>(sql`
      with next as (
        select gateway_account_id from payment_pause where next_scan_at <= ${now}
         order by next_scan_at, gateway_account_id limit 1 for update skip locked)
      update payment_pause p set next_scan_at = ${leasedUntil} from next
       where p.gateway_account_id = next.gateway_account_id
      returning p.gateway_account_id as "accountId", p.since, p.set_at as "setAt", p.problem`),
  );

/** The scan did not end it. @param problem why a person has to; null where it is tried again */
export const keepPause = (
  db: Database,
  { accountId, setAt }: TakenPause,
  nextScanAt: Date,
  problem: string | null,
): Promise<number> =>
  db.execute(sql`
    update payment_pause set next_scan_at = ${nextScanAt}, problem = ${problem}
     where gateway_account_id = ${accountId} and set_at = ${setAt}`);

/** The account was scanned whole. One that was set again meanwhile stays. */
export const endPause = (db: Database, { accountId, setAt }: TakenPause): Promise<number> =>
  db.execute(sql`delete from payment_pause where gateway_account_id = ${accountId} and set_at = ${setAt}`);
