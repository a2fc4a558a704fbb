import { AppError } from '../app-error.ts';
import type { Database } from '../db/database.ts';
import { sql, sqlOnce } from '../db/sql.ts';
import type { Clock } from '../deps.ts';
import type { Secrets } from '../secrets.ts';
import type { Limit } from './limits.ts';

/** One thing that is counted: what, and for whom. */
export interface Count {
  readonly limit: Limit;
  /** An address, a user name; only its keyed hash is kept. */
  readonly of: readonly string[];
}

/** All counts had room, or which had none and when the first try will. */
export type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly full: readonly Count[]; readonly retryAfterMs: number };

const KEY_BYTES = 16;

interface Row {
  readonly at: number;
  readonly is_taken: boolean;
  readonly wait_ms: number;
}

/**
 * Counts in the database, so that all processes agree, by the generic cell rate algorithm: a key has one moment
 * until which what it used is spent. Each use moves it on; one that would move it too far is refused.
 */
export class Limiter {
  readonly #db: Database;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor(deps: { readonly db: Database; readonly secrets: Secrets; readonly clock: Clock }) {
    this.#db = deps.db;
    this.#secrets = deps.secrets;
    this.#clock = deps.clock;
  }

  /**
   * Takes one try from each of the counts, or from none when one is used up. One statement; a refusal writes
   * nothing, so that an attack costs as little as can be.
   * @throws {DatabaseUnavailable}
   */
  async take(counts: readonly Count[]): Promise<Taken> {
    const now = this.#clock.now();
    // Of two takers at the same moment one may find that the other was faster; then the try of its other counts is
    // spent, which is a try too many and never one too few. Keys are locked in their order: nobody waits in a circle.
    const rows = await this.#db.many<Row>(sqlOnce`
      with asked as (
        select at::integer, key, cost_ms * interval '1 ms' as cost, room_ms * interval '1 ms' as room
          from unnest(${this.#keys(counts)}::bytea[], ${counts.map(costMs)}::float8[],
                      ${counts.map(({ limit }) => limit.withinMs)}::float8[])
               with ordinality as a(key, cost_ms, room_ms, at)
      ), seen as (
        select a.*, greatest(r.used_until, ${now}) as used_until
          from asked a left join rate_limit r on r.key = a.key
      ), taken as (
        insert into rate_limit as r (key, used_until)
        select key, ${now}::timestamptz + cost from seen
         where not exists (select 1 from seen where used_until + cost > ${now}::timestamptz + room)
         order by key
        on conflict (key) do update
           set used_until = greatest(r.used_until, ${now}) + (excluded.used_until - ${now}::timestamptz)
         where greatest(r.used_until, ${now}) + (excluded.used_until - ${now}::timestamptz)
               <= ${now}::timestamptz + (select room from asked where asked.key = excluded.key)
        returning key
      )
      select s.at, t.key is not null as is_taken,
             extract(epoch from s.used_until + s.cost - s.room - ${now}::timestamptz)::float8 * 1000 as wait_ms
        from seen s left join taken t on t.key = s.key`);
    if (rows.every((row) => row.is_taken)) return { ok: true };
    const full = rows.filter((row) => !row.is_taken && row.wait_ms > 0);
    return {
      ok: false,
      full: full.flatMap(({ at }) => counts[at - 1] ?? []),
      retryAfterMs: Math.max(1_000, ...full.map((row) => row.wait_ms)),
    };
  }

  /**
   * Gives back what {@link take} took, for a try that shall not count. Does not wait for the disk: where a crash of the
   * database loses it, the try has counted.
   */
  async release(counts: readonly Count[]): Promise<void> {
    await this.#db.many(sqlOnce`
      with held as (
        select r.key, a.cost_ms * interval '1 ms' as cost
          from rate_limit r
          join unnest(${this.#keys(counts)}::bytea[], ${counts.map(costMs)}::float8[]) as a(key, cost_ms)
            on a.key = r.key
         order by r.key for update of r
      )
      update rate_limit r set used_until = r.used_until - held.cost
        from held where held.key = r.key and set_config('synchronous_commit', 'off', true) is not null`);
  }

  /** As {@link take}. @throws {AppError} rate.limited, with Retry-After */
  async require(counts: readonly Count[]): Promise<void> {
    const taken = await this.take(counts);
    if (!taken.ok) throw tooMany(taken.retryAfterMs);
  }

  #keys(counts: readonly Count[]): Buffer[] {
    return counts.map(({ limit, of }) =>
      this.#secrets.digest([limit.name, ...of].join('\0'), 'rate-limit').subarray(0, KEY_BYTES),
    );
  }
}

/** How much of the time a try takes up. */
const costMs = ({ limit }: Count): number => limit.withinMs / limit.tries;

/** The refusal, which says when to come again. */
export function tooMany(retryAfterMs: number): AppError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const minutes = Math.ceil(seconds / 60);
  const when = seconds <= 60 ? 'in a minute' : `in ${minutes} minutes`;
  return new AppError('rate.limited', {
    text: `Too many tries. Please try again ${when}`,
    headers: { 'retry-after': String(seconds) },
  });
}

/** Forgets keys whose tries are all free again. @returns how many */
export async function forgetFreeKeys(db: Database, now: Date): Promise<number> {
  const [row] = await db.many<{ count: number }>(sql`
    with gone as (delete from rate_limit where used_until < ${now} returning 1)
    select count(*)::integer as count from gone`);
  return row?.count ?? 0;
}
