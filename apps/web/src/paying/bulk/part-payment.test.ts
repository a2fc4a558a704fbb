import { describe, expect, it } from 'vitest';
import { partOf, partPaid } from './intent-rows.ts';
import { outcomeRows } from './outcome-rows.ts';
import { begunFlow, ended, intentOf, type Script, viewOf } from './test-support.ts';

const one = (invoiceAmount: number, more = {}) =>
  intentOf({
    total: invoiceAmount,
    adjustmentsTotal: 0,
    partPayment: { least: 1, most: 110, leastRest: null, step: null },
    invoices: [{ invoiceNumber: 'INV-1', invoiceAmount, invoiceId: 'i-1' }],
    ...more,
  });

describe('an intent of one invoice', () => {
  it('offers from the least to what is due, and knows what it was priced with', () => {
    expect(partOf(one(110))).toMatchObject({ least: { minor: 100n }, most: { minor: 11_000n } });
    expect([partPaid(one(110)), partPaid(one(40))]).toEqual([undefined, '40.00']);
    expect(partOf(intentOf())).toBeUndefined();
    expect(
      partOf(one(0.8, { partPayment: { least: 0.8, most: 0.8, leastRest: null, step: null } })),
    ).toBeUndefined();
  });
  it('tells after a payment what is still due, and before it nothing of the kind', async () => {
    const { flow } = await begunFlow({
      create: [one(40)],
      pay: [{ status: 'succeeded', reference: 'REF1' }],
      read: [
        ended(
          'succeeded',
          { amount: 40 },
          {
            ...one(40),
            status: 3,
            invoices: [{ invoiceNumber: 'INV-1', invoiceAmount: 40, invoiceId: 'i-1', stillDue: 70 }],
          },
        ),
      ],
    });
    expect(outcomeRows(flow.view(), 'fact.sentOn').map(({ id }) => id)).not.toContain('stillDue');
    await flow.submit({ fields: {}, method: undefined, amount: '40.00' });
    expect(outcomeRows(flow.view(), 'fact.paidOn')).toContainEqual(
      expect.objectContaining({
        id: 'stillDue',
        label: 'Still to pay',
        value: expect.stringContaining('70.00'),
      }),
    );
  });
});

describe('another amount', () => {
  const opened = (...create: NonNullable<Script['create']>) => begunFlow({ create });
  it('is a session of its own, kept for a reload, and all of it is one again', async () => {
    const { flow, reprice, seen, requests } = await opened(
      one(110),
      one(40, { sessionId: 'session-of-the-part-0123' }),
      one(110),
    );
    await reprice('40.00');
    expect(seen.creates[1]).toEqual({ invoiceIds: ['i-1'], id: 'id-1', amount: '40.00' });
    expect(viewOf(flow)).toMatchObject({
      status: 2,
      info: { total: 40 },
      isDueChanged: false,
      isBusy: false,
    });
    expect(requests.find('id-1')?.sessionId).toBe('session-of-the-part-0123');
    await reprice(undefined);
    expect(seen.creates[2]).toEqual({ invoiceIds: ['i-1'], id: 'id-1' });
  });
  it('that is refused leaves the price as it was, and says why', async () => {
    const { flow, reprice } = await opened(one(110), new Error('no'));
    await reprice('40.00');
    expect(viewOf(flow)).toMatchObject({ status: 2, info: { total: 110 }, isBusy: false });
    expect(flow.view().failure?.message).toBe('Oops, something went wrong');
  });
});
