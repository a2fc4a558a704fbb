import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bulkPayer,
  challenge,
  fixture,
  ids,
  PATH,
  rows,
  takenFrom,
  token,
} from '../../../test/fixtures/paying/bulk-fixture.ts';
import { reconcile } from '../payments/attempts/reconcile.ts';

const publicly = (invoice: { token: string; number: string }, cardToken: string) =>
  fixture.app.inject({
    method: 'POST',
    url: '/v1/ec/pay',
    payload: { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number, cardToken },
  });

describe('one charge', () => {
  it('of fifty parallel pays of one session, by different cards and tabs', async () => {
    const payer = await bulkPayer();
    const intent = await payer.intent(ids(await payer.invoices(3)));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        payer.pay(intent.sessionId, { ...token, cardToken: `tok_${n % 7}` }),
      ),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const attempts = new Set(answers.map((answer) => answer.json().data.attemptId));
    expect(attempts.size).toBe(1);
    expect(await takenFrom(payer.customerId)).toEqual([33_000n]);
    expect(await payer.money()).toEqual({ paid: 33_000, credited: 0, due: 0, held: 0 });
  });

  it('of a double click with one key, also where the card is declined', async () => {
    const payer = await bulkPayer();
    const intent = await payer.intent(ids(await payer.invoices(1)));
    const before = fixture.gateway.calls.charge;
    fixture.gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'x', text: 'No' },
    });
    const click = () => payer.pay(intent.sessionId, token, { 'idempotency-key': 'k' });
    const answers = await Promise.all([click(), click(), click()]);
    expect(new Set(answers.map((answer) => answer.json().data.attemptId)).size).toBe(1);
    expect(fixture.gateway.calls.charge - before).toBe(1);
  });

  it('for each invoice, whatever overlapping sets and links are paid at once', async () => {
    const payer = await bulkPayer();
    const invoices = await payer.invoices(8);
    const sets: string[] = [];
    for (let n = 0; n < 24; n += 1) {
      const set = [n % 8, (n * 3 + 1) % 8, (n * 5 + 2) % 8].map((at) => invoices[at]?.id ?? '');
      sets.push((await payer.intent([...new Set(set)])).sessionId);
    }
    const answers = await Promise.all([
      ...sets.map((uid, n) => payer.pay(uid, { ...token, cardToken: `tok_s${n}` })),
      ...invoices.map((invoice, n) => publicly(invoice, `tok_p${n}`)),
    ]);
    expect(
      answers.map(({ statusCode }) => statusCode).filter((status) => ![200, 409].includes(status)),
    ).toEqual([]);
    const paid = await rows<{ id: string; n: number }>(
      `select invoice_id as id, count(*)::int as n from allocation where customer_id = $1 and invoice_id is not null
        group by 1`,
      [payer.customerId],
    );
    expect(paid.filter(({ n }) => n !== 1)).toEqual([]);
    expect(paid).toHaveLength(8);
    const taken = (await takenFrom(payer.customerId)).reduce((sum, one) => sum + one, 0n);
    expect(taken).toBe(88_000n);
    expect((await payer.money()).due).toBe(0);
  });

  it('after an abandoned 3-D Secure: it is closed first, in this session, another and at the public link', async () => {
    const payer = await bulkPayer();
    const [a, b, c] = await payer.invoices(3);
    if (!a || !b || !c) throw new Error('no invoices');
    const first = await payer.intent([a.id]);
    const wider = await payer.intent([a.id, b.id, c.id]);
    fixture.gateway.onCharge = challenge;
    expect(await payer.paid(first.sessionId, token)).toMatchObject({ status: 'requires_action' });
    expect((await publicly(b, 'tok_b')).json().data.status).toBe('requires_action');
    // The same again waits for the same challenge, and closes nothing.
    const closes = fixture.gateway.calls.cancel;
    expect(await payer.paid(first.sessionId, token)).toMatchObject({ status: 'requires_action' });
    expect(fixture.gateway.calls.cancel).toBe(closes);
    fixture.gateway.onCharge = async (charge) => fixture.gateway.take(charge);
    expect(await payer.paid(wider.sessionId, { ...token, cardToken: 'tok_w' })).toMatchObject({
      status: 'succeeded',
    });
    expect(fixture.gateway.calls.cancel - closes).toBe(2);
    expect(await takenFrom(payer.customerId)).toEqual([33_000n]);
  });

  it('where the challenge had been answered after all: that one paid, and nothing else is taken', async () => {
    const payer = await bulkPayer();
    const intent = await payer.intent(ids(await payer.invoices(2)));
    fixture.gateway.onCharge = challenge;
    await payer.paid(intent.sessionId, token);
    fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
    expect(await payer.paid(intent.sessionId, { ...token, cardToken: 'tok_b' })).toMatchObject({
      status: 'succeeded',
    });
    expect(await takenFrom(payer.customerId)).toEqual([22_000n]);
  });

  it('refuses a second one where the gateway cannot close the first', async () => {
    const payer = await bulkPayer();
    const [a, b] = await payer.invoices(2);
    const [one, both] = [await payer.intent([a?.id ?? '']), await payer.intent([a?.id ?? '', b?.id ?? ''])];
    fixture.gateway.onCharge = challenge;
    await payer.paid(one.sessionId, token);
    fixture.gateway.onCancel = async () => ({ is: 'cannotCancel' });
    expect((await payer.pay(both.sessionId, { ...token, cardToken: 'tok_b' })).json().code).toBe(
      'payment.underWay',
    );
    expect(await takenFrom(payer.customerId)).toEqual([]);
  });
});

