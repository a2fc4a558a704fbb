import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import {
  bulkPayer,
  fixture,
  ids,
  PATH,
  rows,
  takenFrom,
  token,
} from '../../../../test/fixtures/paying/bulk-fixture.ts';
import { hook } from '../../../../test/fixtures/paying/methods-fixture.ts';
import { reconcile } from '../../payments/attempts/reconcile.ts';

const brand = { cardFee: { basisPoints: 100, fixedMinor: 0, capMinor: null } };

async function ready(actor?: string) {
  const payer = await bulkPayer({ brand, ...(actor === undefined ? {} : { actor }) });
  const invoices = await payer.invoices(2);
  const { sessionId } = await payer.intent(ids(invoices));
  fixture.gateway.onCheckout = async (charge, saveState) => {
    await saveState({ page: charge.ref });
    const action = { do: 'redirect', to: `https://pages.example/${charge.ref}` } as const;
    return {
      is: 'requiresAction',
      action,
      remote: remoteId(`cs_${charge.ref}`),
      state: { page: charge.ref },
    };
  };
  fixture.gateway.onLookup = async (charge) => {
    if (fixture.gateway.taken.has(charge.ref)) return fixture.gateway.take(charge);
    const action = { do: 'redirect', to: `https://pages.example/${charge.ref}` } as const;
    return { is: 'requiresAction', action, remote: remoteId(`cs_${charge.ref}`), state: {} };
  };
  const open = () => payer.call('POST', `${PATH}/checkout-session/${sessionId}`);
  const read = () => payer.call('GET', `${PATH}/checkout-session/${sessionId}`);
  /** What the payer does on the page. */
  const payThere = async () => {
    const [row] = await rows<{ ref: string; amount: bigint }>(
      'select ref, amount_minor as amount from attempt where customer_id = $1 and is_open',
      [payer.customerId],
    );
    fixture.gateway.taken.set(row?.ref ?? '', [BigInt(row?.amount ?? 0)]);
    return row?.ref ?? '';
  };
  return { payer, invoices, uid: sessionId, open, read, payThere };
}

