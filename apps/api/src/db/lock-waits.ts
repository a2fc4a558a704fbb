import type { Tx } from './database.ts';
import { sql } from './sql.ts';

/**
 * From now on a statement of this transaction that waits for a lock gives up after that time, on each machine of a cluster too: to
 * Citus a setting is its own, unless it is told to hand it on. To a PostgreSQL without Citus the name says nothing.
 * @param within as PostgreSQL writes times, such as '2s'
 */
export async function limitLockWaits(tx: Tx, within: string): Promise<void> {
  await tx.execute(sql`set local citus.propagate_set_commands = 'local'`);
  await tx.execute(sql`set local lock_timeout = ${sql.lit(within)}`);
}
