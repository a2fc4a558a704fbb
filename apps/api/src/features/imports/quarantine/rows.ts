import { createHash } from 'node:crypto';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Tx } from '../../../db/database.ts';
import { later, type Sql, sql } from '../../../db/sql.ts';
import type { ImportRun, RunEnd, RunKey } from '../import-run.ts';

/** At most this many entries of a reseller wait; of what comes beyond them the import only tells how many. */
const MAX_WAITING = 500_000;

/** After a try that failed the next one by itself is a minute later, then two, and so on; at last once a day. */
export const nextTry = (now: Date): Sql =>
  later(
    sql`${now}::timestamptz`,
    sql`least(interval '1 day', interval '1 minute' * power(2, least(tries, 12)))`,
  );

/** Where an entry stands in the file that is made of entries to try them again. */
export interface RetriedRow {
  readonly line: number;
  readonly entryId: string;
  readonly ordinal: number;
}

/**
 * Keeps what a file of usage records brought and its import did not take, and settles what was kept of the file as a
 * whole. An entry is known by the record it will be: the same file again, or another one with the same record, changes
 * it and makes no second one.
 * @returns how many of those that were not taken are kept
 */
export async function keepOfFile(
  tx: Tx,
  { id }: ImportRun,
  { resellerId, digest, mapping, timeZone }: RunKey & { readonly mapping: UsageMapping },
  end: RunEnd,
  now: Date,
): Promise<number> {
  const fileIdentity = identityOfFile(digest);
  if (end.state === 'failed') {
    const [fault] = end.listed;
    const entry = { line: fault?.line ?? null, reason: fault?.reason ?? '', cause: 'file' };
    await upsert(
      tx,
      resellerId,
      id,
      now,
      sql`
      select 'file' as kind, ${fileIdentity}::uuid as identity, 1 as ordinal, ${entry.line}::int as line, ${entry.cause} as cause,
             ${entry.reason} as reason, '{}'::text[] as missing, null::bytea as record`,
    );
    return 1;
  }
  await tx.execute(sql`
    delete from quarantine_entry where reseller_id = ${resellerId} and kind = 'file' and identity = ${fileIdentity}::uuid`);
  if (end.quarantined === 0) return 0;
  const source = JSON.stringify({ mapping, columns: end.columns, timeZone: timeZone ?? null });
  await tx.execute(sql`update import_file set source = ${source} where id = ${id}`);
  const { waiting } = await tx.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from quarantine_entry where reseller_id = ${resellerId}`);
  const room = Math.max(0, MAX_WAITING - waiting);
  const byKey = mapping.key === undefined ? sql`sha256(key_hash || int4send(n))` : sql`key_hash`;
  await upsert(
    tx,
    resellerId,
    id,
    now,
    sql`
    select distinct on (identity) 'usage' as kind, identity, n as ordinal, line, cause, reason, missing, record
      from (select a.*, encode(substring(
                     case when key_hash is not null then ${byKey}
                          when record is not null then sha256('row'::bytea || sha256(record) || int4send(n))
                          else sha256(${digest}::bytea || int4send(line)) end from 1 for 16), 'hex')::uuid as identity
              from (select *, row_number() over (partition by key_hash, case when key_hash is null then record end
                                                     order by line)::int as n
                      from usage_aside) a) i
     order by identity, line desc limit ${room}`,
  );
  // Lines that a month did not take are seen when they are merged: which record each is, is known then.
  const closed = end.listed.filter(({ identity }) => identity !== undefined);
  await upsert(
    tx,
    resellerId,
    id,
    now,
    sql`
    select distinct on (identity) 'usage' as kind, identity, 1 as ordinal, line, cause, reason, '{}'::text[] as missing,
           null::bytea as record
      from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) as c(identity uuid, line int, cause text, reason text)
     order by identity, line desc limit ${room}`,
  );
  const { asides } = await tx.one<{ asides: number }>(sql`select count(*)::int as asides from usage_aside`);
  return Math.min(asides, room) + Math.min(closed.length, room);
}

/** Puts entries into the quarantine. @param rows kind, identity, ordinal, line, cause, reason, missing, record */
export const upsert = (tx: Tx, resellerId: number, fileId: string, now: Date, rows: Sql): Promise<number> =>
  tx.execute(sql`
    insert into quarantine_entry (id, reseller_id, file_id, kind, identity, ordinal, line, cause, reason, missing, record,
                                  first_seen_at, next_try_at)
    select gen_random_uuid(), ${resellerId}, ${fileId}, r.kind, r.identity, r.ordinal, r.line, r.cause, r.reason, r.missing,
           r.record, ${now}, ${now}::timestamptz + case when r.cause in ('owner', 'buyer', 'customer', 'mapping') then interval '0' else interval '1 minute' end
      from (${rows}) r
     order by r.identity
    on conflict (reseller_id, identity) do update
       set file_id = excluded.file_id, ordinal = excluded.ordinal, line = excluded.line, cause = excluded.cause,
           reason = excluded.reason, missing = excluded.missing,
           record = coalesce(excluded.record, quarantine_entry.record), next_try_at = excluded.next_try_at`);

/** What an entry about a file as a whole is known by, as a UUID. @param digest sha256 of the file */
export const identityOfFile = (digest: Buffer): string =>
  createHash('sha256').update('file').update(digest).digest('hex').slice(0, 32);

/** Says in the temporary table `usage_retry` which entry stands on which line. */
export async function listRetried(tx: Tx, rows: readonly RetriedRow[]): Promise<void> {
  await tx.execute(sql`drop table if exists usage_retry`);
  await tx.execute(sql`
    create temporary table usage_retry as
    select line, "entryId" as entry_id, ordinal
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line bigint, "entryId" uuid, ordinal int)`);
  await tx.execute(sql`create unique index on usage_retry (line)`);
  await tx.execute(sql`analyze usage_retry`);
}

/**
 * Takes the entries of this slice out of the quarantine, in the transaction that books them. One that is no longer there
 * was booked by another import meanwhile, perhaps with newer content, or dropped: its row is left out.
 */
export const takeFromQuarantine = (tx: Tx): Promise<number> =>
  tx.execute(sql`
    with mine as (
      delete from quarantine_entry q using usage_retry t, usage_incoming i
       where q.id = t.entry_id and t.line = i.line returning t.line)
    delete from usage_incoming i where not exists (select 1 from mine where mine.line = i.line)`);

/** Takes out of the quarantine what goes in by this slice, whatever file it came with. */
export const settleKnown = (tx: Tx, resellerId: number): Promise<number> =>
  tx.execute(sql`
    delete from quarantine_entry q using usage_incoming i
     where q.reseller_id = ${resellerId} and q.identity = i.id`);

/** After a try: what went in, or was in already, is settled; the others say why they still wait. */
export async function settleRetried(tx: Tx, end: RunEnd, now: Date): Promise<void> {
  const [fault] = end.listed;
  const closed = JSON.stringify(end.listed.filter(({ identity }) => identity !== undefined));
  const failed =
    end.state === 'failed'
      ? sql`select line, 'mapping' as cause, ${fault?.reason ?? ''} as reason, '{}'::text[] as missing from usage_retry`
      : sql`
          select line::bigint, cause, reason, missing from usage_aside
          union all
          select line, cause, reason, '{}'::text[] from jsonb_to_recordset(${closed}::jsonb)
              as c(line bigint, cause text, reason text)`;
  await tx.execute(sql`
    update quarantine_entry q
       set cause = f.cause, reason = f.reason, missing = f.missing, tries = tries + 1, tried_at = ${now},
           next_try_at = ${nextTry(now)}
      from usage_retry t join (${failed}) f on f.line = t.line
     where q.id = t.entry_id`);
  await tx.execute(sql`
    delete from quarantine_entry q using usage_retry t
     where q.id = t.entry_id and not exists (select 1 from (${failed}) f where f.line = t.line)`);
}
