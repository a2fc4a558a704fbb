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
const sandbox = useSandboxFixture(
  { directDebitPaymentMethodId: 1 },
  {
    account: {
      id: 'authorize-net',
      settings: {
        apiLoginId: NAME,
        transactionKey: NAME.padEnd(16, '0'),
        publicClientKey: `public-client-key-of-${NAME}`,
        signatureKeys: [SIGNATURE_KEY],
      },
      webhookSecret: SIGNATURE_KEY,
    },
  },
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