it('whatever is paid, told and found out in whatever order, no more is taken than is due and the fee', async () => {
  const brand = { cardFee: { basisPoints: 150, fixedMinor: 10, capMinor: null } };
  const step = fc.record({
    what: fc.constantFrom('bulk', 'bulk', 'link', 'reconcile', 'read', 'credit'),
    from: fc.integer({ min: 0, max: 4 }),
    n: fc.integer({ min: 1, max: 3 }),
    gateway: fc.constantFrom('takes', 'declines', 'asks', 'isCut', 'isCutAfter'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const payer = await bulkPayer({ brand });
      const invoices = await payer.invoices(5);
      for (const { what, from, n, gateway } of steps) {
        fixture.gateway.onCharge = async (charge) => {
          if (gateway === 'declines')
            return { is: 'declined', why: { class: 'otherMethod', code: 'x', text: 'No' } };
          if (gateway === 'asks') return challenge();
          if (gateway === 'takes') return fixture.gateway.take(charge);
          if (gateway === 'isCutAfter') fixture.gateway.take(charge);
          return { is: 'unknown', evidence: 'cut' };
        };
        const chosen = Array.from({ length: n }, (_, at) => invoices[(from + at) % 5]?.id ?? '');
        if (what === 'bulk') {
          const asked = await payer.ask(chosen);
          const sessionId: unknown = asked.json().data?.sessionId;
          if (typeof sessionId === 'string')
            await Promise.all([
              payer.pay(sessionId, token),
              payer.pay(sessionId, { ...token, cardToken: 'tok_x' }),
            ]);
        } else if (what === 'link') {
          const invoice = invoices[from];
          if (invoice !== undefined)
            await fixture.app.inject({
              method: 'POST',
              url: '/v1/ec/pay',
              payload: {
                uid: invoice.token,
                invoiceAmount: '110.00',
                invoiceNumber: invoice.number,
                cardToken: 'tok_l',
              },
            });
        } else if (what === 'credit') await payer.credit(BigInt(from) * 1_700n + 1n);
        else if (what === 'read') {
          for (const { public_id } of await rows<{ public_id: string }>(
            "select public_id from pay_session where customer_id = $1 and origin = 'bulk'",
            [payer.customerId],
          ))
            await payer.call('POST', `${PATH}/intents/${public_id}`);
        } else {
          fixture.clock.advance(10_000);
          await reconcile(fixture.engine);
        }
      }
      // What was cut off after it was taken has yet to be found.
      fixture.clock.advance(60_000);
      await reconcile(fixture.engine);
      const made = await rows<{ ref: string; fee: bigint }>(
        'select ref, fee_minor as fee from attempt where customer_id = $1',
        [payer.customerId],
      );
      const net = made.flatMap(({ ref, fee }) =>
        (fixture.gateway.taken.get(ref) ?? []).map((minor) => minor - BigInt(fee)),
      );
      const [sums] = await rows<{ due: bigint; credited: bigint }>(
        `select sum(payable_minor)::bigint as due, sum(credited_minor)::bigint as credited from invoice
          where customer_id = $1`,
        [payer.customerId],
      );
      const taken = net.reduce((sum, one) => sum + one, 0n);
      expect(taken + BigInt(sums?.credited ?? 0) <= BigInt(sums?.due ?? 0)).toBe(true);
      const over = await rows('select 1 from invoice where customer_id = $1 and due_minor < 0', [
        payer.customerId,
      ]);
      expect(over).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
