import { describe, expect, it } from 'vitest';
import {
  deps,
  fixture,
  mailsOf,
  payer,
  payerWithCredit,
  roundAt,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';
import { previewAutoPay } from './preview.ts';

const ahead = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';

const foreseen = async (resellerId: number, moment: string) =>
  (await previewAutoPay({ ...deps(), asksKeys: true }, new Date(moment), resellerId)).map(
    ({ would, reason, amount }) => ({
      would,
      reason,
      amount,
    }),
  );

describe('what a round would do', () => {
  it('counts the credit that the round uses: the same is taken as was foreseen', async () => {
    const me = await payerWithCredit(5_000n);
    await me.bill();
    await roundAt(ahead, me.resellerId);
    expect(await foreseen(me.resellerId, due)).toEqual([{ would: 'charge', reason: null, amount: '66.00' }]);
    await roundAt(due, me.resellerId);
    expect([...fixture.gateway.taken.values()]).toEqual([[6_600n]]);
  });

  it('is announced with the credit that will be used, and with what is charged at most', async () => {
    const me = await payerWithCredit(5_000n);
    await me.bill();
    await roundAt(ahead, me.resellerId);
    const [mail] = await mailsOf(me.customerId);
    expect(mail?.subject).toContain('66.00');
    for (const said of ['-$50.00', '6.00', '66.00', 'At most', '121.00']) expect(mail?.text).toContain(said);
    await roundAt(due, me.resellerId);
    expect([...fixture.gateway.taken.values()]).toEqual([[6_600n]]);
  });

  it('promises the same credit to one invoice only', async () => {
    const me = await payerWithCredit(15_000n);
    await me.bill();
    await me.bill();
    await roundAt(ahead, me.resellerId);
    const subjects = (await mailsOf(me.customerId)).map(({ subject }) => /[\d.]+(?= on)/.exec(subject)?.[0]);
    expect(new Set(subjects)).toEqual(new Set(['0.00', '77.00']));
  });

  it('is nothing while the gateway refuses the keys, as in the round', async () => {
    const me = await payer();
    await me.bill();
    await roundAt(ahead, me.resellerId);
    fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], why: 'revoked' });
    fixture.clock.set(due);
    try {
      expect(await foreseen(me.resellerId, due)).toMatchObject([{ would: 'nothing', reason: 'keys' }]);
      expect(await roundAt(due, me.resellerId)).toEqual([]);
    } finally {
      fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
    }
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'charge' }]);
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
    expect([...fixture.gateway.taken.values()]).toEqual([[7_700n]]);
  });
});
