import { describe, expect, it } from 'vitest';
import { deps, payer, roundAt, rows, world } from '../../../test/auto-pay-world.ts';
import { followCredit } from '../payments/credit.ts';
import { previewAutoPay } from './preview.ts';

const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';

/** A customer with credit as a credit note leaves it, in the ledger and in the balance. */
async function payerWithCredit(minor: bigint) {
  const me = await payer({ brand: { cardFee: { basisPoints: 1000, fixedMinor: 0, capMinor: null } } });
  const { customerId } = me;
  await rows(
    `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
     values ($1, $1, 'creditNote', 'customerCredit', 'USD', $2, 'invoice', $1, 'credit', now())`,
    [customerId, minor],
  );
  await world.deps.databases.web.transaction((tx) =>
    followCredit(tx, { customerId, currency: 'USD' }, minor),
  );
  return me;
}

const foreseen = async (resellerId: number, moment: string) =>
  (await previewAutoPay(deps(), new Date(moment), resellerId)).map(({ would, reason, amount }) => ({
    ...{ would, reason, amount },
  }));

describe('what a round would do', () => {
  it('counts the credit that the round uses: the same is taken as was foreseen', async () => {
    const me = await payerWithCredit(5_000n);
    await me.bill();
    await roundAt(ahead, me.resellerId);
    expect(await foreseen(me.resellerId, due)).toEqual([{ would: 'charge', reason: null, amount: '66.00' }]);
    await roundAt(due, me.resellerId);
    expect([...world.gateway.taken.values()]).toEqual([[6_600n]]);
  });

  it('uses credit up over several invoices, and says what it pays alone', async () => {
    const me = await payerWithCredit(15_000n);
    await me.bill();
    await me.bill();
    await roundAt(ahead, me.resellerId);
    expect((await foreseen(me.resellerId, due)).sort((a, b) => a.would.localeCompare(b.would))).toEqual([
      { would: 'charge', reason: null, amount: '77.00' },
      { would: 'skip', reason: 'byCredit', amount: '0.00' },
    ]);
    const done = await roundAt(due, me.resellerId);
    expect(done.map(({ did, reason }) => [did, reason ?? null]).sort()).toEqual([
      ['charge', null],
      ['skip', 'byCredit'],
    ]);
    expect([...world.gateway.taken.values()]).toEqual([[7_700n]]);
  });
});
