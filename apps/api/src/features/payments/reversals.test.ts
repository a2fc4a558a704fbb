import { money } from '@counterfoil/domain/money.ts';
import { remoteId } from '@counterfoil/gateways/gateway-ref.ts';
import type { News } from '@counterfoil/gateways/port.ts';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenRules } from '../../../test/books.ts';
import { randomFrom } from '../../../test/seeded.ts';
import { useWorld } from '../../../test/test-world.ts';

const lines: string[] = [];
const world = useWorld({ log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }) });
type Late = NonNullable<News['late']>;

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.database.pool().query(text, values)).rows as T[];

/** A paid invoice of 110.00 with a fee of 1.65. */
async function paid() {
  const cardFee = { basisPoints: 150, fixedMinor: 0, capMinor: null };
  const { customer, reseller } = await world.seedPayer({ cardFee });
  const invoice = await world.seedPayable(customer);
  const pay = async (cardToken: string) => {
    const body = { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number, cardToken };
    return (await world.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body })).json().data;
  };
  expect(await pay('tok_visa')).toMatchObject({ status: 'succeeded' });
  const [capture] = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
    customer.id,
  ]);
  const of = remoteId(capture?.remote ?? '');
  let events = 0;
  const tell = async (
    is: Late['is'],
    remote: string,
    minor: bigint,
    over: Partial<Late> = {},
    signed = true,
  ) => {
    events += 1;
    const late = { is, remote: remoteId(remote), of, amount: money(minor, 'USD'), code: 'x', ...over };
    world.gateway.onHook = () => [{ id: `${of}_${events}`, about: 'charge', late }];
    const answer = await world.app.inject({
      method: 'POST',
      url: `/v1/webhooks/scripted/${reseller.id}`,
      headers: { 'content-type': 'application/json', ...(signed ? { 'x-signed': '1' } : {}) },
      payload: '{}',
    });
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
  world.gateway.onCharge = async (charge) => world.gateway.take(charge);
});
afterEach(async () => {
  expect(await brokenRules(world.database.pool())).toEqual({});
});

