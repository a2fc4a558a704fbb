import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What makes a database the product's. Each gets its address. */
export interface SchemaSteps {
  /** Brings the schema into it. */
  migrate(url: string): Promise<unknown>;
  /** Spreads the tables over the machines of a Citus cluster. */
  distribute(url: string): Promise<unknown>;
}

/** Address of a Citus cluster's coordinator, as an administrator, in whose database the workers are registered; undefined: no cluster. */
export const clusterUrl = (): string | undefined => process.env['CITUS_URL'] || undefined;

/** A database with the product's schema on every machine of a Citus cluster. */
export interface ClusterDatabase {
  /** Addresses of coordinator and workers, the coordinator's first. */
  readonly machines: readonly string[];
  readonly name: string;
  /** Its address at the coordinator. */
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Makes a database with the product's schema, spread over a cluster.
 * @param coordinator as {@link clusterUrl}
 */
export async function makeClusterDatabase(
  coordinator: string,
  { migrate, distribute }: SchemaSteps,
): Promise<ClusterDatabase> {
  const machines = await machinesOf(coordinator);
  const name = `counterfoil_cluster_${randomBytes(4).toString('hex')}`;
  for (const machine of machines) {
    await runAt(machine, `create database ${name}`);
    await runAt(inDatabase(machine, name), 'create extension citus');
  }
  const url = inDatabase(machines[0] as string, name);
  await runAt(
    url,
    ...machines.map((machine, index) => {
      const { hostname, port } = new URL(machine);
      return index === 0
        ? `select citus_set_coordinator_host('${hostname}', ${port || 5432})`
        : `select citus_add_node('${hostname}', ${port || 5432})`;
    }),
  );
  const drop = () => dropAt(machines, name);
  try {
    await migrate(url);
    await distribute(url);
  } catch (error) {
    await drop();
    throw error;
  }
  return { machines, name, url, drop };
}

/**
 * The same as one that can be cloned on each machine. A clone is a database of the cluster too: machines know each other by host and
 * port, and a database by its name.
 */
export async function makeClusterTemplate(
  coordinator: string,
  schema: SchemaSteps,
): Promise<ClusterDatabase> {
  const made = await makeClusterDatabase(coordinator, schema);
  for (const machine of made.machines) {
    await runAt(
      machine,
      `alter database ${made.name} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${made.name}'`,
    );
  }
  return made;
}

async function machinesOf(coordinator: string): Promise<readonly string[]> {
  const workers = await runAt(
    coordinator,
    "select nodename, nodeport from pg_dist_node where groupid <> 0 and noderole = 'primary' order by nodeid",
  );
  return [
    coordinator,
    ...workers.map(({ nodename, nodeport }) => {
      const url = new URL(coordinator);
      url.hostname = String(nodename);
      url.port = String(nodeport);
      return url.href;
    }),
  ];
}

/** Drops a database on each machine, whoever is connected to it. */
export async function dropAt(machines: readonly string[], name: string): Promise<void> {
  const drop = `drop database if exists ${name} with (force)`;
  // What a machine does by itself, such as Citus’ own daemon, may connect once more in between.
  for (const machine of machines) await runAt(machine, drop).catch(() => runAt(machine, drop));
}

/** Clones a database on each machine. */
export async function cloneAt(machines: readonly string[], name: string, template: string): Promise<void> {
  for (const machine of machines)
    await runAt(machine, `create database ${name} template ${template} strategy wal_log`);
}

/** Address of another database of the same server. */
export function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a connection of their own. @returns rows of the last one */
export async function runAt(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
