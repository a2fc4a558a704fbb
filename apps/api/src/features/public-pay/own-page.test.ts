import type { Capabilities } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture, post, rows, setUp } from '../../../test/fixtures/paying/pay-fixture.ts';

let capabilities: Capabilities;
let normal: Capabilities;
beforeEach(() => {
  ({ capabilities } = fixture.gateway.module.manifest);
  normal = { ...capabilities };
});
afterEach(() => {
  Object.assign(capabilities, normal);
  fixture.gateway.onCheckout = undefined;
});

const details = async (token: string) =>
  (await fixture.app.inject(`/v1/ec/payment/details/${token}`)).json().data;
const redirect: Partial<Capabilities> = { entry: { card: [{ how: 'redirect', pci: 'A' }] } };
const frame: Partial<Capabilities> = { entry: { card: [{ how: 'providerFrame', pci: 'A' }] } };

describe('a gateway whose own page asks for the card', () => {
  async function ready() {
    Object.assign(capabilities, redirect);
    fixture.gateway.onCheckout = async (charge) => ({
      is: 'requiresAction',
      action: { do: 'redirect', to: `https://pages.example/${charge.ref}` },
      remote: remoteId(`cs_${charge.ref}`),
      state: { page: charge.ref },
    });
    const made = await setUp({ cardHolderRequired: true });
    const { cardToken: _none, ...rest } = made.body;
    return { ...made, body: { ...rest, ownPage: true } };
  }

  it('is paid there: the link answers where it is, once, and nothing that its page asks for is asked for here', async () => {
    const { body, customer } = await ready();
    expect(await details(body.uid)).toMatchObject({ brandSettings: { how: 'redirect' } });
    const first = (await post('/v1/ec/pay', body)).json().data;
    expect(first).toMatchObject({
      status: 'requires_action',
      redirectToUrl: expect.stringMatching(/^https:\/\/pages\.example\//),
    });
    const again = (await post('/v1/ec/pay', body)).json().data;
    expect(again.redirectToUrl).toBe(first.redirectToUrl);
    expect(await rows('select kind from attempt where customer_id = $1', [customer.id])).toHaveLength(1);
  });

  it('is not offered by a gateway that has no such page, which is then asked nothing', async () => {
    const { body } = await ready();
    fixture.gateway.onCheckout = undefined;
    expect(await details(body.uid)).toMatchObject({ brandSettings: null });
    const refused = await post('/v1/ec/pay', body);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'paymentMethod.notOffered']);
  });
});

it('tells of a frame [payments.public.field.info.isFrame]', async () => {
  const { body } = await setUp();
  expect(await details(body.uid)).toMatchObject({ isFrame: false });
  Object.assign(capabilities, frame);
  expect(await details(body.uid)).toMatchObject({ isFrame: true, brandSettings: { how: 'providerFrame' } });
});

describe('where nothing pays by a link', () => {
  it.each([
    ['a saved method does behind the sign-in', { oneOff: 'no' as const }, { bulkPay: true }, true],
    ['nobody can pay several invoices there either', { oneOff: 'no' as const }, { bulkPay: false }, false],
    ['not this currency', { currencies: ['EUR'] }, { bulkPay: true }, false],
  ])('%s [decisions.11.control.link-no-gateway-sign-in]', async (_what, can, settings, signInToPay) => {
    Object.assign(capabilities, can);
    const { body } = await setUp(settings);
    expect(await details(body.uid)).toMatchObject({ brandSettings: null, bank: null, signInToPay });
  });
});
