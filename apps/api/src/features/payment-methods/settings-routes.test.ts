import { describe, expect, it } from 'vitest';
import { fixture, paths, person, rows } from '../../../test/fixtures/paying/methods-fixture.ts';
import { pausePayments } from '../payments/pause/pause.ts';

describe('payment details', () => {
  it('have the way of entry that the account has chosen; one that its gateway does not have is none', async () => {
    const { capabilities } = fixture.gateway.module.manifest;
    const before = capabilities.entry;
    const card = [
      { how: 'providerFields', pci: 'A' },
      { how: 'ownFieldsToUs', pci: 'D' },
    ] as const;
    Object.assign(capabilities, { entry: { ...before, card } });
    const me = await person();
    const how = async (cardEntry: string) => {
      await rows(
        `update gateway_account set config = config || jsonb_build_object('cardEntry', $2::text) where id = $1`,
        [me.accountId, cardEntry],
      );
      return (await me.call('GET', paths.details)).json().data.card?.entry.how;
    };
    expect(await how('ownFieldsToUs')).toBe('ownFieldsToUs');
    expect(await how('providerFields')).toBe('providerFields');
    Object.assign(capabilities, { entry: { ...before, card: [card[0]] } });
    expect(await how('ownFieldsToUs')).toBe('providerFields');
    Object.assign(capabilities, { entry: before });
  });

  it('are the settings, and what the gateway can do [payments.methods.call.details, payments.settings.field.*, payments.gateway.adapts]', async () => {
    const me = await person({
      brand: {
        paymentTypeDisclaimer: 'Cards are charged by X.',
        directDebitPaymentMethodId: 1,
        currencySymbol: '€',
        invoiceLabelSingular: 'Bill',
        invoiceLabelPlural: 'Bills',
        emailReceipt: false,
      },
      reseller: { separateCardInputs: true },
    });
    const [brand] = await rows<{ company_name: string }>(
      'select company_name from brand where reseller_id = $1',
      [me.resellerId],
    );
    const { data } = (await me.call('GET', paths.details)).json();
    const entry = {
      integrationType: 'Stripe',
      public: { publishableKey: 'pk_test', scriptUrl: 'https://gateway.example/script.js' },
      separateInputs: true,
      isPrepared: false,
    };
    expect(data).toEqual({
      paymentType: 99,
      publishableKey: 'pk_test',
      paymentTypeDisclaimer: 'Cards are charged by X.',
      directDebitPaymentMethodId: 1,
      companyName: brand?.company_name,
      paymentEmailReceipt: false,
      paymentBillingAddressRequired: false,
      paymentCardHolderRequired: false,
      currency: 'USD',
      currencySymbol: { symbol: '€' },
      invoiceLabelSingular: 'Bill',
      invoiceLabelPlural: 'Bills',
      enabled: true,
      apiStatus: true,
      paymentsPaused: false,
      card: {
        entry: {
          ...entry,
          purpose: 'save',
          how: 'providerFields',
          formFields: [{ name: 'cardHolder', required: true }],
        },
        isNewAllowedInline: true,
        payOnceFields: [],
        edit: expect.arrayContaining(['expMonth', 'expYear', 'name']),
        editNeeds: [],
      },
      bank: {
        entry: {
          ...entry,
          how: 'ownFieldsToProvider',
          scheme: 'own_debit',
          currency: 'USD',
          formFields: [{ name: 'accountHolderName', required: true, min: 4 }],
        },
        scheme: 'own_debit',
        title: 'Direct Debit',
        currency: 'USD',
        settlesInDays: 5,
        edit: expect.not.arrayContaining(['expMonth']),
        mandate: { version: 'm-1', text: `I let ${brand?.company_name} debit my account.`, terms: null },
      },
      paths: { cards: paths.cards, accounts: paths.accounts, defaultSource: paths.defaultSource },
    });
  });

  it('offer no bank account where the brand has none, and say so when the keys are refused [decisions.11.{codes-as-configured,api-status-account}]', async () => {
    const me = await person();
    fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], why: 'bad key' });
    const { data } = (await me.call('GET', paths.details)).json();
    fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
    expect(data).toMatchObject({ paymentType: 99, bank: null, apiStatus: false, enabled: true });
  });

  it('without a gateway are those of type 0, and every list is empty [payments.methods.call.list, payments.methods.call.cards, payments.gateway.adapts]', async () => {
    const me = await person();
    await rows('update gateway_account set is_active = false where reseller_id = $1', [me.resellerId]);
    const { data } = (await me.call('GET', paths.details)).json();
    expect(data).toMatchObject({
      paymentType: 0,
      enabled: false,
      apiStatus: false,
      publishableKey: '',
      card: null,
      bank: null,
      paths: null,
    });
    for (const path of [paths.cards, paths.accounts])
      expect((await me.call('GET', path)).json().data).toEqual([]);
    const add = await me.call('POST', paths.cards, { token: 'tok_1' });
    expect([add.statusCode, add.json().code]).toEqual([409, 'gateway.misconfigured']);
  });

  it('with payments switched off say so, and nothing else answers', async () => {
    const me = await person({ brand: { paymentsEnabled: false } });
    expect((await me.call('GET', paths.details)).json().data.enabled).toBe(false);
    for (const answer of [
      await me.call('GET', paths.cards),
      await me.call('POST', paths.cards, { token: 'tok_1' }),
      await me.call('GET', paths.setup),
    ])
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'area.disabled']);
  });
});