describe('a chargeback', () => {
  it('reopens the invoice once; the fee is not owed again; the attempt keeps its end', async () => {
    const { customer, tell, stand, balances } = await paid();
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    expect(await balances()).toEqual({ gateway: 0, receivable: 0, feeIncome: 0 });
    const states = await rows('select state from attempt where customer_id = $1', [customer.id]);
    expect(states).toEqual([{ state: 'succeeded' }]);
  });

  it('that is won closes the invoice again', async () => {
    const { tell, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('chargebackWon', 'dp_1', 11_165n);
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toEqual({ gateway: 11_165, receivable: -11_000, feeIncome: -165 });
  });

  it('whose win is told first changes nothing in the end', async () => {
    const { tell, stand } = await paid();
    await tell('chargebackWon', 'dp_1', 11_165n);
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('won after the customer has paid again is the customer’s credit', async () => {
    const { tell, pay, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await pay('tok_again')).toMatchObject({ status: 'succeeded' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toMatchObject({ status: 11, due: '0' });
    expect(await balances()).toEqual({
      gateway: 22_330,
      receivable: -11_000,
      feeIncome: -330,
      customerCredit: -11_000,
    });
    // Lost again after all: the credit goes first.
    await tell('chargeback', 'dp_2', 11_165n);
    expect(await stand()).toMatchObject({ status: 11, due: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, customerCredit: 0 });
  });

  it('of a part reopens that part: the fee first, then the invoice', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 1_165n);
    expect(await stand()).toEqual({ status: 10, due: '1000', reversed: '1165' });
    await tell('chargeback', 'dp_2', 10_000n);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_2', 10_000n);
    expect(await stand()).toEqual({ status: 10, due: '1000', reversed: '1165' });
  });

  it('of more than is left takes that; the rest is our loss, a person is told, and it comes back first', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('refund', 're_1', 11_000n);
    await tell('chargeback', 'dp_1', 11_165n);
    expect(await stand()).toMatchObject({ status: 10, reversed: '11165' });
    expect(lines.join('')).toContain('more than is left');
    expect(await lost()).toBe('11000');
    expect(await balances()).toMatchObject({ gateway: -11_000, lostAtGateway: 11_000 });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await lost()).toBe('0');
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '11000' });
    expect(await balances()).toMatchObject({ gateway: 165, lostAtGateway: 0 });
  });

  it('that takes more after somebody has seen to a loss that came back is told anew', async () => {
    const { tell, customer } = await paid();
    const waits = () =>
      rows('select 1 from capture where customer_id = $1 and lost_minor > lost_seen_minor', [customer.id]);
    for (const id of ['dp_1', 'dp_2']) await tell('chargeback', id, 11_165n);
    await rows('update capture set lost_seen_minor = lost_minor where customer_id = $1', [customer.id]);
    await tell('chargebackWon', 'dp_2', 11_165n);
    expect(await waits()).toEqual([]);
    await tell('chargeback', 'dp_3', 100n);
    expect(await waits()).toHaveLength(1);
  });

  it('beside another is our loss, until one of the two is won', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('chargeback', 'dp_2', 11_165n);
    expect(lines.join('')).toContain('nothing of the charge is left');
    expect(await lost()).toBe('11165');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    // The other one still has the money.
    expect(await lost()).toBe('0');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_2', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, receivable: -11_000, lostAtGateway: 0 });
  });

  it('of what a refund took that was not delivered takes the invoice’s money after all', async () => {
    const { tell, stand, balances, lost } = await paid();
    await tell('refund', 're_1', 11_165n);
    await tell('chargeback', 'dp_1', 5_165n);
    expect([await lost(), await stand()]).toEqual(['5165', { status: 11, due: '0', reversed: '11165' }]);
    await tell('refundFailed', 're_1', 11_165n);
    expect([await lost(), await stand()]).toEqual(['0', { status: 10, due: '5000', reversed: '5165' }]);
    await tell('chargebackWon', 'dp_1', 5_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(await balances()).toMatchObject({ gateway: 11_165, refunded: 0, lostAtGateway: 0 });
  });

  it('in another currency, of another charge, or by an unproven sender moves nothing', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 1n, { amount: money(11_165n, 'EUR') });
    expect(await tell('chargeback', 'dp_2', 1n, { of: remoteId('unheard') })).toBe(200);
    await tell('chargeback', 'dp_3', 11_165n, {}, false);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
    expect(lines.join('')).toContain('it is in EUR');
  });

  it('told by another reseller moves nothing', async () => {
    const [mine, other] = [await paid(), await paid()];
    expect(await other.tell('chargeback', 'dp_1', 11_165n, { of: mine.of })).toBe(200);
    expect(await mine.stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of a payment made before the reseller set the same gateway up anew is booked, once', async () => {
    const { reseller, tell, stand } = await paid();
    await rows('update gateway_account set is_active = false where reseller_id = $1', [reseller.id]);
    await rows(
      `insert into gateway_account (id, reseller_id, gateway, config, created_at)
       select gen_random_uuid(), reseller_id, gateway, config, created_at + interval '1 day' from gateway_account
        where reseller_id = $1`,
      [reseller.id],
    );
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    expect(await tell('chargeback', 'dp_1', 11_165n)).toBe(200);
    expect(await stand()).toMatchObject({ reversed: '11165' });
  });

  it('that is told before the payment is known is asked for again', async () => {
    const { customer, reseller } = await world.seedPayer({});
    const invoice = await world.seedPayable(customer);
    world.gateway.onCharge = async (charge) => ({
      is: 'pending',
      because: 'bank',
      remote: remoteId(`r_${charge.ref}`),
      bag: {},
    });
    const body = {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      cardToken: 'tok_x',
    };
    await world.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
    const [attempt] = await rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
      customer.id,
    ]);
    const late = { is: 'failed', remote: remoteId('f_1'), amount: money(11_000n, 'USD'), code: 'r' } as const;
    world.gateway.onHook = () => [
      { id: 'evt_f1', about: 'charge', remote: remoteId(`r_${attempt?.ref}`), late },
    ];
    const hook = () =>
      world.app.inject({
        method: 'POST',
        url: `/v1/webhooks/scripted/${reseller.id}`,
        headers: { 'content-type': 'application/json', 'x-signed': '1' },
        payload: '{}',
      });
    world.gateway.onFind = async () => ({ is: 'cannotTell', why: 'not now' });
    expect((await hook()).statusCode).toBe(503);
    world.gateway.onFind = async (charge) => world.gateway.take(charge);
    expect((await hook()).statusCode).toBe(200);
    const [found] = await rows('select status, due_minor::text as due from invoice where customer_id = $1', [
      customer.id,
    ]);
    expect(found).toEqual({ status: 10, due: '11000' });
  });
});

