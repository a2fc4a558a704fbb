import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAccount } from '@counterfoil/postgres/account.ts';
import { testCertificate } from '@counterfoil/testing/certificate.ts';
import { freePort } from '@counterfoil/testing/ports.ts';
import { type BadWorld, DISK, EMBEDDED, file, type Place } from './bad-worlds.ts';

const KEY = (letter: string) => letter.repeat(32);
/** A role of its own. @param options as CREATE ROLE takes them */
async function role(place: Place, name: string, options = 'login'): Promise<string> {
  const pool = place.database.pool();
  await pool.query(`create role ${name} password 'right' ${options}`);
  place.after(async () => {
    await pool.query(`drop owned by ${name}`);
    await pool.query(`drop role ${name}`);
  });
  return place.address({ role: name });
}

/** A database of one's own. */
export const badDatabases: readonly BadWorld[] = [
  {
    name: 'host of the database unknown',
    command: 'serve',
    says: /^the host db\.invalid of DATABASE_URL is not known here \(E\w+\); correct the name/,
    make: () => ({ DATABASE_URL: 'postgres://u:p@db.invalid/x', DATABASE_TLS: 'off' }),
  },
  {
    name: 'nothing listens there',
    command: 'work',
    says: /^the database of DATABASE_URL cannot be reached \(ECONNREFUSED \S+\); start it/,
    make: async () => ({ DATABASE_URL: `postgres://u:p@127.0.0.1:${await freePort()}/x` }),
  },
  {
    name: 'wrong password',
    command: 'serve',
    says: /^the database refuses the password of DATABASE_URL; correct it there/,
    async make(place) {
      const url = new URL(await role(place, 'bad_password'));
      url.password = 'wrong';
      return { DATABASE_URL: url.href };
    },
  },
  {
    name: 'role that is not let in',
    command: 'serve',
    says: /^the database does not let the role of DATABASE_URL in \(.*bad_entry.*\); allow it in pg_hba\.conf/,
    make: async (place) => ({ DATABASE_URL: await role(place, 'bad_entry', 'nologin') }),
  },
  {
    name: 'database missing',
    command: 'start',
    says: /^the database that DATABASE_URL names is missing \(database "gone" does not exist\); make it/,
    make: ({ address }) => ({ DATABASE_URL: address({ database: 'gone' }) }),
  },
  {
    name: 'role that may not make tables',
    command: 'migrate',
    says: /^the role bad_rights of DATABASE_URL may not make tables in its schema; let it own the database/,
    make: async (place) => ({ DATABASE_URL: await role(place, 'bad_rights') }),
  },
  {
    name: "tables of another role's",
    command: 'serve',
    says: /^the role of DATABASE_URL lacks a right \(permission denied for table schema_migration\); let it own/,
    async make(place) {
      const DATABASE_URL = await role(place, 'bad_owner');
      await place.database.pool().query('grant create, usage on schema public to bad_owner');
      return { DATABASE_URL };
    },
  },
  {
    name: 'too many connections',
    command: 'serve',
    says: /^the database of DATABASE_URL takes no more connections; raise its max_connections/,
    make: async (place) => ({ DATABASE_URL: await role(place, 'bad_crowd', 'login connection limit 0') }),
  },
  {
    name: 'standby',
    command: 'work',
    says: /^the database takes no changes: it is a standby, .*; name the primary in DATABASE_URL$/,
    async make(place) {
      const DATABASE_URL = await role(place, 'bad_standby');
      await place.database.pool().query('alter role bad_standby set default_transaction_read_only = on');
      return { DATABASE_URL };
    },
  },
  {
    name: 'server too old',
    command: 'serve',
    says: /^PostgreSQL 14\.5 is too old: 15 or later is needed; name a newer server in DATABASE_URL$/,
    async make(place) {
      const DATABASE_URL = await role(place, 'bad_age');
      // A server of that age is not at hand: this one says it is.
      await place.database.pool().query(`
        create schema if not exists bad_age authorization bad_age;
        create function bad_age.current_setting(name text) returns text language sql as $$
          select case name when 'server_version' then '14.5' when 'server_version_num' then '140005'
                           else pg_catalog.current_setting(name) end $$;
        alter function bad_age.current_setting owner to bad_age;
        alter role bad_age set search_path = bad_age, pg_catalog, public`);
      return { DATABASE_URL };
    },
  },
  {
    name: 'encoding of the database',
    command: 'serve',
    says: /^the database has the encoding SQL_ASCII, not UTF8; make one with 'createdb --encoding=UTF8/,
    async make(place) {
      const pool = place.database.pool();
      await pool.query("create database bad_encoding encoding 'SQL_ASCII' locale 'C' template template0");
      place.after(() => pool.query('drop database bad_encoding with (force)'));
      return { DATABASE_URL: place.address({ database: 'bad_encoding' }) };
    },
  },
  {
    name: 'database of a newer program',
    command: 'serve',
    says: /^the database has schema 9999, this program knows \d+: install the newer version$/,
    async make({ database, after }) {
      await database.pool().query("insert into schema_migration values (9999, 'later', '')");
      after(() => database.pool().query('delete from schema_migration where version = 9999'));
      return {};
    },
  },
  {
    name: 'certificate file missing',
    command: 'serve',
    says: /^bad settings: sslrootcert in DATABASE_URL names a file that cannot be read: \/nowhere\/ca\.pem$/,
    make: ({ address }) => ({ DATABASE_URL: `${address({})}?sslrootcert=/nowhere/ca.pem` }),
  },
  {
    name: 'database without TLS',
    command: 'serve',
    says: /^the database offers no TLS, which DATABASE_URL demands; give it a certificate/,
    make: ({ address, folder }) => ({
      DATABASE_URL: `${address({})}?sslmode=verify-full&sslrootcert=${file(join(folder, 'ca.pem'), testCertificate.cert)}`,
    }),
  },
  ...['start', 'serve', 'work', 'user list', 'payments list', 'gateway list'].map(
    (command): BadWorld => ({
      name: `another SECRET_KEY: ${command}`,
      command,
      says: /^SECRET_KEY is not the key that this database was made with; start with that one: /,
      make: () => ({ SECRET_KEY: KEY('b') }),
    }),
  ),
];

