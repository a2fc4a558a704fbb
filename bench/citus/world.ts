import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { childEnv } from '../../packages/testing/src/child-env.ts';
import { dropAt, inDatabase, makeClusterDatabase, runAt } from '../../packages/testing/src/machines.ts';
import { nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { keepDerived, type UsageData } from '../usage/data/open.ts';
import { fillDatabase, monthsUntil } from '../usage/data/prepare.ts';
import { EMAIL, PASSWORD, RESELLER } from '../usage/data/write-world.ts';
import { SECRET_KEY } from '../usage/product.ts';
import { say } from '../usage/report.ts';

/** The same records on one node and on a cluster. */
export interface TwoWorlds {
  readonly one: UsageData;
  /** On its first worker alone. */
  readonly cluster: UsageData;
  stop(): Promise<void>;
}

/** Makes both. @param coordinator as CITUS_URL */
export async function openCluster(coordinator: string, records: number): Promise<TwoWorlds> {
  const months = monthsUntil(new Date());
  const fill = (url: string) => fillDatabase(url, records, months, () => undefined);
  const name = `counterfoil_one_${randomBytes(4).toString('hex')}`;
  const ends = [() => dropAt([coordinator], name)];
  const stop = async () => {
    for (const end of ends) await end();
  };
  await runAt(coordinator, `create database ${name}`);
  try {
    const url = inDatabase(coordinator, name);
    say(`making ${records} records on one node`);
    await fill(url);
    await keepDerived(url, say);
    say('making them on the cluster');
    const made = await makeClusterDatabase(coordinator, { migrate: fill, distribute });
    ends.unshift(made.drop);
    await keepDerived(made.url, say);
    const facts = { dataDir: '', records, months, resellerId: RESELLER, email: EMAIL, password: PASSWORD };
    return { one: { ...facts, url, stop }, cluster: { ...facts, url: made.url, stop }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Spreads the tables as an operator does, over the first worker alone. */
async function distribute(url: string): Promise<void> {
  await runAt(
    url,
    `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false)
       from (select * from pg_dist_node where groupid <> 0 and noderole = 'primary' order by nodeid offset 1) others`,
  );
  const begun = performance.now();
  await promisify(execFile)(process.execPath, [...nodeFlags, serverProgram(root), 'db', 'distribute'], {
    cwd: root,
    env: { ...childEnv(), DATABASE_URL: url, SECRET_KEY, DEMO: '0' },
  });
  say(`spread in ${Math.round((performance.now() - begun) / 1000)} s`);
  await runAt(url, 'analyze');
}
