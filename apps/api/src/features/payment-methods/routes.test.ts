import { describe, expect, it } from 'vitest';
import {
  fixture,
  hook,
  paths,
  person,
  remoteId,
  rows,
  states,
} from '../../../test/fixtures/paying/methods-fixture.ts';
import { reconcileMethods } from './tasks.ts';

const cardOf = (token: string, over: object = {}) => fixture.gateway.card(token, over);
const finishAs = (over: (token: string) => object) => {
  fixture.gateway.onCompleteSetup = async ({ input }) => {
    const token = 'token' in input ? input.token : '';
    return { is: 'saved', method: cardOf(token, over(token)) };
  };
};

describe('adding a card', () => {
  it('lists it in the common shape and in the gateway’s own [payments.methods.{call.cards,call.add,field.add.token,field.add.provider-type}, payments.source.field.{id,isDefault,brand,last4,expiry-month,expiry-year,cardHolderName}, payments.source.{field.address,field.billingDetails}.*]', async () => {
    const me = await person();
    const added = await me.call('POST', paths.cards, {
      token: 'tok_one',
      email: 'payer@mail.example',
      type: 99,
    });
    expect(added.statusCode).toBe(200);
    const [card] = await me.cards();
    expect(added.json().data).toMatchObject({ status: 'succeeded', source: { id: card?.id } });
    expect(card).toEqual({
      id: card?.id,
      paymentSourceId: card?.id,
      default: true,
      isDefault: true,
      kind: 'card',
      sourceType: 'CC',
      status: 'ready',
      isExpired: false,
      brand: 'visa',
      last4: '4242',
      lastFour: '4242',
      routingNumber: null,
      name: 'Jo Fox',
      expMonth: 8,
      expYear: 2031,
      mandate: null,
      verification: null,
      address: { line1: null, line2: null, city: null, state: null, postalCode: null, country: null },
      billingDetails: {
        name: 'Jo Fox',
        email: null,
        phone: null,
        address: { line1: null, line2: null, city: null, state: null, postalCode: null, country: null },
      },
      scriptedCard: { last4: '4242' },
    });
  });

  it('tells the gateway what was typed beside the token [payments.methods.field.add.email, payments.new-card.field.{cardHolder,email}, payments.new-card.field.billingAddress.*]', async () => {
    const me = await person();
    const seen: unknown[] = [];
    fixture.gateway.onCompleteSetup = async ({ input, owner }) => {
      seen.push(owner);
      return { is: 'saved', method: cardOf('token' in input ? input.token : '') };
    };
    await me.call('POST', paths.cards, {
      token: 'tok_1',
      cardHolder: ' Jo Fox ',
      email: 'jo@mail.example',
      type: 99,
      billingAddress: { address: '1 High St', city: 'Leeds', state: 'WY', zip: 'LS1', country: 'GB' },
    });
    await me.call('POST', paths.cards, { token: 'tok_2', email: '', cardNumber: '', cvc: null });
    const address = { line1: '1 High St', city: 'Leeds', state: 'WY', postalCode: 'LS1', country: 'GB' };
    expect(seen).toEqual([{ name: 'Jo Fox', email: 'jo@mail.example', billing: address }, {}]);
  });

  it('makes the first the default, not the second, and uses one payer at the gateway', async () => {
    const me = await person();
    const [first] = [await me.add('tok_1'), await me.add('tok_2')];
    expect(await me.defaults()).toEqual([first]);
    expect(await rows('select 1 from payer where customer_id = $1', [me.customerId])).toHaveLength(1);
  });

  it('that is known by its fingerprint updates it instead of doubling it, and gives the old token back', async () => {
    const me = await person();
    const gone: unknown[] = [];
    fixture.gateway.onRemoveMethod = async (gatewayState) => {
      gone.push(gatewayState['token']);
      return 'gone';
    };
    finishAs(() => ({ fingerprint: 'the same' }));
    const first = await me.add('tok_old');
    finishAs(() => ({ fingerprint: 'the same', expires: '2039-01' }));
    expect(await me.add('tok_new')).toBe(first);
    expect(await me.cards()).toMatchObject([{ id: first, expYear: 2039, isDefault: true }]);
    await reconcileMethods(fixture.engine);
    expect(gone).toEqual(['tok_old']);
  });

  it.each<[string, object, number, string, Record<string, string>?]>([
    ['no token', { token: '' }, 400, 'request.invalid'],
    ['nothing', {}, 400, 'request.invalid'],
    ['a token of another provider', { token: 'src_1' }, 400, 'request.invalid'],
    ['a card number as the token', { token: '4242424242424242' }, 400, 'request.invalid'],
    [
      'an account number as the name',
      { token: 'tok_1', cardHolder: 'Jo 000123456789' },
      400,
      'request.invalid',
    ],
    [
      'an IBAN as the name',
      { token: 'tok_1', cardHolder: 'DE89 3704 0044 0532 0130 00' },
      400,
      'request.invalid',
    ],
    ['a page made for another provider', { token: 'tok_1', type: 1 }, 409, 'paymentMethod.otherProvider'],
    ['a key that is none', { token: 'tok_1' }, 400, 'request.malformed', { 'idempotency-key': 'a b' }],
  ])(
    'refuses %s, without calling the gateway [payments.methods.field.add.provider-type]',
    async (_name, body, status, code, headers = {}) => {
      const me = await person();
      let calls = 0;
      fixture.gateway.onBeginSetup = async () => {
        calls += 1;
        throw new Error('not to be called');
      };
      const answer = await me.call('POST', paths.cards, body, headers);
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      expect(calls).toBe(0);
      expect(await states(me.customerId, 'method_setup')).toEqual([]);
    },
  );

  it.each([
    [
      'in the gateway’s words',
      { is: 'refused', why: { class: 'otherMethod', code: 'x', text: 'Your card has insufficient funds' } },
      402,
      'Your card has insufficient funds',
    ],
    ['of our request', { is: 'notAttempted', why: 'invalid', detail: 'x' }, 400, 'could not be saved'],
    ['of our keys', { is: 'notAttempted', why: 'config', detail: 'x' }, 409, 'not configured properly'],
    [
      'for want of a line',
      { is: 'notAttempted', why: 'unreachable', detail: 'x' },
      503,
      'Our server returned error',
    ],
  ] as const)('tells a refusal %s', async (_name, told, status, text) => {
    const me = await person();
    fixture.gateway.onCompleteSetup = async () => told;
    const answer = await me.call('POST', paths.cards, { token: 'tok_1' });
    expect(answer.statusCode).toBe(status);
    expect(answer.json().message).toContain(text);
    expect(await me.cards()).toEqual([]);
    // The same token again after a refusal is another try.
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: cardOf('tok_1') });
    expect((await me.call('POST', paths.cards, { token: 'tok_1' })).statusCode).toBe(200);
  });

  it('answers the same Idempotency-Key with the same card, and refuses it for another', async () => {
    const me = await person();
    const headers = { 'idempotency-key': 'click-1' };
    const [one, two] = [
      await me.call('POST', paths.cards, { token: 'tok_1' }, headers),
      await me.call('POST', paths.cards, { token: 'tok_1' }, headers),
    ];
    expect(two.json().data).toEqual(one.json().data);
    const other = await me.call('POST', paths.cards, { token: 'tok_2' }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, 'payment.keyReused']);
    expect(await me.cards()).toHaveLength(1);
  });

  it('twice at once saves it once; ten cards at once have one default', async () => {
    const me = await person();
    let finished = 0;
    fixture.gateway.onCompleteSetup = async ({ input }) => {
      finished += 1;
      return { is: 'saved', method: cardOf('token' in input ? input.token : '') };
    };
    const same = await Promise.all(
      Array.from({ length: 5 }, () => me.call('POST', paths.cards, { token: 'tok_same' })),
    );
    expect(new Set(same.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(finished).toBe(1);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => me.call('POST', paths.cards, { token: `tok_${n}` })),
    );
    expect(await me.cards()).toHaveLength(11);
    expect(await me.defaults()).toHaveLength(1);
  });

  it('a token that another request has saved between look and insert is not sent again', async () => {
    const me = await person();
    const first = await me.call('POST', paths.cards, { token: 'tok_same' });
    let finished = 0;
    fixture.gateway.onCompleteSetup = async () => {
      finished += 1;
      return { is: 'saved', method: cardOf('tok_same') };
    };
    // To the second request the first is not there yet when it looks, and is saved when it inserts.
    const digest = 'update method_setup set request_digest = $2 where customer_id = $1';
    const [setup] = await rows<{ request_digest: Buffer }>(
      'select request_digest from method_setup where customer_id = $1',
      [me.customerId],
    );
    await rows(digest, [me.customerId, null]);
    const holder = await fixture.database.pool().connect();
    await holder.query('begin; lock table payer in access exclusive mode');
    await holder.query(digest, [me.customerId, setup?.request_digest]);
    const second = me.call('POST', paths.cards, { token: 'tok_same' });
    const waiting = async () =>
      (
        await rows(`select 1 from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock' and query like '%from payer%'`)
      ).length;
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    await holder.query('commit');
    holder.release();
    expect((await second).json().data).toEqual(first.json().data);
    expect(finished).toBe(0);
    expect(await me.cards()).toHaveLength(1);
  });
});

