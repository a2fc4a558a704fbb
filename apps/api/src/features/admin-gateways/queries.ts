import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

export interface GatewayAccountRow {
  id: string;
  gateway: string;
  is_active: boolean;
  config: Record<string, unknown>;
  secrets: Buffer | null;
  secrets_set_at: Record<string, string>;
  created_at: Date;
}

const select = (condition: Sql): Sql<GatewayAccountRow> => sql<GatewayAccountRow>`
  select id, gateway, is_active, config, secrets, secrets_set_at, created_at
    from gateway_account where ${condition} order by is_active desc, created_at desc, id`;

/** Accounts of a reseller, the one in use first. */
export const findAccounts = (db: Db, resellerId: number) => db.many(select(sql`reseller_id = ${resellerId}`));

export const findAccount = (db: Db, resellerId: number, id: string) =>
  db.maybeOne(select(sql`reseller_id = ${resellerId} and id = ${id}`));

/** Brands of a reseller, with their hosts, the main one first. */
export const brandsOf = (db: Db, resellerId: number) =>
  db.many<{ id: number; name: string; hosts: string[] }>(sql`
    select b.id, b.name,
           array(select h.host from brand_host h where h.brand_id = b.id order by h.is_main desc, h.host) as hosts
      from brand b where b.reseller_id = ${resellerId} order by b.id`);

/** A case that has ended, as a run keeps it. */
export interface KeptResult {
  case: string;
  is: 'passed' | 'failed' | 'unreachable' | 'notAvailable' | 'notRun';
  ms: number;
  ids: string[];
  detail: string;
}

export interface RunRow {
  id: string;
  gateway_account_id: string;
  reseller_id: number;
  created_at: Date;
  created_by: string;
  only_cases: string[] | null;
  currency: string | null;
  key_mode: 'test' | 'word';
  settings: Buffer | null;
  with_given_keys: boolean;
  begun_at: Date | null;
  seen_at: Date | null;
  ended_at: Date | null;
  is_broken: boolean;
  is_recorded: boolean;
  results: KeptResult[];
  not_checked: string[];
  left_behind: string[];
}

const runs = sql`
  select r.id, r.gateway_account_id, a.reseller_id, r.created_at, r.created_by, r.only_cases, r.currency, r.key_mode,
         r.settings, r.with_given_keys, r.begun_at, r.seen_at, r.ended_at, r.is_broken, r.is_recorded, r.results,
         r.not_checked, r.left_behind
    from gateway_verification_run r join gateway_account a on a.id = r.gateway_account_id`;

/** The last run of an account that somebody asked for by call. */
export const lastRun = (db: Db, resellerId: number, accountId: string) =>
  db.maybeOne<RunRow>(sql`
    ${runs} where r.gateway_account_id = ${accountId} and a.reseller_id = ${resellerId}
     order by r.created_at desc, r.id desc limit 1`);

/** @returns 1, or 0 where another run of the account goes on */
export const insertRun = (
  tx: Tx,
  row: Pick<
    RunRow,
    'id' | 'gateway_account_id' | 'created_at' | 'created_by' | 'currency' | 'key_mode' | 'settings'
  > & { readonly only_cases: readonly string[] | null; readonly with_given_keys: boolean },
) =>
  tx.execute(sql`
    insert into gateway_verification_run (id, gateway_account_id, created_at, created_by, only_cases, currency,
                                          key_mode, settings, with_given_keys)
    values (${row.id}, ${row.gateway_account_id}, ${row.created_at}, ${row.created_by},
            ${row.only_cases === null ? null : [...row.only_cases]}::text[], ${row.currency}, ${row.key_mode},
            ${row.settings}::bytea, ${row.with_given_keys})
    on conflict do nothing`);

/** A worker takes a run, once. @returns undefined where it was taken or has ended */
export async function takeRun(tx: Tx, id: string, now: Date): Promise<RunRow | undefined> {
  const taken = await tx.execute(sql`
    update gateway_verification_run set begun_at = ${now}, seen_at = ${now}
     where id = ${id} and begun_at is null and ended_at is null`);
  return taken === 0 ? undefined : tx.maybeOne<RunRow>(sql`${runs} where r.id = ${id}`);
}

/** The worker goes on with a run, and has a result where there is one. */
export const sayRunning = (tx: Tx, id: string, now: Date, result?: KeptResult) =>
  tx.execute(sql`
    update gateway_verification_run
       set seen_at = ${now}, results = results || ${JSON.stringify(result === undefined ? [] : [result])}::jsonb
     where id = ${id} and ended_at is null`);

export const endRun = (
  tx: Tx,
  id: string,
  end: Pick<RunRow, 'is_recorded' | 'is_broken'> & {
    readonly results?: readonly KeptResult[];
    readonly notChecked?: readonly string[];
    readonly left?: readonly string[];
  },
  now: Date,
) =>
  tx.execute(sql`
    update gateway_verification_run
       set ended_at = ${now}, settings = null, is_recorded = ${end.is_recorded}, is_broken = ${end.is_broken},
           results = coalesce(${end.results === undefined ? null : JSON.stringify(end.results)}::jsonb, results),
           not_checked = ${JSON.stringify(end.notChecked ?? [])}, left_behind = ${JSON.stringify(end.left ?? [])}
     where id = ${id} and ended_at is null`);

/** Ends runs of an account that no worker goes on with. @param waitingSince, seenSince older ones are given up */
export const endBrokenRuns = (
  tx: Tx,
  accountId: string,
  {
    waitingSince,
    seenSince,
    now,
  }: { readonly waitingSince: Date; readonly seenSince: Date; readonly now: Date },
) =>
  tx.execute(sql`
    update gateway_verification_run set ended_at = ${now}, settings = null, is_broken = true
     where gateway_account_id = ${accountId} and ended_at is null
       and case when begun_at is null then created_at < ${waitingSince} else seen_at < ${seenSince} end`);
