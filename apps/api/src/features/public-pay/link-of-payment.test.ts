import { readFile } from 'node:fs/promises';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { expect, it } from 'vitest';
import { fixture, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';

// Migrations run before tables are spread.
it.skipIf(clusterUrl() !== undefined)(
  'payments from before their link was kept have it from where their payers were sent back to',
  async () => {
    const { customer, body } = await setUp();
    await post('/v1/ec/pay', body);
    const read = () =>
      rows<{ hash: Buffer | null }>(
        `select a.pay_link_hash as hash from attempt a where a.customer_id = $1
        and (a.pay_link_hash is null or a.pay_link_hash = (select hash from invoice_pay_link l where l.customer_id = $1))`,
        [customer.id],
      );
    const [made] = await read();
    expect(made?.hash).toBeInstanceOf(Buffer);
    await rows('update attempt set pay_link_hash = null where customer_id = $1', [customer.id]);
    const file = new URL('../../../migrations/0030_lost_and_link.sql', import.meta.url);
    const backfill = /update attempt[^;]+;/.exec(await readFile(file, 'utf8'))?.[0] ?? '';
    await fixture.database.pool().query(backfill);
    expect(await read()).toEqual([made]);
  },
);
