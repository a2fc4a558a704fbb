import { describe, expect, it, vi } from 'vitest';
import { fixture, rows } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { done, paid } from '../../../../test/fixtures/paying/refund-fixture.ts';
import { findPayment } from '../../admin-payments/queries.ts';

describe('the fee in a refund', () => {
  it('of a part is told with its part of the fee when it is ordered, and booked so whatever ends first; the last takes what is left [decisions.11.refund-fee, decisions.11.refund-fee-last]', async () => {
    // 110.00 and a fee of 1.65.
    const one = await paid({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
    const hangs: (() => void)[] = [];
    fixture.gateway.onRefund = (order) => new Promise((resolve) => hangs.push(() => resolve(done(order))));
    const first = one.back(5_165n);
    await vi.waitFor(() => expect(hangs).toHaveLength(1));
    // All that is left, while the first is on its way: 60.00 with the other 0.89 of the fee.
    const last = one.back();
    await vi.waitFor(() => expect(hangs).toHaveLength(2));
    for (const answer of hangs.toReversed()) answer();
    expect([await first, await last].map((row) => [row.state, row.amount_minor, row.fee_minor])).toEqual([
      ['succeeded', 5_165n, 76n],
      ['succeeded', 6_000n, 89n],
    ]);
    const booked = await rows(
      `select r.amount_minor::int as minor, l.amount_minor::int as fee from reversal r
         join ledger l on l.customer_id = r.customer_id and l.source = 'reversal' and l.source_id = r.id and l.leg = 'fee'
        where r.customer_id = $1 order by 1`,
      [one.customer.id],
    );
    expect(booked).toEqual([
      { minor: 5_165, fee: 76 },
      { minor: 6_000, fee: 89 },
    ]);
    const payment = await findPayment(fixture.deps.databases.web, (await one.attempt()).ref);
    expect(payment?.fee).toMatch(/^0\.(76|89)$/);
  });

  it('of the last cent, which is all fee, is refunded', async () => {
    const one = await paid({ cardFee: { basisPoints: 0, fixedMinor: 20_000, capMinor: null } });
    expect(await one.back(30_999n)).toMatchObject({ fee_minor: 19_999n });
    expect(await one.back(1n)).toMatchObject({ state: 'succeeded', amount_minor: 1n, fee_minor: 1n });
  });
});
