import { describe, expect, it } from 'vitest';
import { fixture, paths, person, states } from '../../../test/fixtures/paying/methods-fixture.ts';
import { reconcileMethods } from './tasks.ts';

const cardOf = (token: string, over: object = {}) => fixture.gateway.card(token, over);

describe('removing', () => {
  it.each([
    ['with the id in the path', (id: string) => [`${paths.cards}/${id}`] as const],
    ['with the id in the body', (id: string) => [paths.cards, { id }] as const],
    ['by detaching', (id: string) => [`${paths.accounts}/${id}/detach`] as const],
  ])(
    'is done %s [payments.methods.call.delete-card, payments.methods.call.detach]',
    async (_name, request) => {
      const me = await person();
      const id = await me.add('tok_1');
      const [url, body] = request(id);
      expect((await me.call('DELETE', url, body)).statusCode).toBe(204);
      expect(await me.cards()).toEqual([]);
      expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'gone', n: 1 }]);
      expect((await me.call('DELETE', url, body)).statusCode).toBe(404);
    },
  );

  it('takes an address that names JSON as the type of no body', async () => {
    const me = await person();
    const id = await me.add('tok_1');
    const headers = { 'content-type': 'application/json' };
    expect((await me.call('DELETE', `${paths.cards}/${id}`, undefined, headers)).statusCode).toBe(204);
    const nothing = await me.call('DELETE', paths.cards, undefined, headers);
    expect([nothing.statusCode, nothing.json().code]).toEqual([400, 'request.invalid']);
  });

  it('is done for the customer while the gateway cannot be told, which is told until it has understood', async () => {
    const me = await person();
    const id = await me.add('tok_1');
    fixture.gateway.onRemoveMethod = async () => 'unknown';
    expect((await me.call('DELETE', `${paths.cards}/${id}`)).statusCode).toBe(204);
    expect(await me.cards()).toEqual([]);
    fixture.gateway.onRemoveMethod = async () => {
      throw new Error('broken');
    };
    fixture.clock.advance(61_000);
    await reconcileMethods(fixture.engine);
    expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'leaving', n: 1 }]);
    fixture.gateway.onRemoveMethod = async () => 'gone';
    fixture.clock.advance(61_000);
    await reconcileMethods(fixture.engine);
    expect(await states(me.customerId, 'payment_method')).toEqual([{ state: 'gone', n: 1 }]);
  });

  it('what the gateway does not let go stays, and stays the default', async () => {
    const me = await person();
    const [first] = [await me.add('tok_1'), await me.add('tok_2')];
    fixture.gateway.onRemoveMethod = async () => 'inUse';
    const answer = await me.call('DELETE', `${paths.cards}/${first}`);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'paymentMethod.inUse']);
    expect(await me.cards()).toHaveLength(2);
    expect(await me.defaults()).toEqual([first]);
  });
});

describe('changing', () => {
  const put = async (change: object) => {
    const me = await person();
    const id = await me.add('tok_1');
    return { me, id, answer: await me.call('PUT', paths.cards, { id, ...change }) };
  };

  it('changes what is given, and shows what the gateway made of it [payments.methods.call.update]', async () => {
    let asked: unknown;
    fixture.gateway.onUpdateMethod = async (_bag, change) => {
      asked = change;
      return { is: 'saved', method: cardOf('tok_1', { expires: '2033-09', show: { name: 'Al' } }) };
    };
    const { answer } = await put({ expMonth: 9, expYear: '2033', name: 'Al', address: { city: 'Perth' } });
    expect(asked).toEqual({ expMonth: '9', expYear: '2033', name: 'Al', city: 'Perth' });
    expect(answer.json().data).toMatchObject({ expMonth: 9, expYear: 2033, name: 'Al', isDefault: true });
  });

  it.each([
    ['month 0', { expMonth: 0, expYear: 2033 }],
    ['month 13', { expMonth: 13, expYear: 2033 }],
    ['three digits', { expMonth: '012', expYear: 2033 }],
    ['a year of two digits', { expMonth: 1, expYear: 33 }],
    ['a year past', { expMonth: 12, expYear: 2025 }],
    ['beyond 2070', { expMonth: 1, expYear: 2071 }],
    ['a month before this one', { expMonth: 1, expYear: 'now' }],
    ['words', { expMonth: 'May', expYear: 2033 }],
    ['half a number', { expMonth: 1, expYear: '20.5' }],
  ])(
    'refuses %s as the expiry: Please provide valid date [payments.expiry.constant.*, payments.expiry.{year-not-past,month-not-past,error.invalid}]',
    async (_name, change) => {
      const year = fixture.clock.now().getUTCFullYear();
      const expYear = change.expYear === 'now' ? year : change.expYear;
      // In January no month is past: the year before is as good.
      const isJanuary = fixture.clock.now().getUTCMonth() === 0 && change.expYear === 'now';
      const { answer } = await put({ ...change, expYear: isJanuary ? year - 1 : expYear });
      expect([answer.statusCode, answer.json().message]).toEqual([400, 'Please provide valid date']);
    },
  );

  it.each([
    [
      'this month',
      () => ({ m: fixture.clock.now().getUTCMonth() + 1, y: fixture.clock.now().getUTCFullYear() }),
    ],
    ['the last month there is', () => ({ m: 12, y: 2070 })],
  ])(
    'takes %s [payments.expiry.constant.*, payments.expiry.{year-not-past,month-not-past,error.invalid}]',
    async (_name, when) => {
      const { m, y } = when();
      expect((await put({ expMonth: m, expYear: y })).answer.statusCode).toBe(200);
    },
  );

  it('refuses a member this gateway does not take, and a gateway’s refusal is told', async () => {
    const { vault } = fixture.gateway.module.manifest.capabilities;
    const all = vault.update;
    Object.assign(vault, { update: ['name'] });
    const told = (await put({ email: 'a@b.example' })).answer.json();
    Object.assign(vault, { update: [] });
    const none = (await put({ name: 'Al' })).answer.json();
    Object.assign(vault, { update: all });
    expect(told).toMatchObject({ code: 'request.invalid', errors: [{ path: 'email' }] });
    expect(none.code).toBe('paymentMethod.notEditable');
    fixture.gateway.onUpdateMethod = async () => ({
      is: 'refused',
      why: { class: 'fixInput', code: 'x', text: 'Your card’s expiration year is invalid.' },
    });
    const { answer } = await put({ expMonth: 1, expYear: 2034 });
    expect([answer.statusCode, answer.json().message]).toEqual([
      402,
      'Your card’s expiration year is invalid.',
    ]);
  });

  it('whose outcome is unknown is read again', async () => {
    fixture.gateway.onUpdateMethod = async () => ({ is: 'unknown', evidence: 'cut' });
    const { me, answer } = await put({ expMonth: 1, expYear: 2034 });
    expect(answer.statusCode).toBe(503);
    fixture.gateway.onGetMethod = async () => ({
      is: 'there',
      method: cardOf('tok_1', { expires: '2034-01' }),
    });
    await reconcileMethods(fixture.engine);
    expect(await me.cards()).toMatchObject([{ expMonth: 1, expYear: 2034 }]);
  });
});