/** The embedded database. */
export const badClusters: readonly BadWorld[] = [
  {
    name: 'cluster of another PostgreSQL',
    command: 'start',
    says: /^the database in \S+postgres \(DATA_DIR\) was made by PostgreSQL 9\.6, which is not the version that this program brings; run it/,
    make({ folder }) {
      const cluster = join(folder, 'postgres');
      mkdirSync(cluster, { mode: 0o700 });
      file(join(cluster, 'PG_VERSION'), '9.6\n');
      file(join(cluster, 'postgresql.conf'));
      file(join(folder, 'postgres.json'), JSON.stringify({ user: 'u', password: 'p', cluster, url: 'x' }));
      const account = databaseAccount();
      if (account !== undefined) {
        for (const name of ['', 'PG_VERSION', 'postgresql.conf'])
          chownSync(join(cluster, name), account.uid, account.gid);
      }
      return { ...EMBEDDED, DATA_DIR: folder };
    },
  },
  {
    name: "somebody else's files where the cluster goes",
    command: 'start',
    says: /^\S+postgres \(DATA_DIR\) is not empty and holds no database; empty it, or name another folder$/,
    make({ folder }) {
      mkdirSync(join(folder, 'postgres'));
      file(join(folder, 'postgres/precious'));
      return { ...EMBEDDED, DATA_DIR: folder };
    },
  },
  {
    name: 'disk full while the cluster is made',
    command: 'start',
    before: DISK('24m'),
    says: /^PostgreSQL did not start: No space left on device, the disk of \S+ \(DATA_DIR\) is full; make room there$/,
    make({ folder }) {
      mkdirSync(join(folder, 'disk'));
      return { ...EMBEDDED, DATA_DIR: join(folder, 'disk/data') };
    },
  },
  {
    name: 'no PostgreSQL for this platform',
    command: 'start',
    says: /^there is no embedded PostgreSQL for \w+-mips: set DATABASE_URL to a PostgreSQL 15 or later$/,
    make: ({ folder }) => ({
      ...EMBEDDED,
      DATA_DIR: join(folder, 'data'),
      // To the finder of PostgreSQL alone: there is no Node for such a machine.
      NODE_OPTIONS: `--import=data:text/javascript;base64,${btoa(
        "const { arch } = process; Object.defineProperty(process, 'arch', { get: () => (new Error().stack.includes('binaries.ts') ? 'mips' : arch) });",
      )}`,
    }),
  },
];
