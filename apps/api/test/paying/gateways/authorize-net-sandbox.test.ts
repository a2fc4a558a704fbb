import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { SavedSource } from '@counterfoil/contract/paying/payment-methods.ts';
import { describe, expect, it } from 'vitest';
import { reconcileMethods } from '../../../src/features/payment-methods/tasks.ts';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';

/** Authorize.Net through the whole server: its own paths and bodies, and payments whose answers come late or never. */
const NAME = 'product';
const SIGNATURE_KEY = 'AB12'.repeat(32);
const settings = {
  apiLoginId: NAME,
  transactionKey: NAME.padEnd(16, '0'),
  publicClientKey: `public-client-key-of-${NAME}`,
  signatureKeys: [SIGNATURE_KEY],
};
const sandbox = useSandboxFixture(
  { directDebitPaymentMethodId: 1 },
  { account: { id: 'authorize-net', settings, webhookSecret: SIGNATURE_KEY } },
);
const CARDS = '/v1/ec/autorize/cards';
const ACCOUNTS = '/v1/ec/autorize/ach';
const PATH = '/v1/ec/payments';

/** What Accept.js asks for. */
async function nonce(data: object): Promise<string> {
  const answer = await fetch(`${sandbox.sandboxUrl}/authorize-net/xml/v1/request.api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      securePaymentContainerRequest: {
        merchantAuthentication: { name: NAME, clientKey: `public-client-key-of-${NAME}` },
        data: { type: 'TOKEN', id: 'x', ...data },
      },
    }),
  });
  const { opaqueData } = (await answer.json()) as { opaqueData: { dataValue: string } };
  // No longest nonce is documented: those of this sandbox are long, so that all calls must take them.
  expect(opaqueData.dataValue.length).toBeGreaterThan(500);
  return opaqueData.dataValue;
}
const card = () =>
  nonce({ token: { cardNumber: ['4111', '1111', '1111', '1111'].join(''), expirationDate: '1235' } });
const account = () =>
  nonce({
    bankToken: {
      accountNumber: '123456789012',
      routingNumber: '121042882',
      nameOnAccount: 'Jo Fox',
      accountType: 'checking',
    },
  });

/** Somebody new of the reseller. */
async function person() {
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const { customer, call } = await newPerson(sandbox);
  const list = async (url: string) => (await call('GET', url)).json().data as SavedSource[];
  /** Saves, and waits where the answer came too late: calls of this fixture have little time. */
  const add = async (url: string, payload: object): Promise<SavedSource | undefined> => {
    await call('POST', url, payload);
    for (let tries = 0; tries < 20 && (await list(url)).length === 0; tries += 1) {
      await sandbox.advance(30_000);
      await reconcileMethods(fixture.engine);
    }
    return (await list(url))[0];
  };
  /** A session for an invoice of 110.00. */
  const session = async () => {
    const invoice = await fixture.make.invoice({ customerId: customer.id, resellerId });
    return (await call('POST', `${PATH}/intents`, { invoiceIds: [invoice.id] })).json().data as PaymentIntent;
  };
  const settled = async (uid: string) => {
    const read = async () => (await call('POST', `${PATH}/intents/${uid}`)).json().data as PaymentIntent;
    for (let tries = 0; tries < 40; tries += 1) {
      const now = await read();
      if (now.attempt?.expected !== 'seconds') return now;
      await sandbox.advance(20_000);
      await reconcile(fixture.engine);
    }
    return read();
  };
  const taken = async () => {
    const { rows } = await fixture.database
      .pool()
      .query<{ ref: string }>('select ref from attempt where customer_id = $1', [customer.id]);
    const mine = new Set(rows.map(({ ref }) => ref));
    return (await sandbox.charges()).filter((one) => mine.has(one.reference ?? '')).map(({ minor }) => minor);
  };
  return { call, list, add, session, settled, taken };
}

describe('Authorize.Net', () => {
  it('saves cards and accounts at its own paths, in the shapes of the specification [payments.gateway.adapts]', async () => {
    const me = await person();
    const saved = await me.add(CARDS, {
      token: await card(),
      company: 'Fox',
      zip: '68102',
      addressCountry: 'US',
    });
    expect(saved).toMatchObject({
      isDefault: true,
      authorizeCard: { brand: 'Visa', last4: '1111' },
      address: { postalCode: '68102', country: 'US' },
    });
    const body = {
      token: await account(),
      nameOnAccount: 'Jo Fox',
      bankName: 'First Bank',
      mandateAccepted: true,
    };
    expect(await me.add(ACCOUNTS, body)).toMatchObject({
      authorizeBankAccount: {
        nameOnAccount: 'Jo Fox',
        accountNumber: '9012',
        bankName: 'First Bank',
        accountType: 'checking',
      },
    });
    const change = await me.call('PUT', CARDS, { id: saved?.id, expMonth: 3, expYear: 2037 });
    expect(change.json().data).toMatchObject({ expMonth: 3, expYear: 2037 });
    expect((await me.call('DELETE', CARDS, { id: saved?.id })).statusCode).toBe(204);
    expect(await me.list(CARDS)).toEqual([]);
  });

  it.each(['timeout-after', 'timeout-before', 'reset-after'])(
    'a saved card is charged once though its answer is lost: %s',
    async (mode) => {
      const me = await person();
      // The bank is not asked twice about a card at one address.
      const saved = await me.add(CARDS, { token: await card(), address: mode, addressCountry: 'US' });
      const { sessionId } = await me.session();
      await sandbox.control('POST', 'faults', { gateway: 'authorize-net', operation: 'charge', mode });
      // Again while the account itself does not answer in time: nothing was sent then.
      for (let tries = 0; tries < 10; tries += 1) {
        const press = await me.call('POST', `${PATH}/pay/bulk`, { uid: sessionId, cardId: saved?.id });
        if (press.statusCode === 200) break;
      }
      expect((await me.settled(sessionId)).attempt?.status).toBe('succeeded');
      expect(await me.taken()).toEqual([11_000]);
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
    },
  );

  it('a bulk payment takes the nonce of a new card', async () => {
    const me = await person();
    const { sessionId } = await me.session();
    await me.call('POST', `${PATH}/pay/bulk`, {
      uid: sessionId,
      cardToken: await card(),
      cardHolder: 'Jo Fox',
    });
    expect((await me.settled(sessionId)).attempt?.status).toBe('succeeded');
    expect(await me.taken()).toEqual([11_000]);
  });

  it('a pay link takes a nonce once, and says what was paid', async () => {
    const { fixture } = sandbox;
    const invoice = await fixture.seedPayable(sandbox.customer);
    const body = {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      cardToken: await card(),
    };
    const answer = await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: body });
    expect(answer.statusCode).toBe(200);
    const { reference } = answer.json().data;
    for (let tries = 0; tries < 30; tries += 1) {
      if ((await sandbox.charges()).some((one) => one.reference === reference)) break;
      await sandbox.advance(20_000);
      await reconcile(fixture.engine);
    }
    await sandbox.webhooksDelivered();
    const { rows } = await fixture.database
      .pool()
      .query<{ state: string }>('select state from attempt where ref = $1', [reference]);
    expect(rows).toEqual([{ state: 'succeeded' }]);
    expect((await sandbox.charges()).filter((one) => one.reference === reference)).toMatchObject([
      { minor: 11_000 },
    ]);
  });
});

describe('the calls of the specification', () => {
  const toUs = { cardEntry: 'ownFieldsToUs', bankEntry: 'ownFieldsToUs' };
  const specified = useSandboxFixture(
    { directDebitPaymentMethodId: 1 },
    // Nothing goes wrong here: calls may take their time.
    { timeoutMs: 10_000, account: { id: 'authorize-net', settings: { ...settings, ...toUs } } },
  );
  /** Calls of somebody new, where numbers pass this server. */
  const caller = async (at = specified) => (await newPerson(at)).ask;
  const number = ['4111', '1111', '1111', '1111'].join('');
  const wholeCard = {
    cardNumber: number,
    expirationDate: '2035-12',
    company: 'Fox Ltd',
    address: '1 High St',
    city: 'Omaha',
    state: 'NE',
    zip: '68102',
    country: 'United States',
    addressCountry: 'US',
  };
  const wholeAccount = {
    routingNumber: '121042882',
    accountNumber: '123456789012',
    nameOnAccount: 'Jo Fox',
    bankName: 'First Bank',
    accountType: 'checking',
  };
  const agreed = { mandateAccepted: true };

  it('numbers go to the provider unless the account chooses otherwise; of a card nothing else is asked for, of an account all [payments.gateway.constant.code.2, decisions.9.tokenisation-default, payments.settings.constant.direct-debit-ach, payments.authorize.{no-required-fields,edit-country,constant.account-name-max,all-fields,account-type}]', async () => {
    const call = await caller(sandbox);
    const { data } = await call('GET', `${PATH}/details`);
    const how = 'ownFieldsToProvider';
    expect(data).toMatchObject({ paymentType: 2, card: { entry: { how }, editNeeds: ['country'] } });
    const isAsked = ({ required }: { readonly required: boolean }) => required;
    expect(data.card.entry.formFields.filter(isAsked)).toEqual([]);
    expect(data.bank).toMatchObject({ title: 'ACH', entry: { how } });
    const asked = data.bank.entry.formFields.filter(isAsked).map(({ name }: { name: string }) => name);
    expect(new Set(asked)).toEqual(new Set(Object.keys(wholeAccount)));
    expect(data.bank.entry.formFields).toContainEqual({ name: 'nameOnAccount', required: true, max: 22 });
    for (const [url, body] of [
      [CARDS, wholeCard],
      [ACCOUNTS, { ...wholeAccount, ...agreed }],
    ] as const)
      expect(await call('POST', url, body)).toMatchObject({ status: 400, code: 'payment.rawCard' });
  });

  it('a card is added with all its members, listed as authorizeCard, not without a country, made the default, and removed [payments.authorize.{edit-country,call.cards,call.add-card,field.add-card.*,call.delete,call.default,field.authorizeCard.*}, payments.methods.field.add.form, payments.gateway.autorize-kept, decisions.9.specified-payload]', async () => {
    const call = await caller();
    const added = await call('POST', '/v1/ec/autorize/cards', wholeCard);
    expect(added, JSON.stringify(added)).toMatchObject({ status: 200, data: { status: 'succeeded' } });
    const { id } = added.data.source;
    expect((await call('GET', CARDS)).data).toMatchObject([
      {
        id,
        isDefault: true,
        expMonth: 12,
        expYear: 2035,
        authorizeCard: { brand: 'Visa', last4: '1111' },
        address: { line1: '1 High St', city: 'Omaha', state: 'NE', postalCode: '68102', country: 'US' },
      },
    ]);
    // What the provider keeps of it; no member of the specification's shape shows it.
    const { rows } = await specified.fixture.database
      .pool()
      .query("select show ->> 'company' as company from payment_method where id = $1", [id]);
    expect(rows).toEqual([{ company: 'Fox Ltd' }]);
    expect(await call('PUT', CARDS, { id, address: { country: '' } })).toMatchObject({
      status: 402,
      message: 'Please choose a country',
    });
    const other = { cardNumber: ['4242', '4242', '4242', '4242'].join(''), expirationDate: '2035-11' };
    const second = (await call('POST', CARDS, other)).data.source;
    const set = await call('PUT', '/v1/ec/autorize/customer-default-source', { id: second.id });
    expect(set.status).toBe(204);
    expect((await call('DELETE', CARDS, { id })).status).toBe(204);
    expect((await call('GET', CARDS)).data).toMatchObject([{ id: second.id, isDefault: true }]);
  });

  it('a bank account is added with all its members, listed, and changed at its own path [payments.authorize.{call.ach,call.add-ach,field.add-ach.*,field.ach.*,call.update-ach}, payments.methods.field.add.form, decisions.9.specified-payload]', async () => {
    const call = await caller();
    const added = await call('POST', ACCOUNTS, { ...wholeAccount, ...agreed });
    expect(added, JSON.stringify(added)).toMatchObject({ status: 200, data: { status: 'succeeded' } });
    const { id } = added.data.source;
    const shown = { ...wholeAccount, accountNumber: '9012', routingNumber: 'XXXX2882' };
    expect((await call('GET', ACCOUNTS)).data).toMatchObject([{ id, authorizeBankAccount: shown }]);
    const changed = await call('PUT', ACCOUNTS, { id, address: { city: 'Omaha', country: 'US' } });
    expect(changed, JSON.stringify(changed)).toMatchObject({
      status: 200,
      data: { id, address: { city: 'Omaha', country: 'US' }, authorizeBankAccount: shown },
    });
  });
});
