import type { Method } from '@counterfoil/gateways/port/gateway.ts';
import { describe, expect, it } from 'vitest';
import {
  fixture,
  hook,
  paths,
  person,
  refOf,
  rows,
  states,
} from '../../../test/fixtures/paying/methods-fixture.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { methodForCharge } from './service.ts';

const card = (token: string, over: object = {}) => fixture.gateway.card(token, over);

/** A customer with one saved card, and what the gateway calls them. */
async function known() {
  const me = await person();
  const id = await me.add('tok_1');
  const payer = `cus_${await refOf(me.customerId)}`;
  const tell = (event: object, headers?: Record<string, string>) => hook(me.resellerId, event, headers);
  const atGateway = (...methods: Method[]) => {
    fixture.gateway.onListMethods = async function* list() {
      yield* methods;
    };
    fixture.gateway.onGetMethod = async (gatewayState) => {
      const method = methods.find((one) => one.state['token'] === gatewayState['token']);
      return method === undefined ? { is: 'gone' } : { is: 'there', method };
    };
  };
  return { me, id, payer, tell, atGateway };
}

describe('events about saved methods', () => {
  it('of a change: the method is read and shown as it is now', async () => {
    const { me, id, tell, atGateway } = await known();
    atGateway(card('tok_1', { expires: '2035-02', show: { type: 'card', last4: '1111' } }));
    for (const headers of [{ 'x-signed': '1' }, {}]) {
      expect((await tell({ remote: 'm_tok_1' }, headers)).statusCode).toBe(200);
      expect(await me.cards()).toMatchObject([{ id, last4: '1111', expYear: 2035, isDefault: true }]);
    }
  });

  it('of an end: it is gone, and the next one is the default', async () => {
    const { me, tell, atGateway } = await known();
    const other = await me.add('tok_2');
    atGateway(card('tok_2'));
    await tell({ remote: 'm_tok_1' });
    expect(await me.cards()).toMatchObject([{ id: other, isDefault: true }]);
  });

  it('says nothing that is not so at the gateway', async () => {
    const { me, id, tell, atGateway } = await known();
    atGateway(card('tok_1'));
    await tell({ remote: 'm_tok_1' }, {});
    expect(await me.cards()).toMatchObject([{ id }]);
  });

  it('of a card that was added there: it is taken in once, whoever else tells of it', async () => {
    const { me, payer, tell, atGateway } = await known();
    atGateway(card('tok_1'), card('tok_new'));
    await Promise.all([tell({ remote: 'm_tok_new', payer }), tell({ remote: 'm_tok_new', payer })]);
    expect(await me.cards()).toHaveLength(2);
    expect(await me.defaults()).toHaveLength(1);
  });

  it('of a second token of a known card: it is left alone there', async () => {
    const { me, payer, tell, atGateway } = await known();
    atGateway(card('tok_1'), card('tok_again', { fingerprint: 'f_tok_1' }));
    await tell({ remote: 'm_tok_again', payer });
    expect(await me.cards()).toHaveLength(1);
    expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'active', n: 1 }]);
  });

  it('does not bring back what was removed here', async () => {
    const { me, id, payer, tell, atGateway } = await known();
    fixture.gateway.onRemoveMethod = async () => 'unknown';
    await me.call('DELETE', `${paths.cards}/${id}`);
    atGateway(card('tok_1'));
    await tell({ remote: 'm_tok_1', payer });
    await tell({ remote: 'm_tok_none', payer });
    expect(await me.cards()).toEqual([]);
    expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'leaving', n: 1 }]);
  });

  it('of a list that has lost a method: that one is asked for by itself', async () => {
    const { me, payer, tell, atGateway } = await known();
    atGateway();
    await tell({ remote: 'm_other', payer });
    expect(await me.cards()).toEqual([]);
  });

  it('that cannot be followed now is followed later', async () => {
    const { me, id, tell } = await known();
    fixture.gateway.onGetMethod = async () => ({ is: 'unknown', evidence: 'down' });
    expect((await tell({ id: 'e_again', remote: 'm_tok_1' })).statusCode).toBe(200);
    expect(await me.cards()).toMatchObject([{ id }]);
    fixture.gateway.onGetMethod = async () => ({ is: 'gone' });
    fixture.clock.advance(2_000);
    await fixture.eventsFollowed();
    expect(await me.cards()).toEqual([]);
    expect(await rows('select 1 from payment_method where id = $1', [id])).toHaveLength(1);
  });

  it('of an unknown customer changes nothing', async () => {
    const { me, tell } = await known();
    for (const about of ['method', 'mandate', 'payer'])
      expect((await tell({ about, remote: 'x_1', payer: 'cus_other' })).statusCode).toBe(200);
    expect(await me.cards()).toHaveLength(1);
  });

  it('of another reseller’s gateway does not reach a customer by the same name', async () => {
    const { me, payer, atGateway } = await known();
    const stranger = await person();
    atGateway();
    await hook(stranger.resellerId, { remote: 'm_tok_1', payer });
    expect(await me.cards()).toHaveLength(1);
  });
});

describe('what a charge takes to the gateway', () => {
  it('is the method and its payer; nothing of a removed, foreign or unusable one', async () => {
    const { me, id, payer } = await known();
    const account = await fixture.engine.accounts.activeFor(me.resellerId);
    if (account === undefined) throw new Error('there is a gateway');
    const take = (customerId: string, methodId: string) =>
      methodForCharge(
        fixture.engine,
        authorisedCustomer(customerId, me.resellerId, 'system'),
        account,
        methodId,
      );
    expect(await take(me.customerId, id)).toEqual({
      id,
      kind: 'card',
      saved: { token: 'tok_1' },
      payer: { customer: payer },
      shown: expect.objectContaining({ type: 'card', brand: 'visa', last4: '4242' }),
    });
    expect(await take((await person()).customerId, id)).toBeUndefined();
    await rows("update payment_method set usable = 'never', is_default = false where id = $1", [id]);
    expect(await take(me.customerId, id)).toBeUndefined();
    await rows("update payment_method set usable = 'now', state = 'leaving' where id = $1", [id]);
    expect(await take(me.customerId, id)).toBeUndefined();
  });
});

describe('after a change of gateway', () => {
  it('the old methods are kept and not offered [decisions.4.one-gateway, decisions.4.old-methods-kept, decisions.4.old-methods-not-offered]', async () => {
    const { me, id } = await known();
    await rows('update gateway_account set is_active = false where reseller_id = $1', [me.resellerId]);
    expect(await me.cards()).toEqual([]);
    expect((await me.call('PUT', paths.defaultSource, { id })).json().code).toBe('gateway.misconfigured');
    expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'active', n: 1 }]);
    await rows(
      `insert into gateway_account (id, reseller_id, gateway, config)
       values (gen_random_uuid(), $1, 'scripted', '{"key": "other"}')`,
      [me.resellerId],
    );
    expect(await me.cards()).toEqual([]);
    expect((await me.call('PUT', paths.defaultSource, { id })).statusCode).toBe(404);
    await me.add('tok_1');
    expect(await me.cards()).toHaveLength(1);
  });
});