describe('a late failure', () => {
  it('reopens the invoice, and sent again closes it', async () => {
    const { tell, stand } = await paid();
    await tell('failed', 'f_1', 11_165n);
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('resubmitted', 's_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('sent again before it is known to have failed is asked for again', async () => {
    const { tell } = await paid();
    expect(await tell('resubmitted', 's_1', 11_165n)).toBe(503);
  });
});

describe('a refund made at the gateway', () => {
  it('does not make the invoice due again', async () => {
    const { tell, stand, balances } = await paid();
    await tell('refund', 're_1', 5_165n);
    await tell('refund', 're_1', 5_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '5165' });
    expect(await balances()).toEqual({ gateway: 6_000, receivable: -11_000, feeIncome: 0, refunded: 5_000 });
  });

  it('that was booked short brings back only what it took, not another one’s money', async () => {
    const { tell, stand } = await paid();
    await tell('refund', 're_1', 11_000n);
    await tell('refund', 're_2', 5_000n);
    expect(await stand()).toMatchObject({ reversed: '11165' });
    await tell('refundFailed', 're_2', 5_000n);
    expect(await stand()).toMatchObject({ reversed: '11000' });
    await tell('refundFailed', 're_1', 11_000n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of what a chargeback has taken moves money when that is won', async () => {
    const { tell, stand, balances } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('refund', 're_1', 5_000n);
    await tell('refund', 're_1', 5_000n);
    expect(lines.join('')).toContain('nothing of the charge is left');
    expect(await stand()).toEqual({ status: 10, due: '11000', reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '5000' });
    expect(await balances()).toEqual({
      ...{ gateway: 6_165, receivable: -11_000, feeIncome: 0, refunded: 4_835, lostAtGateway: 0 },
    });
    await tell('refundFailed', 're_1', 5_000n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('of what a chargeback has taken, not delivered before that is won, moves none', async () => {
    const { tell, stand } = await paid();
    await tell('chargeback', 'dp_1', 11_165n);
    await tell('refund', 're_1', 5_000n);
    expect(await tell('refundFailed', 're_1', 5_000n)).toBe(200);
    expect(await stand()).toMatchObject({ reversed: '11165' });
    await tell('chargebackWon', 'dp_1', 11_165n);
    expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });

  it('that could not be delivered is undone, in whatever order it is told', async () => {
    const one = await paid();
    await one.tell('refund', 're_1', 11_165n);
    await one.tell('refundFailed', 're_1', 11_165n);
    const two = await paid();
    await two.tell('refundFailed', 're_1', 11_165n);
    await two.tell('refund', 're_1', 11_165n);
    for (const { stand } of [one, two])
      expect(await stand()).toEqual({ status: 11, due: '0', reversed: '0' });
  });
});

describe('many reversals of one charge', () => {
  const KINDS = ['refund', 'chargeback', 'refund', 'chargeback'] as const;
  const UNDOES = { refund: 'refundFailed', chargeback: 'chargebackWon' } as const;

  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'in any order come to what the gateway says: seed %i',
    async (seed) => {
      const next = randomFrom(seed);
      const one = await paid();
      const taken = KINDS.map((kind, n) => ({
        ...{ kind, id: `x_${n}`, minor: BigInt(1 + Math.floor(next() * 11_165)), undone: next() < 0.5 },
      }));
      const events = taken.flatMap(({ kind, id, minor, undone }) => [
        { at: next(), is: kind, id, minor },
        ...(undone ? [{ at: next(), is: UNDOES[kind], id, minor }] : []),
      ]);
      events.sort((a, b) => a.at - b.at);
      for (const { is, id, minor } of events) expect(await one.tell(is, id, minor)).toBe(200);
      const gone = taken.reduce((sum, { undone, minor }) => (undone ? sum : sum + minor), 0n);
      expect((await one.balances())['gateway']).toBe(Number(11_165n - gone));
      // Nothing is called lost while something of the charge is left.
      const lost = gone > 11_165n ? gone - 11_165n : 0n;
      expect(await one.lost()).toBe(String(lost));
      expect(await one.stand()).toMatchObject({ reversed: String(gone - lost) });
    },
  );
});
