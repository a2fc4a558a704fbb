import type { GatewayEvent, GatewayRef } from '@counterfoil/gateways/port.ts';
import { hook, post, rows, setUp, unknown, world } from './engine-world.ts';

/** So many payments of one reseller whose answers were lost: the event of each is followed by one look-up. */
export async function lostAnswers(count: number) {
  const one = await setUp();
  world.gateway.onCharge = async (charge) => {
    world.gateway.take(charge);
    return unknown;
  };
  for (let n = 0; n < count; n += 1) {
    const invoice = await world.seedPayable(one.customer);
    const body = { ...one.body, uid: invoice.token, invoiceNumber: invoice.number, cardToken: `tok_${n}` };
    await post('/v1/ec/pay', body);
  }
  const refs = (
    await rows<{ ref: string }>('select ref from attempt where customer_id = $1 order by id', [
      one.customer.id,
    ])
  ).map(({ ref }) => ref as GatewayRef);
  const events = refs.map((ref): GatewayEvent => ({ id: `evt_${ref}`, about: 'charge', ref }));
  const account = await world.engine.accounts.activeFor(one.reseller.id);
  if (account === undefined) throw new Error('there is an account');
  const states = () =>
    rows<{ state: string }>('select state from attempt where customer_id = $1 order by id', [
      one.customer.id,
    ]).then((found) => found.map(({ state }) => state));
  world.gateway.onWebhook = () => events;
  world.gateway.calls.lookup = 0;
  return { ...one, refs, events, account, states, deliver: () => hook(one.reseller.id) };
}
