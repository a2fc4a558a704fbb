import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import type { Db } from '../../db/database.ts';
import { readMigrations } from '../../db/migrate.ts';
import { readRowSecurity } from '../../db/row-security/set-up.ts';
import { sql } from '../../db/sql.ts';
import { MONTHS_AHEAD, monthsMissingAhead } from '../../features/usage/months/months.ts';
import { readWorkers } from '../../jobs/presence.ts';
import { type KeyStand, readKeyStand } from '../../key-check.ts';
import type { Runtime } from '../../runtime.ts';
import { databaseTlsFinding } from '../doctor/doctor-transport.ts';
import type { Finding } from '../doctor/finding.ts';
import { type Check, EVERYTHING } from './check.ts';
import { poolerFinding } from './pooler.ts';

const OLDEST = 150_000;

interface Server {
  readonly version: string;
  readonly number: string;
  readonly encoding: string;
  readonly read_only: string;
  readonly role: string;
  readonly bytes: bigint;
  readonly may_make_tables: boolean;
  readonly may_make_queue: boolean;
}

/** Whether this server and this role will do; before the schema is touched. */
export const serverChecks: readonly Check<Runtime>[] = [
  { stops: EVERYTHING, look: ({ databases }) => server(databases.web) },
  { stops: EVERYTHING, look: pooler },
  {
    stops: [],
    look: async ({ databases, databaseUrl }) => [await databaseTlsFinding(databases.web, databaseUrl)],
  },
];

/** What is in it, once its schema is up to date. */
export const contentChecks: readonly Check<Runtime>[] = [
  { stops: [], look: key },
  { stops: [], look: async (runtime) => [await rowSecurity(runtime)] },
  { stops: [], look: async (runtime) => [await months(runtime)] },
  { stops: [], look: async ({ databases }) => [await worker(databases.web)] },
];

/** Our own server has none before it. */
async function pooler({ config }: Runtime): Promise<readonly Finding[]> {
  const finding = config.databaseUrl === undefined ? undefined : await poolerFinding(config.databaseUrl);
  return finding === undefined ? [] : [finding];
}

