import { casesData } from '@counterfoil/gateways/moneris/cases-data.ts';
import { describe, expect, it } from 'vitest';
import { newPerson } from '../../fixtures/paying/gateways/new-person.ts';
import { useSandboxFixture } from '../../fixtures/paying/gateways/sandbox-fixture.ts';

/** What the specification says of Moneris, through the whole server and Moneris' sandbox. */
const { settings } = casesData.sandbox;
const CARDS = '/v1/ec/moneris/cards';
const year = new Date().getUTCFullYear() + 3;
const visa = ['4242', '4242', '4242', '4242'].join('');
/** As the specification has it (payments §5). */
const card = (over: object = {}) => ({
  cardNumber: visa,
  cvdValue: '123',
  expMonth: '09',
  expYear: `${year}`,
  phone: '416 555 0199',
  email: 'ana@mail.example',
  ...over,
});

/** @param chosen settings of the account @returns calls of somebody new */
function useMoneris(chosen: object) {
  const account = { id: 'moneris', settings: Object.assign({}, settings, chosen) };
  // Nothing goes wrong here: calls may take their time.
  const sandbox = useSandboxFixture({}, { timeoutMs: 10_000, account });
  return async () => (await newPerson(sandbox)).ask;
}

describe('by itself', () => {
  const person = useMoneris({});

  it('number and code go into the provider’s frame, and none is taken here [payments.gateway.constant.code.5, decisions.9.tokenisation-default]', async () => {
    const call = await person();
    const { data } = await call('GET', '/v1/ec/payments/details');
    expect(data).toMatchObject({ paymentType: 5, card: { entry: { how: 'providerFrame' } } });
    expect(await call('POST', CARDS, card())).toMatchObject({ status: 400, code: 'payment.rawCard' });
    expect((await call('GET', CARDS)).data).toEqual([]);
  });
});

describe('where the reseller has numbers pass this server', () => {
  const person = useMoneris({ cardEntry: 'ownFieldsToUs' });

  it('a card is added as the specification has it, listed as monerisCard, made the default, and removed [payments.moneris.{call.cards,call.add,call.delete,call.default,field.add.*,field.monerisCard.cardNumber,field.phone,field.email}, decisions.9.specified-payload]', async () => {
    const call = await person();
    const added = await call('POST', CARDS, card());
    expect(added, JSON.stringify(added)).toMatchObject({ status: 200, data: { status: 'succeeded' } });
    const { id } = added.data.source;
    expect((await call('GET', CARDS)).data).toMatchObject([
      {
        id,
        isDefault: true,
        expMonth: 9,
        expYear: year,
        monerisCard: {
          cardNumber: expect.stringMatching(/^4242\*+4242$/),
          phone: '416 555 0199',
          email: 'ana@mail.example',
        },
      },
    ]);
    // A year of two digits is one of this century (payments §3).
    const second = (await call('POST', CARDS, card({ expYear: `${year % 100}` }))).data.source;
    expect(second).toMatchObject({ expYear: year });
    const set = await call('PUT', '/v1/ec/moneris/customer-default-source', { id: second.id });
    expect(set.status).toBe(204);
    expect((await call('DELETE', CARDS, { id })).status).toBe(204);
    expect((await call('GET', CARDS)).data).toMatchObject([{ id: second.id, isDefault: true }]);
  });

  it.each([
    ['no code of a card', { cvdValue: '12' }],
    ['no number of a card', { cardNumber: `${visa.slice(0, -1)}3` }],
    ['no month', { expMonth: '13' }],
    ['a month that is over', { expYear: `${year - 5}` }],
  ])('%s is refused, and nothing is kept', async (_what, over) => {
    const call = await person();
    const refused = await call('POST', CARDS, card(over));
    expect([400, 402], JSON.stringify(refused)).toContain(refused.status);
    expect((await call('GET', CARDS)).data).toEqual([]);
  });
});
