/** The envelope, customer profiles, charges and what comes after them, by plain requests. */
import { describe, expect, it } from 'vitest';
import {
  account,
  add,
  ask,
  type Body,
  came,
  day,
  details,
  harness,
  idOf,
  pay,
  post,
  profile,
  read,
  refund,
  sale,
  setting,
  typed,
  undo,
  unique,
  visa,
  window8h,
} from './sandbox/plain-requests.ts';

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

describe('charges', () => {
  it('16, 17, 18: charges a saved card with nothing beside it, and nobody else’s', async () => {
    const id = await profile();
    const of = { customerProfileId: id, paymentProfile: { paymentProfileId: idOf(await add(id, typed())) } };
    const said = await pay({ profile: of });
    expect(said.body).toMatchObject({
      transactionResponse: {
        responseCode: '1',
        transId: expect.stringMatching(/^\d+$/),
        accountNumber: 'XXXX1111',
      },
      refId: expect.any(String),
    });
    expect((await pay({ profile: of, billTo: { zip: '1' } })).code).toBe('E00093');
    const both = sale({ profile: of })['transactionRequest'] as Body;
    const { profile: _p, transactionType, amount, ...rest } = both;
    const mixed = { transactionType, amount, payment: typed(), profile: of, ...rest };
    expect((await ask('createTransaction', { transactionRequest: mixed })).code).toBe('E00090');
    expect((await pay({ profile: { ...of, customerProfileId: await profile() } })).code).toBe('E00040');
  });

  it.each([
    ['zip 46282', { billTo: { zip: '46282' } }, ['2', '2']],
    ['an expired card', { payment: typed({ expirationDate: '2020-01' }) }, ['3', '8']],
    [
      'an account with a wrong routing number',
      { payment: account({ routingNumber: '121042883' }) },
      ['3', '9'],
    ],
  ])('19, 21, 30: a payment comes to what its trigger says: %s', async (_what, over, expected) => {
    expect(came(await pay(over)).slice(0, 2)).toEqual(expected);
  });

  it('20: a code or an address that does not match is told, and approved', async () => {
    const said = await pay({ payment: typed({ cardCode: '901' }), billTo: { zip: '46205' } });
    expect(said.body['transactionResponse']).toMatchObject({
      responseCode: '1',
      cvvResultCode: 'N',
      avsResultCode: 'N',
    });
  });

  it('22: knows equal contents within the window, and names the original only where the window is given', async () => {
    const order = { invoiceNumber: unique() };
    const [, , first] = came(await pay({ order, ...window8h }));
    expect(came(await pay({ order, ...window8h }))).toEqual(['3', '11', first]);
    expect(came(await pay({ order }))).toEqual(['3', '11', '0']);
    const off = { transactionSettings: { setting: [setting('duplicateWindow', '0')] } };
    expect(came(await pay({ order, ...off }))[0]).toBe('1');
    expect(came(await pay(window8h))[0]).toBe('1');
    await harness.advance(8 * 3_600_000 + 1_000);
    expect(came(await pay({ order, ...window8h }))[0]).toBe('1');
  });

  it('30: an account is debited up to 100, and returned later', async () => {
    expect(came(await pay({ payment: account() }, '99.00'))[0]).toBe('1');
    expect(came(await pay({ payment: account() }, '101.00')).slice(0, 2)).toEqual(['2', '2']);
    const [, , id] = came(await pay({ payment: account({ accountNumber: '900000000101' }) }, '9.00'));
    await harness.advance(10_000);
    expect(await details(id)).toMatchObject({ returnedItems: [{ code: 'R01' }] });
  });

  it('37: approves a part where that is allowed', async () => {
    const billTo = { zip: '46225' };
    const said = await pay({ billTo });
    expect(said.body['transactionResponse']).toMatchObject({
      responseCode: '4',
      messages: [{ code: '295' }],
      prePaidCard: { requestedAmount: '125.50', approvedAmount: '1.23' },
    });
    const not = { transactionSettings: { setting: [setting('allowPartialAuth', 'false')] } };
    expect(came(await pay({ billTo, ...not }))[0]).toBe('1');
  });

  it('35: a nonce pays once, within 15 minutes, its own merchant', async () => {
    const nonce = async (): Promise<Body> => {
      const said = await post({
        securePaymentContainerRequest: {
          merchantAuthentication: { name: 'plain', clientKey: 'public-client-key-of-plain' },
          data: { type: 'TOKEN', id: 'x', token: { cardNumber: visa, expirationDate: '1235' } },
        },
      });
      return { opaqueData: said.body['opaqueData'] };
    };
    const once = await nonce();
    expect((await pay({ payment: once })).code).toBe('I00001');
    expect((await pay({ payment: once })).code).toBe('E00114');
    expect((await pay({ payment: await nonce() }, '1.50', 'another')).code).toBe('E00116');
    const old = await nonce();
    await harness.advance(15 * 60_000 + 1_000);
    expect((await pay({ payment: old })).code).toBe('E00115');
  });
});

describe('afterwards', () => {
  it('25: details are those of the transaction, before and after its settlement', async () => {
    expect((await ask('getTransactionDetails', { transId: '1' })).code).toBe('E00040');
    const [, , id] = came(await pay());
    expect(await details(id)).toMatchObject({
      transactionStatus: 'capturedPendingSettlement',
      authAmount: 125.5,
    });
    await harness.advance(day);
    expect(await details(id)).toMatchObject({
      transactionStatus: 'settledSuccessfully',
      batch: { batchId: expect.any(String) },
    });
  });

  it('26: lists the newest first, in pages, not at once; an empty list has another code', async () => {
    const list = (offset: number) =>
      ask(
        'getUnsettledTransactionList',
        { sorting: { orderBy: 'submitTimeUTC', orderDescending: true }, paging: { limit: 2, offset } },
        'lists',
      );
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      ids.unshift(came(await pay({}, '1.50', 'lists'))[2]);
      await harness.advance(1_000);
    }
    expect((await list(1)).code).toBe('I00004');
    await harness.advance(60_000);
    const rows = async (offset: number) =>
      ((await list(offset)).body['transactions'] as { transId: string }[]).map(({ transId }) => transId);
    expect([await rows(1), await rows(2)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect((await list(1)).body['totalNumInResultSet']).toBe(3);
  });

  it('27: voids once; the second time it says so, with response code 1', async () => {
    const [, , id] = came(await pay());
    expect(came(await undo('voidTransaction', id)).slice(0, 2)).toEqual(['1', '1']);
    expect(came(await undo('voidTransaction', id)).slice(0, 2)).toEqual(['1', '310']);
    expect(came(await undo('voidTransaction', '1')).slice(0, 2)).toEqual(['3', '16']);
  });

  it('28: refunds after settlement, in parts, and no more than was taken', async () => {
    const [, , id] = came(await pay());
    expect(came(await refund(id, '1.00')).slice(0, 2)).toEqual(['3', '54']);
    await harness.advance(day);
    expect(came(await refund(id, '100.00'))[0]).toBe('1');
    expect(came(await refund(id, '25.50'))[0]).toBe('1');
    expect(came(await refund(id, '0.01')).slice(0, 2)).toEqual(['3', '55']);
  });

  it('40: an account without the right may not read its transactions', async () => {
    expect((await ask('getUnsettledTransactionList', {}, 'noreport')).code).toBe('E00011');
  });
});
