import { money } from '@counterfoil/domain/money/money.ts';
import { expect, it } from 'vitest';
import {
  fixture,
  invoiceOf,
  mailsOf,
  payer,
  planOf,
  roundAt,
} from '../../../test/fixtures/paying/auto-pay-fixture.ts';

const announced = '2026-03-12T06:00:00Z';
const due = '2026-03-15T06:00:00Z';

it.each([
  ['a part', 5_000n, '$50.00', 'Only $50.00 was taken, so $60.00 is still to be paid.'],
  ['all of it', 11_000n, undefined, undefined],
])(
  '%s of a charge is taken: the customer is told what is still due, and nothing of a success',
  async (_what, minor, paid, words) => {
    const me = await payer();
    const bill = await me.bill();
    await roundAt(announced, me.resellerId);
    await mailsOf(me.customerId);
    fixture.gateway.onCharge = async (charge) =>
      fixture.gateway.take({ ...charge, amount: money(minor, 'USD') });
    expect(await roundAt(due, me.resellerId)).toMatchObject([{ did: 'charge', state: 'succeeded' }]);
    expect(await planOf(me.customerId)).toMatchObject({ state: 'done' });
    expect(await invoiceOf(bill.id)).toMatchObject({ paid: String(minor), held: '0' });
    const mails = await mailsOf(me.customerId);
    expect(mails).toHaveLength(words === undefined ? 0 : 1);
    if (words === undefined) return;
    const text = (mails[0]?.text ?? '').replace(/\s+/g, ' ');
    for (const shown of [words, `Paid: ${paid}`, 'We will not charge it by ourselves.', `/pay/${bill.token}`])
      expect(text).toContain(shown);
    // It is said once, and the rest is not charged by itself.
    const before = fixture.gateway.calls.charge;
    await roundAt('2026-03-20T06:00:00Z', me.resellerId);
    expect(await mailsOf(me.customerId)).toEqual([]);
    expect(fixture.gateway.calls.charge).toBe(before);
  },
);