describe('the permission to charge', () => {
  const charge = async (me: Awaited<ReturnType<typeof person>>, allowResellerCharge?: boolean) => {
    const answer =
      allowResellerCharge === undefined
        ? await me.call('GET', paths.charge)
        : await me.call('PUT', paths.charge, { allowResellerCharge });
    return { status: answer.statusCode, ...answer.json(), ...answer.json().data };
  };
  const consents = (customerId: string) =>
    rows<Record<string, unknown>>(
      `select text, version, user_id, user_name, at, address, agent, revoked_at, revoked_by from consent
        where customer_id = $1 order by at, id`,
      [customerId],
    );

  it('is the customer’s to give and to take back; each is kept with the words, the person and the time [payments.auto-pay.{purpose,customer-controls,call.get,call.put}, payments.auto-pay.field.*]', async () => {
    const words = 'Charge my card when a bill is due.';
    const me = await person({
      reseller: { confirmationMessageForCharging: words, hidePaymentTypesForCustomerUsers: true },
    });
    expect(await charge(me)).toMatchObject({
      allowResellerCharge: false,
      requireCustomerPermissionForCharging: true,
      confirmationMessageForCharging: words,
      hidePaymentTypesForCustomerUsers: true,
    });
    const at = fixture.clock.now();
    expect((await charge(me, true)).allowResellerCharge).toBe(true);
    expect((await charge(me, true)).allowResellerCharge).toBe(true);
    expect(await consents(me.customerId)).toMatchObject([
      {
        text: words,
        user_id: me.userId,
        at,
        address: '127.0.0.1',
        agent: 'lightMyRequest',
        revoked_at: null,
      },
    ]);
    fixture.clock.advance(1_000);
    expect((await charge(me, false)).allowResellerCharge).toBe(false);
    const [given] = await consents(me.customerId);
    expect(given).toMatchObject({ revoked_at: fixture.clock.now(), revoked_by: given?.['user_name'] });
    fixture.clock.advance(1_000);
    await charge(me, true);
    expect(await consents(me.customerId)).toHaveLength(2);
    const trail = await rows<{ action: string }>(
      "select action from audit_event where customer_id = $1 and action like 'consent.%' order by at, id",
      [me.customerId],
    );
    expect(trail.map(({ action }) => action)).toEqual(['consent.given', 'consent.revoked', 'consent.given']);
  });

  it('given by ten at once is given once', async () => {
    const me = await person();
    const all = await Promise.all(Array.from({ length: 10 }, () => charge(me, true)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await consents(me.customerId)).toHaveLength(1);
  });

  it('that needs nobody’s consent covers everybody, and is not theirs to change [payments.auto-pay.{customer-controls,field.requireCustomerPermissionForCharging}]', async () => {
    const me = await person({ reseller: { requireCustomerPermissionForCharging: false } });
    expect(await charge(me)).toMatchObject({
      allowResellerCharge: true,
      requireCustomerPermissionForCharging: false,
    });
    for (const isAllowed of [true, false])
      expect(await charge(me, isAllowed)).toMatchObject({ status: 409, code: 'consent.notNeeded' });
    expect(await consents(me.customerId)).toEqual([]);
  });

  it('is not given by support in the customer’s name; taken back it may be', async () => {
    const me = await person({ actor: 'helpdesk' });
    expect(await charge(me, true)).toMatchObject({ status: 403, code: 'consent.inPerson' });
    expect(await charge(me, false)).toMatchObject({ status: 200, allowResellerCharge: false });
  });

  it('has words also where the reseller has none, and those are what is kept', async () => {
    const me = await person();
    const { confirmationMessageForCharging: words } = await charge(me);
    expect(words).toContain('default payment method');
    await charge(me, true);
    expect(await consents(me.customerId)).toMatchObject([{ text: words }]);
  });
});

describe('whose a method is', () => {
  it('nobody else’s: a foreign id is answered like one that does not exist', async () => {
    const [me, other] = [await person(), await person()];
    const id = await me.add('tok_1');
    for (const wrong of [id, '01a00000-0000-7000-8000-000000000000'])
      for (const answer of [
        await other.call('PUT', paths.defaultSource, { id: wrong }),
        await other.call('PUT', paths.cards, { id: wrong, name: 'Me' }),
        await other.call('DELETE', `${paths.cards}/${wrong}`),
        await other.call('DELETE', paths.cards, { id: wrong }),
        await other.call('DELETE', `${paths.accounts}/${wrong}/detach`),
      ])
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'paymentMethod.notFound']);
    expect(await other.cards()).toEqual([]);
    expect(await me.cards()).toHaveLength(1);
  });

  it('support may save and remove in the customer’s name; it stands in the trail with both names', async () => {
    const me = await person({ actor: 'helpdesk' });
    const id = await me.add('tok_1');
    await me.call('DELETE', `${paths.cards}/${id}`);
    const trail = await rows(
      `select action, actor from audit_event
        where customer_id = $1 and action like 'paymentMethod.%' order by at, id`,
      [me.customerId],
    );
    expect(trail).toEqual([
      { action: 'paymentMethod.added', actor: 'helpdesk' },
      { action: 'paymentMethod.removed', actor: 'helpdesk' },
    ]);
  });
});

