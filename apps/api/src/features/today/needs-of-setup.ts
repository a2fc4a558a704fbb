import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listRounds } from '../installation/queries.ts';
import { stateOfRound } from '../installation/service.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import { type Needs, type PlainNeed, plainNeeds } from './needs.ts';

/** A key is to be rotated this long before it runs out. */
const KEY_AHEAD_MS = 14 * 86_400_000;
/** One that has run out is shown for so long. */
const KEY_AFTER_MS = 7 * 86_400_000;

/** API keys that run out soon, or have just done so. @param isWide those of the installation too */
export async function keyNeeds(db: Db, resellerId: number, isWide: boolean, now: Date): Promise<Needs> {
  const rows = await db.many<{ id: string; name: string; expires_at: Date; scopes: string[] }>(sql`
    select id, name, expires_at, scopes from api_key
     where (reseller_id = ${resellerId} or ${isWide}::boolean and reseller_id is null) and revoked_at is null
       and expires_at between ${new Date(now.getTime() - KEY_AFTER_MS)}
                          and ${new Date(now.getTime() + KEY_AHEAD_MS)}
     order by expires_at, name limit 100`);
  return plainNeeds(
    rows.map(({ id, name, expires_at: at, scopes }) => ({
      kind: at <= now ? 'keyExpired' : 'keyExpires',
      id,
      title: name,
      about: scopes.join(', '),
      at,
      path: '/admin/operators?tab=keys',
    })),
  );
}

/** The gateway that a reseller takes payments through, where it takes none. */
export async function gatewayNeeds(
  db: Db,
  accounts: Pick<GatewayAccounts, 'standingFor' | 'nameOf'>,
  resellerId: number,
  now: Date,
): Promise<Needs> {
  const row = await db.maybeOne<{
    id: string;
    gateway: string;
    set_at: Date | null;
    problem: string | null;
  }>(sql`
    select a.id, a.gateway, p.set_at, p.problem
      from gateway_account a left join payment_pause p on p.gateway_account_id = a.id
     where a.reseller_id = ${resellerId} and a.is_active`);
  if (row === undefined) return plainNeeds([]);
  const need = { id: row.id, title: accounts.nameOf(row.gateway), path: `/admin/gateways/${row.id}` };
  if (row.set_at !== null)
    return plainNeeds([{ ...need, kind: 'gatewayPaused', reason: row.problem, at: row.set_at }]);
  const standing = await accounts.standingFor(resellerId);
  return plainNeeds(standing === 'misconfigured' ? [{ ...need, kind: 'gatewayRefusesKeys', at: now }] : []);
}

/** Mails to customers are a group of their own. */
const isMail = sql`exists (select 1 from mail m where m.job_id = j.id::text and m.operator_id is null)`;
/** A job that has failed once or twice is tried again before anybody would look. */
const FAILED_OFTEN = 3;

/** Jobs of the queue and background rounds that fail, of the whole installation. */
export async function jobNeeds(db: Db, now: Date): Promise<Needs> {
  const jobs = await db.many<{ task: string; count: number; at: Date; reason: string | null }>(sql`
    select t.identifier as task, count(*)::int as count, min(j.created_at) as at, min(j.last_error) as reason
      from (select * from graphile_worker._private_jobs j
             where last_error is not null and attempts >= ${FAILED_OFTEN} and not ${isMail} limit 1000) as j
      join graphile_worker._private_tasks t on t.id = j.task_id
     group by t.identifier order by 2 desc, 1`);
  const rounds = (await listRounds(db)).filter((row) =>
    ['failing', 'overdue'].includes(stateOfRound(row, now)),
  );
  const all: readonly PlainNeed[] = [
    ...jobs.map(({ task, count, at, reason }) => ({
      kind: 'jobsFailing' as const,
      id: `job ${task}`,
      title: task,
      reason: reason?.slice(0, 300) ?? null,
      count,
      at,
      path: '/admin/jobs',
    })),
    ...rounds.map(({ name, ok_at, failed_at, problem }) => ({
      kind: 'roundFailing' as const,
      id: `round ${name}`,
      title: name,
      reason: problem,
      at: ok_at ?? failed_at ?? now,
      path: '/admin/jobs',
    })),
  ];
  return plainNeeds(all);
}