describe('the default', () => {
  it('is one, however many are set at once [decisions.2.call.default-source, decisions.2.field.default-source.id]', async () => {
    const me = await person();
    const ids = [await me.add('tok_1'), await me.add('tok_2'), await me.add('tok_3')];
    const answers = await Promise.all(
      ids.flatMap((id) => [1, 2].map(() => me.call('PUT', paths.defaultSource, { id }))),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([204]));
    expect(await me.defaults()).toHaveLength(1);
    await me.call('PUT', paths.defaultSource, { id: ids[1] });
    expect(await me.defaults()).toEqual([ids[1]]);
    expect((await me.cards()).map((card) => card.isDefault)).toEqual([false, true, false]);
  });

  it('is not a card that has expired [payments.methods.error.expired]', async () => {
    const me = await person();
    await me.add('tok_1');
    finishAs(() => ({ expires: '2020-01' }));
    const expired = await me.add('tok_2');
    expect(await me.cards()).toMatchObject([{ isExpired: false }, { isExpired: true }]);
    const answer = await me.call('PUT', paths.defaultSource, { id: expired });
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'Your credit card has expired. Please add a new one and try again',
    ]);
  });

  it('is not a method that cannot be charged', async () => {
    const me = await person();
    await me.add('tok_1');
    finishAs(() => ({ usable: 'never' }));
    const dead = await me.add('tok_2');
    expect((await me.call('PUT', paths.defaultSource, { id: dead })).json().code).toBe(
      'paymentMethod.notUsable',
    );
    expect((await me.cards())[1]).toMatchObject({ status: 'unusable', isDefault: false });
  });

  it('passes to the first remaining: cards before bank accounts, the oldest first, expired ones not at all [payments.methods.delete-default, decisions.4.first-remaining]', async () => {
    const me = await person();
    finishAs((token) =>
      token.startsWith('pm_') ? { kind: 'bank' } : token === 'tok_expired' ? { expires: '2020-01' } : {},
    );
    const bank = await me.add('pm_bank');
    await me.add('tok_expired');
    const older = await me.add('tok_older');
    const newer = await me.add('tok_newer');
    for (const [removed, next] of [
      [bank, older],
      [older, newer],
    ]) {
      await me.call('PUT', paths.defaultSource, { id: removed });
      expect((await me.call('DELETE', `${paths.cards}/${removed}`)).statusCode).toBe(204);
      expect(await me.defaults()).toEqual([next]);
    }
    await me.call('DELETE', `${paths.cards}/${newer}`);
    expect(await me.defaults()).toEqual([]);
  });

  it('is told to the gateway, and one set there is followed once', async () => {
    const me = await person();
    const told: unknown[] = [];
    fixture.gateway.onSetDefaultMethod = async (_payer, gatewayState) => {
      told.push(gatewayState['token']);
      return 'done';
    };
    const [first, second] = [await me.add('tok_1'), await me.add('tok_2')];
    await me.call('PUT', paths.defaultSource, { id: second });
    expect(told.at(-1)).toBe('tok_2');
    const [payer] = await rows<{ ref: string }>(
      'select ref from method_setup where customer_id = $1 order by id',
      [me.customerId],
    );
    const event = { about: 'payer', payer: `cus_${payer?.ref}`, remote: `cus_${payer?.ref}` };
    fixture.gateway.onGetDefaultMethod = async () => remoteId('m_tok_1');
    expect((await hook(me.resellerId, event)).statusCode).toBe(200);
    expect(await me.defaults()).toEqual([first]);
    // The same state seen again is no new wish.
    fixture.gateway.onSetDefaultMethod = async () => 'unknown';
    await me.call('PUT', paths.defaultSource, { id: second });
    await hook(me.resellerId, event);
    expect(await me.defaults()).toEqual([second]);
  });
});
