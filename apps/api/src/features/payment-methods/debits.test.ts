import { describe, expect, it } from 'vitest';
import {
  fixture,
  hook,
  paths,
  person,
  refOf,
  remoteId,
  rows,
} from '../../../test/fixtures/paying/methods-fixture.ts';
import { reconcileMethods } from './tasks.ts';

const card = (token: string, over: object = {}) => fixture.gateway.card(token, over);
const declined = {
  is: 'refused',
  why: { class: 'otherMethod', code: 'x', text: 'Your card was declined' },
} as const;

describe('a bank account', () => {
  const debit = (mandate: object = {}, over: object = {}) => ({
    is: 'saved' as const,
    method: card('pm_1', {
      kind: 'bank',
      show: { type: 'own_debit', last4: '6789', routing: '110000000' },
      expires: undefined,
      usable: 'now',
      mandate: { remote: remoteId('mandate_1'), state: 'active', scheme: 'own_debit', ...mandate },
      ...over,
    }),
  });
  const post = async (body: object = {}, settings: object = {}) => {
    const me = await person({ brand: { directDebitPaymentMethodId: 1 }, ...settings });
    const answer = await me.call('POST', paths.setup, {
      paymentMethodId: 'pm_1',
      paymentMethodType: 'own_debit',
      ...body,
    });
    return { me, answer };
  };
  const list = async (me: Awaited<ReturnType<typeof person>>) =>
    (await me.call('GET', paths.accounts)).json().data;

  it('is saved with what its holder agreed to: words, version, time, address and browser [payments.methods.call.list, decisions.2.bank-accounts, payments.source.field.generic.*]', async () => {
    let consent: unknown;
    fixture.gateway.onCompleteSetup = async (request) => {
      consent = request.consent;
      return debit({ show: { reference: 'REF-1', url: 'https://gateway.example/m' } });
    };
    const { me, answer } = await post({ mandateAccepted: true, mandateVersion: 'm-1' });
    expect(answer.json().data.status).toBe('succeeded');
    const [brand] = await rows<{ company_name: string }>(
      'select company_name from brand where reseller_id = $1',
      [me.resellerId],
    );
    const text = `I let ${brand?.company_name} debit my account.`;
    expect(consent).toEqual({
      text,
      version: 'm-1',
      at: fixture.clock.now(),
      ip: '127.0.0.1',
      agent: 'lightMyRequest',
    });
    expect(await list(me)).toMatchObject([
      {
        kind: 'bank',
        sourceType: 'ACH',
        status: 'ready',
        isDefault: true,
        routingNumber: '110000000',
        lastFour: '6789',
        scriptedAccount: { last4: '6789' },
        mandate: { status: 'active', reference: 'REF-1', url: 'https://gateway.example/m', text },
      },
    ]);
    expect(await me.cards()).toEqual([]);
  });

  it('is agreed to by the body of the specification, which has token and type alone', async () => {
    fixture.gateway.onCompleteSetup = async () => debit();
    const { me, answer } = await post();
    expect(answer.json().data.status).toBe('succeeded');
    expect(
      await rows('select purpose, version from consent where customer_id = $1', [me.customerId]),
    ).toEqual([{ purpose: 'mandate', version: 'm-1' }]);
  });

  it('needs no agreement where it is a card', async () => {
    fixture.gateway.onCompleteSetup = async () => ({ is: 'saved', method: card('pm_1') });
    const { me, answer } = await post({ paymentMethodType: 'card', email: 'a@b.example' });
    expect(answer.json().data.status).toBe('succeeded');
    expect(await rows('select 1 from consent where customer_id = $1', [me.customerId])).toEqual([]);
  });

  it.each([
    ['whose mandate was not agreed to', { mandateAccepted: false }, 400, 'paymentMethod.agreementNeeded'],
    ['whose mandate is not spoken of', { email: 'a@b.example' }, 400, 'paymentMethod.agreementNeeded'],
    ['whose words were only shown', { mandateVersion: 'm-1' }, 400, 'paymentMethod.agreementNeeded'],
    [
      'with words of another day',
      { mandateAccepted: true, mandateVersion: 'm-0' },
      409,
      'paymentMethod.otherProvider',
    ],
    ['of another scheme', { paymentMethodType: 'sepa_debit' }, 409, 'paymentMethod.notOffered'],
    ['whose number is sent itself', { paymentMethodId: '000123456789' }, 400, 'request.invalid'],
    ['whose IBAN is sent itself', { paymentMethodId: 'DE89370400440532013000' }, 400, 'request.invalid'],
  ])('%s is refused', async (_name, body, status, code) => {
    const { me, answer } = await post(body);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
    expect(await rows('select 1 from consent where customer_id = $1', [me.customerId])).toEqual([]);
  });

  it('is not agreed to by support in the holder’s name', async () => {
    const { answer } = await post({}, { actor: 'helpdesk' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'consent.inPerson']);
  });

  it('that waits for a small deposit is listed so, cannot be the default, and is verified', async () => {
    const waiting = (step: Readonly<Record<string, string>>) => ({
      is: 'underWay' as const,
      state: step,
      needs: { fields: ['descriptorCode'], page: 'https://gateway.example/v' },
      method: card('pm_1', { kind: 'bank', usable: 'pending' }),
    });
    fixture.gateway.onCompleteSetup = async ({ step }) => waiting(step);
    const { me, answer } = await post();
    const { reqUid } = answer.json().data;
    expect(answer.json().data).toMatchObject({ status: 'processing', expected: 'days' });
    const [account] = await list(me);
    expect(account).toMatchObject({
      status: 'pending',
      isDefault: false,
      verification: { reqUid, fields: ['descriptorCode'], page: 'https://gateway.example/v' },
    });
    expect((await me.call('PUT', paths.defaultSource, { id: account.id })).statusCode).toBe(409);

    const verify = (descriptorCode: string) =>
      me.call('POST', `${paths.setup}/result`, { reqUid, descriptorCode });
    fixture.gateway.onCompleteSetup = async ({ input, step }) =>
      'fields' in input && input.fields['descriptorCode'] === 'SM11AA'
        ? debit()
        : 'fields' in input && input.fields['descriptorCode'] !== undefined
          ? { ...declined, why: { ...declined.why, text: 'That is not the code' } }
          : waiting(step);
    const wrong = await verify('SM00AA');
    expect([wrong.statusCode, wrong.json().message]).toEqual([402, 'That is not the code']);
    expect(await list(me)).toMatchObject([{ status: 'pending' }]);
    expect((await verify('SM11AA')).json().data.status).toBe('succeeded');
    expect(await list(me)).toMatchObject([
      { id: account.id, status: 'ready', isDefault: true, verification: null },
    ]);
  });

  it('whose verification ends badly is gone', async () => {
    fixture.gateway.onCompleteSetup = async ({ step }) => ({
      is: 'underWay',
      state: step,
      method: card('pm_1', { kind: 'bank', usable: 'pending' }),
    });
    const { me } = await post();
    fixture.gateway.onCompleteSetup = async () => declined;
    await hook(me.resellerId, { ref: await refOf(me.customerId) });
    expect(await list(me)).toEqual([]);
  });

  it('whose mandate ends is no default any more, and the next one is', async () => {
    fixture.gateway.onCompleteSetup = async () => debit();
    const { me } = await post();
    fixture.gateway.onCompleteSetup = async ({ input }) => ({
      is: 'saved',
      method: card('token' in input ? input.token : ''),
    });
    const other = await me.add('tok_card');
    const [account] = await list(me);
    await me.call('PUT', paths.defaultSource, { id: account.id });
    fixture.gateway.onGetMethod = async () => ({
      is: 'there',
      method: debit({ state: 'dead' }, { usable: 'never' }).method,
    });
    const told = await hook(me.resellerId, { about: 'mandate', remote: 'mandate_1' });
    expect(told.statusCode).toBe(200);
    expect(await list(me)).toMatchObject([
      { status: 'unusable', isDefault: false, mandate: { status: 'dead' } },
    ]);
    expect(await me.defaults()).toEqual([other]);
  });

  it('whose mandate waits for the bank is looked at again, should the event be lost', async () => {
    fixture.gateway.onCompleteSetup = async () => debit({ state: 'pending' });
    const { me } = await post();
    fixture.gateway.onGetMethod = async () => ({ is: 'there', method: debit().method });
    fixture.clock.advance(61 * 60_000);
    await reconcileMethods(fixture.engine);
    expect(await list(me)).toMatchObject([{ mandate: { status: 'active' } }]);
  });
});
