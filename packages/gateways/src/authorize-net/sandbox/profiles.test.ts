/** The envelope and customer profiles, by plain requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  account,
  add,
  ask,
  harness,
  idOf,
  pay,
  post,
  profile,
  read,
  typed,
  unique,
  visa,
} from './plain-requests.ts';

beforeAll(() => harness.start());
afterAll(() => harness.end());

describe('the envelope', () => {
  it('1, 2: knows an account by its key; every answer is HTTP 200, JSON, and begins with a byte-order mark', async () => {
    const good = await ask('authenticateTest');
    expect([good.code, good.status, good.type]).toEqual(['I00001', 200, 'application/json; charset=utf-8']);
    expect([...good.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const wrong = { merchantAuthentication: { name: 'plain', transactionKey: 'x' } };
    expect(await post({ authenticateTestRequest: wrong })).toMatchObject({ code: 'E00007', status: 200 });
    expect((await post({ authenticateTestRequest: {} })).code).toBe('E00003');
  });

  it('3: names what it does not know, and what should stand where the order is wrong', async () => {
    expect((await ask('chargeEverybody')).code).toBe('E00004');
    const { code, text } = await ask('authenticateTest', { colour: 'red' });
    expect([code, text]).toEqual(['E00003', expect.stringContaining("'colour'")]);
    const late = await ask('createTransaction', {
      transactionRequest: { transactionType: 'authCaptureTransaction', billTo: {}, order: {} },
    });
    expect(late.text).toMatch(/invalid child element 'order'.*expected: 'shipTo, customerIP/);
  });

  it.each([
    ['a name of 23 characters', account({ nameOnAccount: 'x'.repeat(23) }), 'nameOnAccount'],
    ['a number of 17 digits', typed({ cardNumber: `${visa}0` }), 'cardNumber'],
  ])('4: refuses %s by the schema', async (_what, payment, element) => {
    expect(await pay({ payment })).toMatchObject({ code: 'E00003', text: expect.stringContaining(element) });
  });

  it('4, 5: refuses a reference of 21 characters, and XML', async () => {
    expect((await ask('authenticateTest', {}, 'plain', 'x'.repeat(21))).code).toBe('E00003');
    expect((await post('<x/>', 'text/xml')).code).toBe('E00002');
  });
});

it('gives browsers a script that can be read, to any page', async () => {
  const answer = await fetch(`${harness.sandbox.url}/authorize-net/v1/Accept.js`);
  expect(answer.headers.get('content-type')).toContain('javascript');
  // Throws where types were left in it.
  expect(new Function(await answer.text())).toBeInstanceOf(Function);
});

describe('customer profiles', () => {
  it('6: names the profile that is there already, in its text alone', async () => {
    const same = { profile: { merchantCustomerId: unique(), description: 'd', email: 'a@x.example' } };
    const made = await ask('createCustomerProfile', same);
    expect(await ask('createCustomerProfile', same)).toMatchObject({
      code: 'E00039',
      text: `A duplicate record with ID ${String(made.body['customerProfileId'])} already exists.`,
    });
  });

  it('7, 11: gives back masked numbers, and the expiry where that is asked for', async () => {
    const id = await profile();
    const [card, bank] = [await add(id, typed()), await add(id, account())];
    expect(await read(id, idOf(card))).toMatchObject({
      payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX', cardType: 'Visa' } },
    });
    expect(await read(id, idOf(card), true)).toMatchObject({
      payment: { creditCard: { expirationDate: '2035-12' } },
    });
    expect(await read(id, idOf(bank))).toMatchObject({
      payment: { bankAccount: { routingNumber: 'XXXX2882', accountNumber: 'XXXX9012' } },
    });
  });

  it('8, 9: the same card with the same address is there already; another customer may have it', async () => {
    const id = await profile();
    const first = await add(id, typed(), { address: 'same' });
    expect(await add(id, typed(), { address: 'same' })).toMatchObject({
      code: 'E00039',
      body: { customerProfileId: id, customerPaymentProfileId: idOf(first) },
    });
    expect((await add(await profile(), typed(), { address: 'same' })).code).toBe('I00001');
  });

  it('10: refuses a number with a wrong check digit; its bank may refuse too', async () => {
    const id = await profile();
    expect(await add(id, typed({ cardNumber: visa.replace(/1$/, '2') }))).toMatchObject({ code: 'E00027' });
    expect(await add(id, typed(), { zip: '46282' }, 'liveMode')).toMatchObject({
      code: 'E00027',
      body: { validationDirectResponse: expect.stringMatching(/^2,1,2,/) },
    });
    expect((await add(id, typed(), { zip: '46282' })).code).toBe('I00001');
  });

  it('12: takes ten methods and no eleventh', async () => {
    const id = await profile();
    for (let at = 0; at < 10; at += 1) expect((await add(id, typed())).code).toBe('I00001');
    expect((await add(id, typed())).code).toBe('E00042');
  });

  it('13: keeps a masked number, takes the new expiry, blanks what is left out', async () => {
    const id = await profile();
    const method = idOf(await add(id, typed()));
    await ask('updateCustomerPaymentProfile', {
      customerProfileId: id,
      paymentProfile: {
        payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: '2036-01' } },
        customerPaymentProfileId: method,
      },
    });
    const after = await read(id, method, true);
    expect(after).toMatchObject({
      payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: '2036-01' } },
    });
    expect(after).not.toHaveProperty('billTo');
  });

  it('14, 15: has one default or none, and nothing of a method that was deleted', async () => {
    const id = await profile();
    const [a, b] = [idOf(await add(id, typed())), idOf(await add(id, typed()))];
    for (const one of [a, b])
      await ask('updateCustomerPaymentProfile', {
        customerProfileId: id,
        paymentProfile: {
          payment: { creditCard: { cardNumber: 'XXXX1111', expirationDate: 'XXXX' } },
          defaultPaymentProfile: true,
          customerPaymentProfileId: one,
        },
      });
    expect([await read(id, a), await read(id, b)].map((one) => one['defaultPaymentProfile'])).toEqual([
      undefined,
      true,
    ]);
    const gone = { customerProfileId: id, customerPaymentProfileId: b };
    expect((await ask('deleteCustomerPaymentProfile', gone)).code).toBe('I00001');
    expect((await ask('deleteCustomerPaymentProfile', gone)).code).toBe('E00040');
    expect((await pay({ profile: { customerProfileId: id } })).code).toBe('E00121');
  });
});
