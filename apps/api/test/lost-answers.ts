import type { GatewayEvent, GatewayRef } from '@counterfoil/gateways/port/gateway.ts';
import { fixture, hook, post, rows, setUp, unknown } from './engine-fixture.ts';

/** So many payments of one reseller whose answers were lost: the event of each is followed by one look-up. */
export async function lostAnswers(count: number) {
  const one = await setUp();
  fixture.gateway.onCharge = async (charge) => {
    fixture.gateway.take(charge);
    return unknown;
  };
  for (let n = 0; n < count; n += 1) {
    const invoice = await fixture.seedPayable(one.customer);
    const body = { ...one.body, uid: invoice.token, invoiceNumber: invoice.number, cardToken: `tok_${n}` };
    await post('/v1/ec/pay', body);
  }
  const refs = (
    await rows<{ ref: string }>('select ref from attempt where customer_id = $1 order by id', [
      one.customer.id,
    ])
  ).map(({ ref }) => ref as GatewayRef);
  const events = refs.map((ref): GatewayEvent => ({ id: `evt_${ref}`, about: 'charge', ref }));
  const account = await fixture.engine.accounts.activeFor(one.reseller.id);
  if (account === undefined) throw new Error('there is an account');
  const states = () =>
    rows<{ state: string }>('select state from attempt where customer_id = $1 order by id', [
      one.customer.id,
    ]).then((found) => found.map(({ state }) => state));
  fixture.gateway.onWebhook = () => events;
  fixture.gateway.calls.lookup = 0;
  return { ...one, refs, events, account, states, deliver: () => hook(one.reseller.id) };
}