describe('the gateway’s own page', () => {
  it('answers the gateway’s session id, and its address beside it; a card’s fee is in it [payments.stripe.{call.checkout-session,field.checkout-session.url,checkout-redirect}]', async () => {
    const { payer, open, read } = await ready();
    const answer = await open();
    const [attempt] = await rows<{ ref: string; amount: number; fee: number; kind: string }>(
      'select ref, amount_minor::int as amount, fee_minor::int as fee, kind from attempt where customer_id = $1',
      [payer.customerId],
    );
    expect(attempt).toMatchObject({ amount: 22_220, fee: 220, kind: 'card' });
    expect(answer.json()).toEqual({
      data: `cs_${attempt?.ref}`,
      url: `https://pages.example/${attempt?.ref}`,
    });
    expect((await read()).json()).toEqual(answer.json());
  });

  it('is told by GET, which opens none, claims nothing and asks no gateway: it leads to the portal, which opens it', async () => {
    const { payer, open, read, uid } = await ready();
    const before = { ...fixture.gateway.calls };
    const codeOf = async () => (await read()).json().code;
    expect((await read()).json()).toEqual({
      data: uid,
      url: expect.stringMatching(new RegExp(`^http://[^/]+/checkout\\?session=${uid}$`)),
    });
    expect(await payer.money()).toMatchObject({ held: 0 });
    expect(fixture.gateway.calls).toEqual(before);
    await open();
    expect((await read()).statusCode).toBe(200);
    expect(await payer.paid(uid, token)).toMatchObject({ status: 'succeeded' });
    expect(await codeOf()).toBe('payment.alreadyPaid');
  });

  it('is one page for a session, however often and at once it is asked for', async () => {
    const { open } = await ready();
    const before = fixture.gateway.calls.checkout;
    const answers = await Promise.all(Array.from({ length: 8 }, open));
    const good = answers.filter(({ statusCode }) => statusCode === 200);
    expect(new Set(good.map(({ body }) => body)).size).toBe(1);
    // Who asks while it is being opened is told to ask again.
    expect(answers.filter(({ statusCode }) => ![200, 503].includes(statusCode))).toEqual([]);
    expect((await open()).body).toBe(good[0]?.body);
    expect(fixture.gateway.calls.checkout - before).toBe(1);
  });

  it('is paid when the gateway says so: asked by news, by the return page, or by the reconciler', async () => {
    for (const how of ['news', 'return', 'reconciler']) {
      const { payer, open, payThere, uid } = await ready();
      const { data } = (await open()).json();
      const ref = await payThere();
      if (how === 'news') await hook(payer.resellerId, { about: 'charge', remote: data, ref });
      if (how === 'return') await payer.call('POST', `${PATH}/confirmation/result`, { reqUid: uid });
      if (how === 'reconciler') {
        fixture.clock.advance(61 * 60_000);
        fixture.gateway.onCancel = async (charge) => fixture.gateway.take(charge);
        await reconcile(fixture.engine);
      }
      expect(await payer.read(uid), how).toMatchObject({ status: 3, attempt: { amount: 222.2 } });
      expect(await takenFrom(payer.customerId)).toEqual([22_220n]);
    }
  });

  it('is closed before the session is paid otherwise, and by the reconciler when it is left', async () => {
    const { payer, open, uid } = await ready();
    await open();
    const closes = fixture.gateway.calls.cancel;
    expect(await payer.paid(uid, token)).toMatchObject({ status: 'succeeded' });
    expect(fixture.gateway.calls.cancel - closes).toBe(1);
    expect(await takenFrom(payer.customerId)).toEqual([22_220n]);
    const left = await ready();
    await left.open();
    fixture.clock.advance(31 * 60_000);
    await reconcile(fixture.engine);
    expect(await left.payer.money()).toMatchObject({ held: 0, due: 22_000 });
  });

  it('is not opened for what is paid, being paid, unknown, or where the gateway has none', async () => {
    const { payer, open, uid } = await ready();
    const codeOf = async (answer = open()) => (await answer).json().code;
    expect(await codeOf(payer.call('POST', `${PATH}/checkout-session/${'x'.repeat(24)}`))).toBe(
      'payment.unknownIntent',
    );
    const { onCheckout } = fixture.gateway;
    fixture.gateway.onCheckout = undefined;
    expect(await codeOf()).toBe('paymentMethod.notOffered');
    fixture.gateway.onCheckout = onCheckout;
    fixture.gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    fixture.gateway.onLookup = async () => ({ is: 'inconclusive', why: 'nothing to see' });
    await payer.paid(uid, token);
    expect(await codeOf()).toBe('payment.underWay');
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    expect(await codeOf()).toBe('payment.alreadyPaid');
  });

  it('a page of which we have no answer is asked for again; one that was refused leaves nothing held', async () => {
    const { payer, open } = await ready();
    fixture.gateway.onCheckout = async () => ({ is: 'unknown', evidence: 'cut' });
    expect((await open()).json().code).toBe('server.unavailable');
    fixture.clock.advance(10_000);
    await reconcile(fixture.engine);
    expect((await open()).json().url).toMatch(/^https:\/\/pages\.example\//);
    const refused = await ready();
    fixture.gateway.onCheckout = async () => ({ is: 'notAttempted', why: 'invalid', detail: 'no' });
    expect((await refused.open()).json().code).toBe('payment.notBegun');
    expect(await refused.payer.money()).toMatchObject({ held: 0 });
    const refusedAs = async (why: 'unreachable' | 'config') => {
      const one = await ready();
      fixture.gateway.onCheckout = async () => ({ is: 'notAttempted', why, detail: 'no' });
      return (await one.open()).json();
    };
    expect(await refusedAs('unreachable')).toMatchObject({
      code: 'payment.notBegun',
      message: expect.stringMatching(
        /^The payment provider could not be reached\. .+ Nothing was charged\.$/,
      ),
    });
    expect((await refusedAs('config')).code).toBe('gateway.misconfigured');
    expect(await takenFrom(payer.customerId)).toEqual([]);
  });

  it('is on record when support opens it', async () => {
    const { payer, open } = await ready('agent@provider.example');
    await open();
    const trail = await rows<{ call: string }>(
      "select detail->>'call' as call from audit_event where customer_id = $1 and action = 'support.request'",
      [payer.customerId],
    );
    expect(trail).toContainEqual({ call: 'POST /v1/ec/payments/checkout-session/:id' });
  });
});
