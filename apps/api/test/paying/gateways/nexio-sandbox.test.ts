import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { casesData } from '@counterfoil/gateways/nexio/cases-data.ts';
import { describe, expect, it } from 'vitest';
import { signInAt } from '../../access-matrix/tenants.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';

/** What the specification says of Nexio, through the whole server and Nexio's sandbox. */
const { settings } = casesData.sandbox;
const cardsAt = '/v1/ec/nexio/cards';
const accountsAt = '/v1/ec/nexio/ach';

/** What a page makes of a number, before it is sent anywhere. */
function encrypted(digits: string): string {
  const key = createPublicKey({
    key: Buffer.from(String(settings['publicKey']), 'base64'),
    format: 'der',
    type: 'spki',
  });
  const padding = constants.RSA_PKCS1_PADDING;
  return publicEncrypt({ key, padding }, Buffer.from(digits)).toString('base64');
}
const visa = ['4111', '1111', '1111', '1111'].join('');

function useNexio(chosen: object) {
  const sandbox = useSandboxFixture(
    { directDebitPaymentMethodId: 1 },
    { account: { id: 'nexio', settings: Object.assign({}, settings, chosen) } },
  );
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
    access?: string,
  ) => {
    const headers = access === undefined ? {} : { authorization: `Bearer ${access}` };
    const answer = await sandbox.fixture.app.inject({ method, url, headers, ...(payload && { payload }) });
    const json = answer.body === '' ? {} : answer.json();
    return { status: answer.statusCode, text: answer.body, data: json.data, json };
  };
  const rows = async (sql: string) => (await sandbox.fixture.database.pool().query(sql)).rows;
  async function signedIn() {
    await rows(`update brand set currency = 'USD'`);
    const { customer, fixture } = sandbox;
    const user = await fixture.make.user({ resellerId: customer.resellerId, customerIds: [customer.id] });
    const { access_token: access } = await signInAt(fixture, user.id, 'test');
    return (method: Parameters<typeof call>[0], url: string, payload?: object) =>
      call(method, url, payload, access);
  }
  const bill = (minor: bigint) =>
    sandbox.fixture.seedPayable(sandbox.customer, { currency: 'USD', subtotalMinor: minor, taxMinor: 0n });
  /** A transaction as the provider has it, read past the adapter. */
  async function transactionOf(orderNumber: string | null | undefined) {
    await sandbox.advance(60_000);
    const login = Buffer.from(`${settings['username']}:${settings['password']}`).toString('base64');
    const answer = await fetch(
      `${sandbox.sandboxUrl}/nexio/transaction/v3?customer.orderNumber=${orderNumber}&plugin.`,
      { headers: { authorization: `Basic ${login}` } },
    );
    return ((await answer.json()) as { rows: readonly object[] }).rows[0];
  }
  return { sandbox, call, signedIn, bill, rows, transactionOf };
}

describe('with the provider’s frame', () => {
  const nexio = useNexio({});

  it('a page is told of the frame and what is always asked for [payments.gateway.constant.code.8, payments.public.field.brand.integrationType, payments.settings.constant.direct-debit-ach]', async () => {
    const invoice = await nexio.bill(4_215n);
    const { data } = await nexio.call('GET', `/v1/ec/payment/details/${invoice.token}`);
    const asked = (names: readonly string[]) =>
      names.map((name) => expect.objectContaining({ name, required: true }));
    expect(data).toMatchObject({
      isFrame: true,
      brandSettings: {
        integrationType: 'Nexio',
        how: 'providerFrame',
        publishableKey: settings['publicKey'],
        formFields: expect.arrayContaining(asked(['cardHolder', 'payerFirstName', 'payerLastName'])),
      },
    });
    const call = await nexio.signedIn();
    const { data: details } = await call('GET', '/v1/ec/payments/details');
    expect(details).toMatchObject({
      paymentType: 8,
      bank: { title: 'ACH', entry: { how: 'providerFrame' } },
    });
    expect(JSON.stringify([data, details])).not.toContain(String(settings['password']));
  });

  it('what a page has encrypted is not taken, nor a number, nor a token of nobody', async () => {
    const call = await nexio.signedIn();
    const card = { expirationMonth: '9', expirationYear: '2031', cardHolderName: 'Ana Poe' };
    const body = { ...card, encryptedNumber: encrypted(visa), cvv: '739' };
    expect(await call('POST', cardsAt, body)).toMatchObject({ status: 400 });
    const invoice = await nexio.bill(4_215n);
    const pay = {
      uid: invoice.token,
      invoiceAmount: '42.15',
      invoiceNumber: invoice.number,
      cardHolder: 'Ana Poe',
    };
    for (const cardNumber of [encrypted(visa), visa]) {
      const refused = await nexio.call('POST', '/v1/ec/pay', {
        ...pay,
        cardNumber,
        expirationDate: '2031-09',
        cardCode: '739',
      });
      expect(refused.json, refused.text).toMatchObject({ code: 'payment.rawCard' });
    }
    const foreign = { ...pay, cardToken: '00000000-0000-4000-8000-000000000000' };
    expect((await nexio.call('POST', '/v1/ec/pay', foreign)).data).toMatchObject({ status: 'failed' });
    expect(await nexio.sandbox.charges()).toEqual([]);
  });
});

