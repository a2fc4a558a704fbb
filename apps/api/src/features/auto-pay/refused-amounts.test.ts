import { afterEach, describe, expect, it } from 'vitest';
import {
  deps,
  fixture,
  mailsOf,
  payer,
  planOf,
  roundAt,
  rows,
  runsOf,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';
import { followCredit } from '../payments/credit.ts';
import { previewAutoPay } from './preview.ts';

const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';
const { capabilities } = fixture.gateway.module.manifest as {
  capabilities: { amountIncrement?: Record<string, number>; minimumCharge?: Record<string, number> };
};
afterEach(() => {
  delete capabilities.amountIncrement;
  delete capabilities.minimumCharge;
});

async function dinarPayer() {
  const me = await payer();
  await rows("update brand set currency = 'KWD' where reseller_id = $1", [me.resellerId]);
  return me;
}

describe('what the gateway would not take', () => {
  it.each([
    ['amountNotRepresentable', { amountIncrement: { KWD: 10 } }],
    ['tooSmall', { minimumCharge: { KWD: 20_000 } }],
  ])('%s: is not announced and not charged, and the operator is told why', async (reason, limits) => {
    Object.assign(capabilities, limits);
    const me = await dinarPayer();
    await me.bill({ subtotalMinor: 12_345n, taxMinor: 0n, currency: 'KWD' });
    const before = fixture.gateway.calls.charge;
    expect(await roundAt(ahead, me.resellerId)).toEqual([]);
    expect(await mailsOf(me.customerId)).toEqual([]);
    const foreseen = await previewAutoPay({ ...deps(), asksKeys: true }, new Date(ahead), me.resellerId);
    expect(foreseen).toMatchObject([{ would: 'nothing', reason }]);
    expect(fixture.gateway.calls.charge).toBe(before);
  });

  it('announced before the gateway was changed is not charged', async () => {
    const me = await dinarPayer();
    await me.bill({ subtotalMinor: 12_345n, taxMinor: 0n, currency: 'KWD' });
    await roundAt(ahead, me.resellerId);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'announced' });
    Object.assign(capabilities, { amountIncrement: { KWD: 10 } });
    const before = fixture.gateway.calls.charge;
    expect(await roundAt(due, me.resellerId)).toMatchObject([
      { did: 'skip', reason: 'amountNotRepresentable' },
    ]);
    expect(fixture.gateway.calls.charge).toBe(before);
    expect(await runsOf(me.customerId)).toMatchObject([{ reason: 'amountNotRepresentable', state: null }]);
  });

  it('by credit becomes what can be charged', async () => {
    Object.assign(capabilities, { amountIncrement: { KWD: 10 } });
    const me = await dinarPayer();
    await rows(
      `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
       values ($1, $1, 'creditNote', 'customerCredit', 'KWD', 7, 'invoice', $1, 'credit', now())`,
      [me.customerId],
    );
    await fixture.deps.databases.web.transaction((tx) =>
      followCredit(tx, { customerId: me.customerId, currency: 'KWD' }, 7n),
    );
    await me.bill({ subtotalMinor: 12_345n, taxMinor: 0n, currency: 'KWD' });
    await roundAt(ahead, me.resellerId);
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'charge', state: 'succeeded' }]);
    expect([...fixture.gateway.taken.values()]).toEqual([[12_340n]]);
  });
});