it('the portal is told beforehand that no payment can be made, and how to pay otherwise', async () => {
  const me = await person({ brand: { bankDetails: ['IBAN DE02 1203 0000'] } });
  const payments = async () => (await me.call('GET', '/v1/ec/settings')).json().data.payments;
  expect(await payments()).toMatchObject({ unavailable: false, bankDetails: ['IBAN DE02 1203 0000'] });
  fixture.gateway.onVerifyCredentials = () => ({ ok: false, rights: [], why: 'the key has expired' });
  fixture.clock.advance(61_000);
  expect(await payments()).toMatchObject({ unavailable: true, paused: false });
  fixture.gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
  // One page after the other says the same, until it is worth asking again.
  expect(await payments()).toMatchObject({ unavailable: true });
  fixture.clock.advance(11_000);
  expect(await payments()).toMatchObject({ unavailable: false });
});

it('payments that are paused are told as such, and methods are saved meanwhile', async () => {
  const me = await person();
  const { web } = fixture.deps.databases;
  const now = fixture.clock.now();
  await web.transaction((tx) => pausePayments(tx, { since: now, note: 'restored', now }));
  try {
    const { data } = (await me.call('GET', '/v1/ec/settings')).json();
    expect(data.payments).toMatchObject({ unavailable: true, paused: true });
    const details = (await me.call('GET', paths.details)).json().data;
    expect(details).toMatchObject({ apiStatus: false, paymentsPaused: true, enabled: true });
    await me.add('tok_1');
  } finally {
    await rows('delete from payment_pause');
  }
});

it('an adapter that could not be loaded once is loaded when it is asked for again', async () => {
  const me = await person();
  const { module } = fixture.gateway;
  const { load } = module;
  Object.assign(module, {
    load: async () => {
      Object.assign(module, { load });
      throw new Error('too many open files');
    },
  });
  expect((await me.call('GET', paths.details)).statusCode).toBe(500);
  expect((await me.call('GET', paths.details)).json().data.apiStatus).toBe(true);
});