describe('with numbers that the page encrypts', () => {
  const nexio = useNexio({ cardEntry: 'ownFieldsEncrypted', bankEntry: 'ownFieldsEncrypted' });
  const customer = {
    billingAddress: '1 High St',
    billingAddress2: 'Flat 2',
    billingPhone: '8015550100',
    shippingAddress: '2 Bay Rd',
    shippingPhone: '8015550101',
    country: 'US',
    state: 'UT',
    zip: '84601',
    city: 'Provo',
    email: 'ana@mail.example',
    payerFirstName: 'Ana',
    payerLastName: 'Poe',
  };
  const card = (over: object = {}) => ({
    firstSix: visa.slice(0, 6),
    lastFour: '1111',
    cvv: '739',
    cardType: 'visa',
    expirationMonth: '09',
    expirationYear: '2031',
    encryptedNumber: encrypted(visa),
    cardHolderName: 'Ana Poe',
    customer,
    ...over,
  });

  it('a card is added as the specification has it, shown as nexioCard, changed, made the default, and removed [payments.nexio.call.{cards,add-card,update-card,delete,default}, payments.nexio.field.add-card.*, payments.nexio.field.nexioCard.*, payments.nexio.field.customer.*, payments.methods.field.add.form]', async () => {
    const call = await nexio.signedIn();
    const sent = card();
    const added = await call('POST', cardsAt, sent);
    expect(added.data, added.text).toMatchObject({ status: 'succeeded' });
    const { source } = added.data;
    const { city: _notNamed, ...named } = customer;
    expect((await call('GET', cardsAt)).data).toMatchObject([
      {
        id: source.id,
        kind: 'card',
        isDefault: true,
        name: 'Ana Poe',
        nexioCard: {
          cardType: 'visa',
          lastFour: '1111',
          expirationMonth: '09',
          expirationYear: '2031',
          customer: named,
        },
      },
    ]);
    const changed = await call('PUT', cardsAt, { id: source.id, expMonth: 11, expYear: 2033 });
    expect(changed.data, changed.text).toMatchObject({ expMonth: 11, expYear: 2033, name: 'Ana Poe' });
    const second = (await call('POST', cardsAt, card())).data.source;
    expect((await call('PUT', '/v1/ec/nexio/customer-default-source', { id: second.id })).status).toBe(204);
    expect((await call('DELETE', cardsAt, { id: source.id })).status).toBe(204);
    expect((await call('GET', cardsAt)).data).toMatchObject([{ id: second.id, isDefault: true }]);
    // Nowhere in the books: what opens the number, or could be tried against it.
    const tables = await nexio.rows(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const found = await nexio.rows(
        `select 1 from "${name}" t where t::text like '%${sent.encryptedNumber.slice(0, 40)}%'`,
      );
      expect(found, name).toEqual([]);
    }
  });

  it('an account is added as the specification has it, and shown [payments.nexio.call.{ach,add-ach}, payments.nexio.field.add-ach.*, payments.nexio.field.ach.*, payments.methods.field.add.form]', async () => {
    const call = await nexio.signedIn();
    const added = await call('POST', accountsAt, {
      routingNumber: '110000000',
      encryptedBankAccountNumber: encrypted('123456789012'),
      accountHolderName: 'Ana Poe',
      email: 'ana@mail.example',
      billingAddress: '1 High St',
      lastFour: '9012',
      mandateAccepted: true,
    });
    expect(added.data, added.text).toMatchObject({ status: 'succeeded' });
    expect((await call('GET', accountsAt)).data).toMatchObject([
      {
        kind: 'bank',
        sourceType: 'ACH',
        nexioAch: {
          accountHolderName: 'Ana Poe',
          routingNumber: '110000000',
          accountAddress: '1 High St',
          accountEmail: 'ana@mail.example',
          lastFour: '9012',
        },
      },
    ]);
  });

  it.each([
    [
      'a wrong check digit of the routing number',
      accountsAt,
      {
        routingNumber: '999546788',
        encryptedBankAccountNumber: encrypted('123456789012'),
        accountHolderName: 'Ana Poe',
        mandateAccepted: true,
      },
    ],
    ['a code of other lengths', cardsAt, card({ cvv: '73' })],
    ['a number in clear', cardsAt, card({ encryptedNumber: visa })],
    ['a number in clear beside it', cardsAt, card({ cardNumber: visa })],
    ['a code in another member', cardsAt, card({ fields: { cvv: '739' } })],
    ['what cannot be read', cardsAt, card({ encryptedNumber: `${'Ab1+'.repeat(85)}Ab==` })],
    ['a date that is over', cardsAt, card({ expirationYear: '2020' })],
  ])('%s is refused, and nothing is saved', async (_name, path, body) => {
    const call = await nexio.signedIn();
    const before = (await call('GET', path)).data.length;
    const refused = await call('POST', path, body);
    expect([400, 402], refused.text).toContain(refused.status);
    expect(refused.text).not.toContain(visa);
    expect((await call('GET', path)).data).toHaveLength(before);
  });

  it('a link is paid by an encrypted cardNumber and the names of its payer [payments.public.field.pay.nexio.*]', async () => {
    const invoice = await nexio.bill(4_215n);
    const paid = await nexio.call('POST', '/v1/ec/pay', {
      uid: invoice.token,
      invoiceAmount: '42.15',
      invoiceNumber: invoice.number,
      cardHolder: 'Ana Poe',
      email: 'ana@mail.example',
      cardNumber: encrypted(visa),
      expirationDate: '2031-09',
      cardCode: '739',
      nexioCustomerDetails: { payerFirstName: 'Ana', payerLastName: 'Poe', email: 'ana@mail.example' },
    });
    expect(paid.data, paid.text).toMatchObject({ status: 'succeeded' });
    const [charge] = await nexio.sandbox.charges();
    expect(charge?.minor).toBe(4_215);
    expect(await nexio.transactionOf(charge?.reference)).toMatchObject({
      amount: 42.15,
      customer: { firstName: 'Ana', lastName: 'Poe', email: 'ana@mail.example' },
    });
  });
});
