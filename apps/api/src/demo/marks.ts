import { type Config, isLocal } from '../config.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { BadConfig } from '../settings/setting-reader.ts';

/** Whose resellers are in a database. */
export interface Marks {
  /** A demo world is there: resellers that say so. */
  readonly demo: boolean;
  /** Resellers that are nobody's demo, by number. */
  readonly others: readonly number[];
}

export async function readMarks(db: Db): Promise<Marks> {
  const rows = await db.many<{ id: number; is_demo: boolean }>(
    sql`select id, is_demo from reseller order by id`,
  );
  return {
    demo: rows.some((row) => row.is_demo),
    others: rows.filter((row) => !row.is_demo).map(({ id }) => id),
  };
}

/** Whether there is a demo world in this database. */
export const hasDemo = async (db: Db): Promise<boolean> => (await readMarks(db)).demo;

/**
 * Whether a command works on a demo. Where nothing is said the database decides, and beside a provider's own
 * resellers the place: on this machine alone `npm start` may be running as a demo still.
 */
export async function isDemo(
  db: Db,
  config: Pick<Config, 'demo' | 'databaseUrl' | 'publicUrl'>,
): Promise<boolean> {
  if (config.demo !== undefined) return config.demo;
  const { demo, others } = await readMarks(db);
  return demo && (others.length === 0 || isLocal(config));
}

const MOST_NAMED = 5;

/**
 * Lets a demo be only where nothing else is: users with a published password do not stand beside a provider's own, and
 * keys of a provider do not go to a sandbox.
 * @throws {BadConfig} in one line, where the database has resellers that are not the demo's
 */
export async function refuseBesideOthers(db: Db): Promise<void> {
  const { demo, others } = await readMarks(db);
  if (others.length === 0) return;
  const named = others.slice(0, MOST_NAMED).join(', ') + (others.length > MOST_NAMED ? ', …' : '');
  const remedy = demo
    ? "start with DEMO=0; 'counterfoil demo remove' takes the demo world out"
    : 'start with DEMO=0, or give the demo world another DATA_DIR';
  throw new BadConfig(
    `DEMO=1 is refused beside resellers that are not the demo's (${named}): ${remedy}. 'npm start' takes DEMO=1 where nothing is said`,
  );
}
