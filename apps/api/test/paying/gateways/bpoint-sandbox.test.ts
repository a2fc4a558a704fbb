import { casesData } from '@counterfoil/gateways/bpoint/cases-data.ts';
import { expect, it } from 'vitest';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';
import { faultRun } from '../../processes/fault-runs.ts';

/** What the specification says of BPOINT, through the whole server and BPOINT's sandbox. */
const { settings, webhookSecret = '' } = casesData.sandbox;
const sandbox = useSandboxFixture(
  { directDebitPaymentMethodId: 1 },
  // Nothing goes wrong here: calls may take their time.
  { timeoutMs: 10_000, account: { id: 'bpoint', settings, webhookSecret } },
);
const run = faultRun(sandbox);
const cardsAt = '/v1/ec/bpoint/cards';
const numbers = {
  visa: ['4987', '6543', '2109', '8769'].join(''),
  mastercard: ['5123', '4567', '8901', '2346'].join(''),
};

const signedIn = async () => (await newPerson(sandbox)).ask;

/** What the provider's script does in a browser. */
async function attach(authKey: string, method: object): Promise<void> {
  const path = `/bpoint/rest/v5/tokens/authkeys/${authKey}/payment-method`;
  const answer = await fetch(`${sandbox.sandboxUrl}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(method),
  });
  expect(answer.status).toBe(200);
}

type Call = Awaited<ReturnType<typeof signedIn>>;
/** Saves a card by an auth key. @param token of the saved one that is typed again @param typed beside the card */
async function enter(call: Call, number: string, token?: string, typed: { email?: string } = {}) {
  const asked = { crn1: 'C1007', emailAddress: 'ana@mail.example', token: token ?? null };
  const made = await call('POST', `${cardsAt}/tokenize`, asked);
  expect(made, JSON.stringify(made)).toMatchObject({ status: 200 });
  const { authKey } = made.data;
  await attach(authKey, { card: { number, expiry: { month: '09', year: '31' }, name: 'Ana Poe' } });
  return call('POST', cardsAt, { authKeys: [authKey], cardHolder: 'Ana Poe', ...typed });
}

it('a card is attached to an auth key, saved by it, typed again under the same id, and removed [payments.bpoint.{call.cards,call.add,field.add.authKeys,call.tokenize,field.tokenize.crn1,field.tokenize.emailAddress,field.tokenize.token,call.delete}, payments.bpoint.field.bPointCard.{scheme,number,name,emailAddress,token}, payments.bpoint.field.sourceType, payments.gateway.constant.code.10]', async () => {
  const call = await signedIn();
  const first = await enter(call, numbers.visa);
  const { source } = first.data;
  expect(source.bPointCard).toEqual({
    scheme: 'Visa',
    number: '498765...769',
    name: 'Ana Poe',
    emailAddress: 'ana@mail.example',
    token: source.id,
  });
  expect((await call('GET', '/v1/ec/payments/details')).data.paymentType).toBe(10);
  const again = await enter(call, numbers.mastercard, source.bPointCard.token, { email: 'jo@mail.example' });
  const bPointCard = { scheme: 'Mastercard', emailAddress: 'jo@mail.example' };
  expect(again.data.source).toMatchObject({ id: source.id, bPointCard });
  expect((await call('GET', cardsAt)).data).toMatchObject([
    { id: source.id, sourceType: 'CC', bPointCard: { number: '512345...346' } },
  ]);
  // Of somebody else, or nobody: nothing is made.
  const stranger = await signedIn();
  const refused = await stranger('POST', `${cardsAt}/tokenize`, { token: source.id });
  expect(refused).toMatchObject({ status: 404, code: 'paymentMethod.notFound' });
  expect((await call('DELETE', cardsAt, { id: source.id })).status).toBe(204);
  expect((await call('GET', cardsAt)).data).toEqual([]);
});

it('a bank account is saved beside the cards, with its holder, in its own shape [payments.bpoint.field.bPointBankAccount.{bsb,account,token}, payments.bpoint.{field.cards.sourceType,holder-required}]', async () => {
  const call = await signedIn();
  const { bank } = (await call('GET', '/v1/ec/payments/details')).data;
  expect(bank.entry.formFields).toContainEqual({ name: 'accountHolderName', required: true });
  const made = await call('POST', '/v1/ec/payments/entries', { purpose: 'save', kind: 'bank' });
  const { entryId, action } = made.data;
  const { authkey } = action.config;
  await attach(authkey, { bank: { bsb: '062-000', account: '12345678', name: 'Ana Poe' } });
  const saved = await call('POST', cardsAt, {
    token: authkey,
    entryId,
    paymentMethodType: 'bank',
    accountHolderName: 'Ana Poe',
    mandateAccepted: true,
  });
  expect(saved, JSON.stringify(saved)).toMatchObject({ status: 200 });
  const [account] = (await call('GET', cardsAt)).data;
  expect(account).toMatchObject({
    sourceType: 'ACH',
    bPointBankAccount: { bsb: '062000', account: '...678', token: account.id },
  });
});

it('a card is typed into the provider’s inputs, which ask for its name, or into ours where the account chooses so [payments.bpoint.name-required]', async () => {
  const call = await signedIn();
  const entry = async () => {
    interface Asked {
      readonly name: string;
      readonly required: boolean;
    }
    const { how, formFields } = (await call('GET', '/v1/ec/payments/details')).data.card.entry;
    return [how, ...formFields.map(({ name, required }: Asked) => (required ? `${name}, required` : name))];
  };
  expect(await entry()).toEqual(['providerFields', 'email']);
  const choose = (change: string) => run.rows(`update gateway_account set config = config ${change}`);
  await choose(`|| '{"cardEntry": "ownFieldsToProvider"}'`);
  expect(await entry()).toEqual(['ownFieldsToProvider', 'cardHolder, required', 'email']);
  await choose("- 'cardEntry'");
});

it('one becomes the default by cardToken and isDefault; none ceases to be it by itself [payments.bpoint.{call.default,field.default.cardToken,field.default.isDefault}]', async () => {
  const call = await signedIn();
  await enter(call, numbers.visa);
  const { source } = (await enter(call, numbers.mastercard)).data;
  const put = (body: object) => call('PUT', '/v1/ec/bpoint/customer-default-source', body);
  expect(await put({ cardToken: source.id, isDefault: false })).toMatchObject({
    status: 400,
    errors: [{ path: 'isDefault', message: 'must be true: make another method the default' }],
  });
  expect((await put({ cardToken: source.id, isDefault: true })).status).toBe(204);
  const cards = (await call('GET', cardsAt)).data;
  expect(cards.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toMatchObject([
    { id: source.id },
  ]);
});

it('a session is paid by cardId and cardToken of one saved card, not of two [payments.bulk.field.pay.cardToken]', async () => {
  const { customer, ask: call } = await newPerson(sandbox);
  const { fixture } = sandbox;
  const { resellerId } = sandbox.customer;
  const first = (await enter(call, numbers.visa)).data.source;
  const { source } = (await enter(call, numbers.mastercard)).data;
  const invoice = await fixture.make.invoice({ customerId: customer.id, resellerId, currency: 'AUD' });
  const intent = await call('POST', '/v1/ec/payments/intents', { invoiceIds: [invoice.id] });
  expect(intent, JSON.stringify(intent)).toMatchObject({ status: 200 });
  const pay = (cardToken: string) =>
    call('POST', '/v1/ec/payments/pay/bulk', {
      uid: intent.data.sessionId,
      cardId: source.id,
      cardToken,
      type: 10,
    });
  expect(await pay(first.bPointCard.token)).toMatchObject({
    status: 400,
    errors: [{ path: 'cardToken', message: 'there is a saved method beside it' }],
  });
  expect((await pay(source.bPointCard.token)).data).toMatchObject({ status: 'succeeded' });
});

it('a webhook of a token has the method read at the provider, and nothing of what it says is believed [decisions.2.webhook-hint]', async () => {
  const call = await signedIn();
  const { source } = (await enter(call, numbers.visa)).data;
  const [row] = await run.rows<{ customer_id: string }>(
    'select customer_id from payment_method where id = $1',
    [source.id],
  );
  /** At the provider itself. */
  const at = async (method: string, path: string, body: object) => {
    const login = `${settings['username']}|${settings['merchantNumber']}:${settings['password']}`;
    const answer = await fetch(`${sandbox.sandboxUrl}/bpoint/rest/v5${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const { tokens } = await at('POST', '/tokens/search', { crn1: row?.customer_id });
  const [{ token }] = tokens;
  await at('PUT', `/tokens/${token}`, { card: { expiry: { month: '11', year: '33' } } });
  const { fixture } = sandbox;
  const told = await fixture.app.inject({
    method: 'POST',
    url: `/v1/webhooks/bpoint/${sandbox.customer.resellerId}`,
    payload: {
      type: 'token',
      data: { token, paymentMethod: { card: { expiry: { month: '12', year: '39' } } } },
    },
  });
  expect(told.statusCode).toBe(200);
  await fixture.eventsFollowed();
  expect((await call('GET', cardsAt)).data).toMatchObject([{ id: source.id, expMonth: 11, expYear: 2033 }]);
});