async function server(db: Db): Promise<readonly Finding[]> {
  const found = await db.one<Server>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
           current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as read_only,
           current_user::text as role, pg_database_size(current_database()) as bytes,
           coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_make_tables,
           to_regnamespace('graphile_worker') is not null
             or has_database_privilege(current_database(), 'create') as may_make_queue`);
  const what = 'database';
  const is = 'fault' as const;
  if (Number(found.number) < OLDEST) {
    const text = `PostgreSQL ${found.version} is too old: 15 or later is needed`;
    return [{ what, is, found: text, remedy: 'name a newer server in DATABASE_URL' }];
  }
  if (found.encoding !== 'UTF8') {
    const text = `the database has the encoding ${found.encoding}, not UTF8`;
    const remedy =
      "make one with 'createdb --encoding=UTF8 --template=template0' and name it in DATABASE_URL";
    return [{ what, is, found: text, remedy }];
  }
  if (found.read_only === 'on') {
    const text = 'the database takes no changes: it is a standby, or read-only by default';
    return [{ what, is, found: text, remedy: 'name the primary in DATABASE_URL' }];
  }
  const version = `PostgreSQL ${found.version}, ${formatBytes(found.bytes)}`;
  return [{ what, is: 'ok', found: version }, rights(found)];
}

function rights({ role, may_make_tables, may_make_queue }: Server): Finding {
  const what = 'database rights';
  if (may_make_tables && may_make_queue) return { what, is: 'ok', found: `${role} may make what is needed` };
  const place = may_make_tables ? 'a schema in the database' : 'tables in its schema';
  return {
    what,
    is: 'fault',
    found: `the role ${role} of DATABASE_URL may not make ${place}`,
    remedy: `let it own the database: 'alter database … owner to ${role}'`,
  };
}

/** The schema of the tables, and that of the job queue, which a library brings. */
export async function schemaFindings(db: Db): Promise<readonly Finding[]> {
  const about = await db.one<{ migrated: boolean; has_queue: boolean }>(sql`
    select to_regclass('schema_migration') is not null as migrated,
           to_regclass('graphile_worker.jobs') is not null as has_queue`);
  const current = about.migrated
    ? (await db.one<{ v: number }>(sql`select coalesce(max(version), 0)::int as v from schema_migration`)).v
    : 0;
  const newest = (await readMigrations()).length;
  const remedy = "'counterfoil migrate' brings it up to date, as every start does";
  const schema = { what: 'schema', found: `${current} of ${newest}` };
  const queue = { what: 'job queue' };
  return [
    current === newest
      ? { ...schema, is: 'ok' }
      : { ...schema, is: 'fault', remedy: current < newest ? remedy : 'install the newer version' },
    about.has_queue
      ? { ...queue, is: 'ok', found: 'its schema is there' }
      : { ...queue, is: 'fault', found: 'the schema graphile_worker is missing', remedy },
  ];
}

/** What is said of the key. Without a setting it is the one in `DATA_DIR`. */
export function keyFinding(stand: KeyStand, { config }: Pick<Runtime, 'config'>): Finding {
  const name = config.secretKey === undefined ? `SECRET_KEY (${config.dataDir}/secret.key)` : 'SECRET_KEY';
  const what = 'SECRET_KEY';
  if (stand === 'fits') return { what, is: 'ok', found: 'the key of this database' };
  if (stand === 'absent')
    return { what, is: 'ok', found: 'nothing is sealed yet; the next start keeps which key it was' };
  return {
    what,
    is: 'fault',
    found: `${name} is not the key that this database was made with`,
    remedy: 'start with that one: gateway keys, pay links and second factors open with no other',
  };
}

async function key(runtime: Runtime): Promise<readonly Finding[]> {
  const found = keyFinding(await readKeyStand(runtime.databases.web, runtime.secrets), runtime);
  if (runtime.secrets.fallbackCheck === undefined) return [found];
  const second: Finding = {
    what: 'SECRET_KEY_FALLBACK',
    is: 'warning',
    found: 'a second key opens what is sealed',
    remedy: "finish the change of keys by 'counterfoil keys rotate', then take the setting away",
  };
  return [found, second];
}

async function rowSecurity({ config, databases }: Runtime): Promise<Finding> {
  const what = 'row-level security';
  if (config.rowSecurity === 'off') return { what, is: 'ok', found: 'off by DATABASE_ROW_SECURITY' };
  const security = await readRowSecurity(databases.web);
  if (security.is === 'on')
    return { what, is: 'ok', found: 'the database keeps rows to their customer, too' };
  return {
    what,
    is: config.rowSecurity === 'required' ? 'fault' : 'warning',
    found: `off: ${security.why}`,
    remedy: "the next start sets it up where it may; see 'Row-level security' in docs/operations.md",
  };
}

async function months({ databases, clock }: Runtime): Promise<Finding> {
  const missing = await monthsMissingAhead(databases.web, clock.now());
  const what = 'months ahead';
  if (missing.length === 0) return { what, is: 'ok', found: `${MONTHS_AHEAD} can take usage records` };
  const named = missing.map((month) => month.slice(0, 7)).join(', ');
  return {
    what,
    is: 'warning',
    found: `not made: ${named}`,
    remedy: "'serve' and 'work' make them; their log says why not",
  };
}

async function worker(db: Db): Promise<Finding> {
  const { alive, waiting } = await readWorkers(db);
  const what = 'worker';
  if (alive) return { what, is: 'ok', found: `lives${waiting === 0 ? '' : `; ${waiting} jobs wait`}` };
  return {
    what,
    is: 'warning',
    found: `none lives: no mails, reports and finding out about payments; ${waiting} jobs wait`,
    remedy: "'counterfoil work' (or 'npm start') runs one",
  };
}
