import { money } from '@counterfoil/domain/money.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import pino from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { brokenRules } from './books.ts';
import { useFixture } from './test-fixture.ts';

/** What the tests of reversals share: a paid invoice, events of what became of it, and books that are checked after each. */
export const lines: string[] = [];
export const fixture = useFixture({
  log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
});
type Late = NonNullable<GatewayEvent['reversal']>;

export const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

/** A paid invoice of 110.00 with a fee of 1.65. */
export async function paid() {
  const cardFee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
  const { customer, reseller } = await fixture.seedPayer({ cardFee });
  const invoice = await fixture.seedPayable(customer);
  const pay = async (cardToken: string) => {
    const body = { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number, cardToken };
    return (await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body })).json().data;
  };
  expect(await pay('tok_visa')).toMatchObject({ status: 'succeeded' });
  const [capture] = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
    customer.id,
  ]);
  const of = remoteId(capture?.remote ?? '');
  let events = 0;
  const tell = async (
    is: Late['kind'],
    remote: string,
    minor: bigint,
    over: Partial<Late> = {},
    signed = true,
  ) => {
    events += 1;
    const late = { kind: is, remote: remoteId(remote), of, amount: money(minor, 'USD'), code: 'x', ...over };
    fixture.gateway.onWebhook = () => [{ id: `${of}_${events}`, about: 'charge', reversal: late }];
    const answer = await fixture.app.inject({
      method: 'POST',
      url: `/v1/webhooks/scripted/${reseller.id}`,
      headers: { 'content-type': 'application/json', ...(signed ? { 'x-signed': '1' } : {}) },
      payload: '{}',
    });
    await fixture.eventsFollowed();
    return answer.statusCode;
  };
  const stand = async () => {
    const [row] = await rows<{ status: number; due: string; reversed: string }>(
      `select i.status, i.due_minor::text as due, (select reversed_minor from capture c
          where c.customer_id = i.customer_id and c.remote = $2)::text as reversed
         from invoice i where i.customer_id = $1`,
      [customer.id, of],
    );
    return row;
  };
  const lost = async () =>
    (
      await rows<{ lost: string }>(
        'select lost_minor::text as lost from capture where customer_id = $1 and remote = $2',
        [customer.id, of],
      )
    )[0]?.lost;
  const balances = async () => {
    const found = await rows<{ account: string; n: string }>(
      `select account, sum(n)::text as n from (
         select debit as account, amount_minor as n from ledger where customer_id = $1
         union all select credit, -amount_minor from ledger where customer_id = $1) sides group by account`,
      [customer.id],
    );
    return Object.fromEntries(found.map(({ account, n }) => [account, Number(n)]));
  };
  return { customer, reseller, invoice, pay, tell, stand, balances, lost, of };
}

beforeEach(() => {
  lines.length = 0;
  fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
});
afterEach(async () => {
  expect(await brokenRules(fixture.database.pool())).toEqual({});
});
