import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { expect, it } from 'vitest';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { fixture, moneyOf, post, rows } from '../../fixtures/paying/pay-fixture.ts';
import { signedIn } from '../../fixtures/signed-in.ts';

const PEOPLE = 6;
const LAST_WORKER = `
  select nodename as host, nodeport as port from pg_dist_node
   where groupid <> 0 and noderole = 'primary' order by nodeid desc limit 1`;

/** How many groups of shards are on the machine that takes its share. */
async function shardsThere(): Promise<number> {
  const [found] = await rows<{ n: number }>(
    `select count(*)::int as n from citus_shards s join (${LAST_WORKER}) w on (s.nodename, s.nodeport) = (w.host, w.port)
      where s.table_name = 'invoice'::regclass`,
    [],
  );
  return found?.n ?? 0;
}

it.skipIf(clusterUrl() === undefined)(
  'people pay and read while a machine takes its share: who is told to come again can, and everything is paid exactly once',
  async () => {
    await rows(`select citus_drain_node(host, port, 'block_writes') from (${LAST_WORKER}) w`, []);
    expect(await shardsThere()).toBe(0);
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => signedIn(fixture)));
    const paid: { customer: string; invoice: string }[] = [];
    const refused: string[] = [];
    let [again, isMoving] = [0, true];
    const payOnce = async ({ token, number }: Awaited<ReturnType<typeof fixture.seedPayable>>) => {
      // How often one may try from one address is another matter.
      await rows('delete from rate_limit', []);
      const details = { uid: token, invoiceAmount: '110.00', invoiceNumber: number, cardToken: 'tok_visa' };
      return post('/v1/ec/pay', details);
    };
    const goOn = async ({ customer, get }: (typeof people)[number]) => {
      while (isMoving) {
        const invoice = await fixture.seedPayable(customer);
        paid.push({ customer: customer.id, invoice: invoice.id });
        let answer = await payOnce(invoice);
        if (answer.statusCode === 503) {
          again += 1;
          answer = await payOnce(invoice);
        }
        if (answer.json().data?.status !== 'succeeded') refused.push(`paying: ${answer.body}`);
        const list = await get('/v1/ec/invoices');
        if (list.statusCode !== 200) refused.push(`reading: ${list.body}`);
      }
    };
    const going = Promise.all(people.map(goOn));
    await rows(
      `select citus_set_node_property(host, port, 'shouldhaveshards', true) from (${LAST_WORKER}) w`,
      [],
    );
    await rows("select rebalance_table_shards(rebalance_strategy => 'by_shard_count')", []);
    isMoving = false;
    await going;
    expect(await shardsThere()).toBeGreaterThan(0);
    process.stdout.write(
      `${paid.length} payments while shards were moved, ${again} of them by paying again\n`,
    );
    expect(refused).toEqual([]);
    fixture.clock.advance(30_000);
    await reconcile(fixture.engine);
    for (const { customer, invoice } of paid)
      expect(await moneyOf(customer, invoice)).toMatchObject({
        invoice: { paid: '11000', held: '0' },
        openClaims: 0,
      });
    expect(await rows('select count(*)::int as n from capture', [])).toEqual([{ n: paid.length }]);
    expect(fixture.gateway.taken.size).toBe(paid.length);
  },
  400_000,
);
