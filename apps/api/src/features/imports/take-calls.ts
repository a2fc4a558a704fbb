import { pipeline } from 'node:stream/promises';
import { localToInstant } from '@counterfoil/domain/dates.ts';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { dispositions, type ImportedCallRecord, type RejectedLine, readAsterisk } from './asterisk.ts';
import { CallOwners, ensureVoiceService, type VoiceService } from './call-owners.ts';
import { Rejections } from './rejections.ts';
import { createIncoming, incomingColumns, type MergeCounts, mergeIncoming } from './usage-merge.ts';
import { ensureMonths, type MonthState } from './usage-months.ts';
import type { Target } from './whose.ts';

export interface TakenCalls extends MergeCounts {
  readonly rejected: Rejections;
}

export interface CallOptions {
  readonly target: Target;
  /** Zone of the exchange's clock; undefined: that of each customer's brand. */
  readonly timeZone: string | undefined;
  readonly now: Date;
}

/** No exchange recorded calls before; a clock that was never set did. */
const earliest = new Date('2000-01-01T00:00:00Z');
const dayMs = 86_400_000;

/**
 * Takes the call records of one file, all in the caller's transaction: staged by COPY, merged set by set. The same
 * or an overlapping file adds nothing.
 * @param db makes new months, in transactions of their own
 * @param bytes the file
 */
export async function takeCalls(
  db: Database,
  tx: Tx,
  bytes: AsyncIterable<Uint8Array>,
  { target, timeZone, now }: CallOptions,
): Promise<TakenCalls> {
  await createIncoming(tx);
  await createStaged(tx);
  const voice = await ensureVoiceService(tx, target.resellerId, now);
  const owners = new CallOwners(tx, target, voice, timeZone, now);
  const rejected = new Rejections();
  for await (const batch of readAsterisk(bytes)) {
    rejected.add(batch.rejected);
    await owners.prepare(batch.records);
    const lines: string[] = [];
    for (const record of batch.records) {
      const line = await stagedLine(record, owners, voice, now);
      if (typeof line === 'string') lines.push(line);
      else rejected.add([line]);
    }
    await copyStaged(tx, lines);
  }
  await identify(tx);
  const states = await ensureMonths(db, await stagedMonths(tx));
  const closed = await setClosedAside(tx, states);
  rejected.add(closed.rejected);
  const counts = await mergeIncoming(tx);
  return { ...counts, unchanged: counts.unchanged + closed.unchanged, rejected };
}

const createStaged = (tx: Tx) =>
  tx.execute(sql`
    create temporary table usage_staged (
      line bigint not null, row_hash bytea not null, customer_id uuid not null, started_at timestamptz not null,
      agreement_id uuid not null, record_type_id uuid not null, service_item_id uuid not null,
      service_item2 text not null, service_item3 text not null, units numeric(18,6) not null,
      content_hash bigint not null
    ) on commit drop`);

/** One line of COPY's text form, or why the record has no place. */
async function stagedLine(
  record: ImportedCallRecord,
  owners: CallOwners,
  voice: VoiceService,
  now: Date,
): Promise<string | RejectedLine> {
  const owner = await owners.ownerOf(record);
  if (owner === null) return { line: record.line, reason: nobodyKnown(record) };
  const startedAt = localToInstant(record.startedAt, owner.timeZone);
  if (startedAt < earliest || startedAt.getTime() > now.getTime() + dayMs) {
    return {
      line: record.line,
      reason: `column 10 (start): ${record.startedAt} is not a likely time for a call`,
    };
  }
  const columns = [
    `${record.line}`,
    `\\x${record.rowHash.toString('hex')}`,
    owner.customerId,
    startedAt.toISOString(),
    owner.agreementId,
    voice.recordTypes.get(dispositions[record.disposition].code) ?? '',
    owner.serviceItemId,
    record.destination,
    record.context,
    `${record.billedSeconds}`,
    `${record.rowHash.readBigInt64BE(0)}`,
  ];
  return `${columns.map(escaped).join('\t')}\n`;
}

function nobodyKnown({ accountCode, source, destination }: ImportedCallRecord): string {
  const code = accountCode === '' ? '' : `account code '${accountCode}', `;
  return `nobody is known by ${code}line '${source}' or line '${destination}'`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);

async function copyStaged(tx: Tx, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await pipeline([lines.join('')], tx.client.query(copyFrom('copy usage_staged from stdin')));
}

/** A row's id: its hash and its ordinal among identical rows of the file, so that honest repeats stay. */
const identify = (tx: Tx) =>
  tx.execute(sql`
    insert into usage_incoming (${incomingColumns}, line)
    select customer_id, started_at,
           encode(substring(sha256(row_hash || int4send(row_number() over (partition by row_hash order by line)::int))
                            from 1 for 16), 'hex')::uuid,
           agreement_id, record_type_id, service_item_id, service_item2, service_item3, units, 0, false, content_hash, line
      from usage_staged`);

async function stagedMonths(tx: Tx): Promise<readonly string[]> {
  const rows = await tx.many<{ month: string }>(sql`
    select distinct to_char(started_at at time zone 'UTC', 'YYYY-MM-01') as month from usage_staged`);
  return rows.map((row) => row.month);
}

/** Closed and archived months take nothing new; what they have already is known. */
async function setClosedAside(
  tx: Tx,
  states: ReadonlyMap<string, MonthState>,
): Promise<{ readonly unchanged: number; readonly rejected: readonly RejectedLine[] }> {
  const closed = [...states].flatMap(([month, state]) => (state === 'open' ? [] : [month]));
  if (closed.length === 0) return { unchanged: 0, rejected: [] };
  const unchanged = await tx.execute(sql`
    delete from usage_incoming i using usage_record r
     where r.customer_id = i.customer_id and r.started_at = i.started_at and r.id = i.id
       and r.content_hash = i.content_hash
       and to_char(i.started_at at time zone 'UTC', 'YYYY-MM-01') = any(${closed}::text[])`);
  const rows = await tx.many<{ line: bigint; month: string }>(sql`
    delete from usage_incoming where to_char(started_at at time zone 'UTC', 'YYYY-MM-01') = any(${closed}::text[])
    returning line, to_char(started_at at time zone 'UTC', 'YYYY-MM-01') as month`);
  const rejected = rows.map(({ line, month }) => ({
    line: Number(line),
    reason: `month ${states.get(month) ?? 'closed'}: ${month.slice(0, 7)} takes no more records`,
  }));
  return { unchanged, rejected };
}
