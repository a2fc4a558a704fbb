import { clusterUrl } from '../packages/testing/src/machines.ts';
import { comparePages } from './citus/pages.ts';
import { rebalance } from './citus/rebalance.ts';
import { print } from './citus/report.ts';
import { sumAll } from './citus/sums.ts';
import { openCluster } from './citus/world.ts';
import { p50 } from './usage/pages/measure.ts';
import { grouped, ms, say } from './usage/report.ts';

/**
 * Usage on a Citus cluster, whose coordinator CITUS_URL names as for the tests, beside the same records in a database of the
 * coordinator's own PostgreSQL: 1 million records (or USAGE_RECORDS). The cluster begins with its first worker; the others take
 * their share while somebody reads. Then sums over all customers by one worker and by all, and each list of `bench -- usage`:
 * the same rows, and how long they take. Both are made anew each time and dropped.
 */
const records = Number(process.env['USAGE_RECORDS'] || 1_000_000);
const coordinator = clusterUrl();

if (coordinator === undefined) {
  say('CITUS_URL names no coordinator: left out');
} else {
  const { one, cluster, stop } = await openCluster(coordinator, records);
  try {
    const alone = await sumAll(one.url);
    const byOne = await sumAll(cluster.url);
    await rebalance(cluster);
    const byAll = await sumAll(cluster.url);
    say(
      `sums of ${grouped(records)} records: one node ${ms(p50(alone))} ms, one worker ${ms(p50(byOne))}, all ${ms(p50(byAll))}`,
    );
    print({
      figure: 'sums over all customers, by all workers against one',
      value: p50(byOne) / p50(byAll),
      unit: 'times as fast',
      limit: 2,
    });
    await comparePages(one, cluster);
  } finally {
    await stop();
  }
}
