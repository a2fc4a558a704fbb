import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, expect, it } from 'vitest';
import { fixture, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { reconcile } from './reconcile.ts';

const { gateway, clock } = fixture;
afterEach(() => gateway.setCapabilities({ answerWithinMs: 20_000 }));

/** Pays while this much time passes before the gateway answers. @returns how often it was asked meanwhile */
async function askedWhile(passesMs: number): Promise<number> {
  const { customer, reseller } = await fixture.seedPayer({});
  const invoice = await fixture.seedPayable(customer);
  const hook = {
    method: 'POST',
    url: `/v1/webhooks/scripted/${reseller.id}`,
    headers: { 'content-type': 'application/json', 'x-signed': '1' },
    payload: '{}',
  } as const;
  const before = gateway.calls.lookup;
  let asked = 0;
  gateway.onCharge = async (charge) => {
    clock.advance(passesMs);
    gateway.onWebhook = () => [{ id: `evt_${charge.ref}`, about: 'charge', ref: charge.ref }];
    await fixture.app.inject(hook);
    await fixture.eventsFollowed();
    await reconcile(fixture.engine);
    asked = gateway.calls.lookup - before;
    return gateway.take(charge);
  };
  gateway.onLookup = async (charge) => ({
    is: 'pending',
    because: 'gateway',
    remote: remoteId(`r_${charge.ref}`),
    state: {},
  });
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_x',
  };
  await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
  const states = await rows('select state from attempt where customer_id = $1', [customer.id]);
  expect(states).toEqual([{ state: 'succeeded' }]);
  return asked;
}

it('while a gateway has time to answer, by its own limit, nothing asks what became of the charge', async () => {
  gateway.setCapabilities({ answerWithinMs: 65_000 });
  expect(await askedWhile(66_000)).toBe(0);
});

it('after that limit the charge is looked up, and the answer still counts when it comes', async () => {
  expect(await askedWhile(66_000)).toBeGreaterThan(0);
});
