import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import { endpointsInTrouble } from '../webhook-endpoints/queries.ts';
import { LISTED, type Needs, plainNeeds } from './needs.ts';

/** A mail that fails is tried again by itself; for so long that is nobody's business. */
const MAIL_WAITS_MS = 60 * 60_000;
/** The same of an event of a gateway. */
const EVENT_WAITS_MS = 10 * 60_000;
/** The same of an endpoint of webhooks. */
const ENDPOINT_WAITS_MS = 60 * 60_000;
/** Enough to see how many; counting more would cost more than it tells. */
const COUNTED = 10_000;

interface GroupRow {
  title: string;
  reason: string | null;
  count: number;
  at: Date;
}

/** Rows of imports that wait in quarantine, by file and cause, most first. */
export async function quarantineNeeds(db: Db, resellerId: number): Promise<Needs> {
  const rows = await db.many<GroupRow & { file_id: string; total: number }>(sql`
    select f.name as title, g.cause as reason, g.count, g.at, g.file_id, g.total
      from (select file_id, cause, count(*)::int as count, min(first_seen_at) as at,
                   count(*) over ()::int as total
              from (select file_id, cause, first_seen_at from quarantine_entry
                     where reseller_id = ${resellerId} limit ${COUNTED}) as q
             group by file_id, cause order by count(*) desc, min(first_seen_at) limit ${LISTED}) as g
      join import_file f on f.id = g.file_id order by g.count desc, g.at`);
  const needs = rows.map(({ title, reason, count, at, file_id: file }) => ({
    kind: 'quarantinedRows' as const,
    id: `${file} ${reason}`,
    title,
    reason,
    count,
    at,
    path: `/admin/imports/${file}`,
  }));
  return plainNeeds(needs, rows[0]?.total ?? 0);
}

/** Mails that were not delivered, by what the mail server said, most first. */
export async function mailNeeds(db: Db, resellerId: number, now: Date): Promise<Needs> {
  const late = new Date(now.getTime() - MAIL_WAITS_MS);
  const rows = await db.many<GroupRow & { state: 'failing' | 'refused' }>(sql`
    select state, reason, count(*)::int as count, min(created_at) as at, min(address) as title
      from (select case when m.state = 'failing' then 'failing' else 'refused' end as state, m.created_at, m.address,
                   coalesce(m.tries -> -1 ->> 'reason', m.tries -> -2 ->> 'reason') as reason
              from mail m
             where m.reseller_id = ${resellerId} and m.operator_id is null
               and (m.state in ('refused', 'givenUp') or m.state = 'failing' and m.created_at < ${late})
             limit ${COUNTED}) as m
     group by state, reason order by 3 desc, 4`);
  const needs = rows.map(({ state, reason, count, at, title }) => ({
    kind: state === 'failing' ? ('mailsFailing' as const) : ('mailsRefused' as const),
    id: `${state} ${reason}`,
    title,
    reason,
    count,
    at,
    path: `/admin/mails?state=${state}`,
  }));
  return plainNeeds(needs);
}

/** Events of gateways that were given up, or that cannot be followed up for a while, by gateway. */
export async function eventNeeds(
  db: Db,
  accounts: Pick<GatewayAccounts, 'nameOf'>,
  resellerId: number,
  now: Date,
): Promise<Needs> {
  const late = new Date(now.getTime() - EVENT_WAITS_MS);
  const rows = await db.many<GroupRow & { id: string; state: 'needsReview' | 'failing' }>(sql`
    select g.id, g.gateway as title, e.*
      from gateway_account g
      cross join lateral (
        select 'needsReview' as state, count(*)::int as count, min(received_at) as at,
               substr(min(outcome), ${'person: '.length + 1}::int) as reason
          from (select received_at, outcome from inbox
                 where gateway_account_id = g.id and outcome like 'person: %' limit ${COUNTED}) as p
        union all
        select 'failing', count(*)::int, min(received_at), min(problem)
          from (select received_at, problem from inbox
                 where gateway_account_id = g.id and is_open and problem is not null and received_at < ${late}
                 limit ${COUNTED}) as o) as e
     where g.reseller_id = ${resellerId} and e.count > 0 order by e.count desc, e.at`);
  const needs = rows.map(({ id, state, title, reason, count, at }) => ({
    kind: state === 'failing' ? ('eventsFailing' as const) : ('eventsGivenUp' as const),
    id: `${id} ${state}`,
    title: accounts.nameOf(title),
    reason,
    count,
    at,
    path: `/admin/webhooks?state=${state}`,
  }));
  return plainNeeds(needs);
}

/** Endpoints of webhooks that have stopped by themselves, or fail for a while. */
export async function endpointNeeds(db: Db, resellerId: number, now: Date): Promise<Needs> {
  const rows = await endpointsInTrouble(db, resellerId, new Date(now.getTime() - ENDPOINT_WAITS_MS));
  const needs = rows.map((row) => ({
    kind: row.state_reason === null ? ('endpointFailing' as const) : ('endpointStopped' as const),
    id: row.id,
    title: new URL(row.url).host,
    reason: row.state_reason ?? row.last_problem,
    at: row.failing_since ?? row.updated_at,
    path: `/admin/webhooks/endpoints/${row.id}`,
  }));
  return plainNeeds(needs);
}
