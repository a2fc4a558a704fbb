import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { copyOut } from '../db/copy/copy-out.ts';
import { sqlState } from '../db/database.ts';
import { quoted } from './tables.ts';

/** The moment of a cluster could not be had; the message says why and what to do. */
export class MomentRefused extends Error {
  override readonly name = 'MomentRefused';
}

/** Commits in two steps that are under way have ended by then. */
const WAIT_WITHIN = '300ms';
const TRIES = 400;
const PAUSE_MS = 75;
const LOCK_NOT_AVAILABLE = '55P03';
const INSUFFICIENT_PRIVILEGE = '42501';

/** One connection to each machine, so that all of a machine's rows are read in one transaction, which has one snapshot. */
const ONE_CONNECTION_EACH = `
  set local citus.multi_shard_modify_mode = 'sequential'; set local citus.max_adaptive_executor_pool_size = 1`;

/** Whether tables are spread over the machines of a Citus cluster. */
export async function isSpread(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('pg_catalog.pg_dist_partition') as known");
  if (rows[0]?.known === null) return false;
  return (await client.query('select from pg_dist_partition limit 1')).rows.length > 0;
}

/**
 * Runs the first statements of a transaction so that its snapshots of all machines of a Citus cluster are of one moment: nothing that
 * concerns two machines is committed meanwhile. What commits in two steps writes `pg_dist_transaction` in between, and what a worker's
 * rows go together with at the coordinator lies in tables that are the coordinator's own; both are held for the milliseconds that the
 * snapshots take. What concerns one worker alone goes on.
 * @param client in a transaction, repeatable read, of which nothing was read yet
 * @param url the coordinator's address
 * @param begin the first statements, which look at rows
 * @throws {MomentRefused} where the role may not, or somebody writes without an end
 */
export async function atOneMoment<T>(
  client: pg.ClientBase,
  url: string,
  begin: () => Promise<T>,
): Promise<T> {
  await client.query(ONE_CONNECTION_EACH);
  const holder = new pg.Client({ connectionString: url, application_name: 'counterfoil backup' });
  holder.on('error', () => undefined);
  await holder.connect();
  try {
    await holdCommits(holder);
    const begun = await begin();
    await lookAtEach(client);
    return begun;
  } finally {
    await holder.end();
  }
}

/** Locks are taken at the coordinator alone, through which every statement comes, and not handed on to the workers. */
const BEGIN_HOLDING = `
  begin; set local lock_timeout = '${WAIT_WITHIN}'; set local citus.enable_ddl_propagation = off`;

/**
 * Tables of the coordinator's own first (of which Citus keeps those with keys into tables that each machine has whole): who has written
 * one may need the other to commit, and never the other way round. None of them is waited for while others are held: a payment that waits
 * for one of these and has written the next would be taken for a deadlock, and ended. A moment in which nobody writes comes soon.
 */
async function holdCommits(holder: pg.Client): Promise<void> {
  const { rows } = await holder.query<{ schema: string; name: string }>(
    `select n.nspname::text as schema, c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r'
        and c.oid not in (select logicalrelid from pg_dist_partition where partmethod <> 'n' or repmodel = 't')
      order by 1, 2`,
  );
  for (let tries = 1; ; tries += 1) {
    try {
      await holder.query(BEGIN_HOLDING);
      await holder.query(`lock table ${rows.map(quoted).join(', ')} in share mode nowait`);
      await holder.query('lock table pg_catalog.pg_dist_transaction in exclusive mode');
      return;
    } catch (error) {
      const code = sqlState(error)?.code;
      if (code === INSUFFICIENT_PRIVILEGE)
        throw new MomentRefused(
          "a backup of a cluster holds what is committed on several machines for a moment, which the role may not: as an administrator run 'grant update on pg_catalog.pg_dist_transaction to <role>' at the coordinator",
          { cause: error },
        );
      if (code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES)
        throw new MomentRefused(
          'somebody was writing at each of many tries, so there was no moment of all machines; run it again when less goes on',
          { cause: error },
        );
      await holder.query('rollback');
      await sleep(PAUSE_MS);
    }
  }
}

/** The first look at a machine's rows takes its snapshot. The tables that each machine has whole are read like this, maybe from another one. */
async function lookAtEach(client: pg.ClientBase): Promise<void> {
  await client.query('select 1 from public.customer limit 1');
  for await (const _ of copyOut(client, 'copy public.key_check to stdout'));
}
