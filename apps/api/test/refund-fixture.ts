import type { Outcome, Refund } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { beforeEach, expect } from 'vitest';
import { refundPayment } from '../src/features/payments/refunds/refund.ts';
import type { OrderKey } from '../src/features/payments/refunds/refund-key.ts';
import { fixture, rows, setUp } from './engine-fixture.ts';

/** What the tests of refunds share: a payment that can be refunded, and what was ordered of the gateway. */
export const orders: Refund[] = [];
export const done = (order: Refund): Outcome => ({
  is: 'succeeded',
  remote: remoteId(`b_${order.ref}`),
  captured: order.amount,
  state: {},
});

beforeEach(() => {
  orders.length = 0;
  fixture.gateway.onRefund = async (order) => {
    orders.push(order);
    return done(order);
  };
  fixture.gateway.onLookupRefund = async () => ({ is: 'absent', proven: true });
});

export async function paid() {
  const one = await setUp();
  expect(await one.pay()).toMatchObject({ status: 'succeeded' });
  const [capture] = await rows<{ id: string }>('select id from capture where customer_id = $1', [
    one.customer.id,
  ]);
  const order = { customerId: one.customer.id, captureId: capture?.id ?? '', by: 'op', note: 'paid twice' };
  let keys = 0;
  /** An order of its own each time, unless a key is given. */
  const back = async (minor?: bigint, key?: OrderKey) => {
    keys += 1;
    const own: OrderKey = { by: 'caller', key: `${keys}` };
    return (await refundPayment(fixture.engine, { ...order, minor, key: key ?? own })).attempt;
  };
  const reversals = () =>
    rows<{ kind: string; n: string }>(
      'select kind, amount_minor::text as n from reversal where customer_id = $1 order by at, id',
      [one.customer.id],
    );
  const invoice = async () =>
    (
      await rows<{ status: number; due: string }>(
        'select status, due_minor::text as due from invoice where customer_id = $1',
        [one.customer.id],
      )
    )[0];
  return { ...one, back, reversals, invoiceNow: invoice, order };
}
