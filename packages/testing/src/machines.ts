import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** What makes a database the product's. Each gets its address. */
export interface SchemaSteps {
  /** Brings the schema into it. */
  migrate(url: string): Promise<unknown>;
  /** Spreads the tables over the machines of a Citus cluster. */
  distribute(url: string): Promise<unknown>;
}

/** A database on every machine of a Citus cluster that can be cloned on each of them. */
export interface ClusterTemplate {
  /** Addresses of coordinator and workers, the coordinator's first. */
  readonly machines: readonly string[];
  readonly template: string;
  drop(): Promise<void>;
}

/**
 * Makes a database with the product's schema, spread over a cluster. A clone of it on each machine is a database of the
 * cluster too: machines know each other by host and port, and a database by its name.
 * @param coordinator address of a database in which the workers are registered, as an administrator
 */
export async function makeClusterTemplate(
  coordinator: string,
  { migrate, distribute }: SchemaSteps,
): Promise<ClusterTemplate> {
  const machines = await machinesOf(coordinator);
  const template = `counterfoil_template_${randomBytes(4).toString('hex')}`;
  for (const machine of machines) {
    await runAt(machine, `create database ${template}`);
    await runAt(inDatabase(machine, template), 'create extension citus');
  }
  const url = inDatabase(machines[0] as string, template);
  await runAt(
    url,
    ...machines.map((machine, index) => {
      const { hostname, port } = new URL(machine);
      return index === 0
        ? `select citus_set_coordinator_host('${hostname}', ${port || 5432})`
        : `select citus_add_node('${hostname}', ${port || 5432})`;
    }),
  );
  await migrate(url);
  await distribute(url);
  for (const machine of machines) {
    await runAt(
      machine,
      `alter database ${template} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
    );
  }
  return { machines, template, drop: () => dropAt(machines, template) };
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
  for (const machine of machines) await runAt(machine, `drop database if exists ${name} with (force)`);
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

/** @returns rows of the last statement */
async function runAt(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
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
