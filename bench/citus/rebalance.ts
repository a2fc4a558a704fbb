import pg from 'pg';
import type { UsageData } from '../usage/data/open.ts';
import { makeWorld } from '../usage/data/world.ts';
import { pageCases, pathOf } from '../usage/pages/cases.ts';
import { sit } from '../usage/pages/measure.ts';
import { startProduct } from '../usage/product.ts';
import { say } from '../usage/report.ts';
import { print } from './report.ts';

/** Has workers that hold nothing take their share, while somebody reads pages; tells what was refused meanwhile. */
export async function rebalance(cluster: UsageData): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const product = await startProduct(cluster);
  const { connection, token } = await sit(product.port, await product.signIn());
  let isMoving = true;
  const answers = { read: 0, refused: 0, worst: 0 };
  const read = async () => {
    for (const page of endless(pageCases(makeWorld(), cluster.months))) {
      if (!isMoving) return;
      const { status, ms } = await connection.send({
        method: 'GET',
        path: pathOf(page, 1),
        ...(token === undefined ? {} : { token }),
      });
      answers.read += 1;
      answers.worst = Math.max(answers.worst, ms);
      if (status !== 200) answers.refused += 1;
    }
  };
  try {
    const reading = read();
    const begun = performance.now();
    await client.query(`
      select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', true)
        from pg_dist_node where groupid <> 0 and noderole = 'primary'`);
    // By size: one customer has a fifth of all records.
    await client.query("select rebalance_table_shards(rebalance_strategy => 'by_disk_size')");
    const seconds = Math.round((performance.now() - begun) / 1000);
    isMoving = false;
    await reading;
    const placed = await client.query<{ at: string; n: number }>(`
      select nodename || ':' || nodeport as at, count(*)::int as n from citus_shards
       where table_name = 'usage_day'::regclass group by 1 order by 1`);
    say(`${seconds} s to spread over ${placed.rows.map(({ at, n }) => `${at} (${n})`).join(', ')}`);
    say(`${answers.read} pages read meanwhile, the slowest in ${Math.round(answers.worst)} ms`);
    print({
      figure: 'pages answered while workers take their share',
      value: answers.read - answers.refused,
      unit: 'pages',
      limit: answers.read,
    });
  } finally {
    isMoving = false;
    connection.close();
    await product.stop();
    await client.end();
  }
}

function* endless<T>(values: readonly T[]): Generator<T> {
  for (;;) yield* values;
}
