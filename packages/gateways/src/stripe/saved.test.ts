import { describe, expect, it } from 'vitest';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { errorBody, fakeStripe, methodReply, type Scripted } from './test-support.ts';

const ref = newGatewayRef();
const method: Scripted = { status: 200, json: methodReply };
const notFound: Scripted = { status: 404, json: errorBody({ code: 'resource_missing' }) };
const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('Stripe offers this');
  return value;
};

describe('saved methods', () => {
  it('are listed to the last page, without kinds that cannot be charged', async () => {
    const page = (has_more: boolean, ...data: unknown[]): Scripted => ({
      status: 200,
      json: { object: 'list', data, has_more },
    });
    const link = { id: 'pm_L', object: 'payment_method', type: 'link' };
    const fake = fakeStripe([page(true, methodReply, link), page(false, { ...methodReply, id: 'pm_B3' })]);
    const ids: (string | undefined)[] = [];
    for await (const one of must(fake.gateway.listMethods)({ customer: 'cus_A1' }))
      ids.push(one.state['paymentMethod']);
    expect(ids).toEqual(['pm_B2', 'pm_B3']);
    expect(fake.seen[1]?.path).toContain('starting_after=pm_L');
  });

  it('a list that breaks off is an error, not a short list', async () => {
    const fake = fakeStripe([{ status: 500, json: errorBody({ type: 'api_error', message: 'x' }) }]);
    const read = async () => {
      for await (const _ of must(fake.gateway.listMethods)({ customer: 'cus_A1' }));
    };
    await expect(read()).rejects.toThrow('could not be read');
  });

  it('change by known fields only', async () => {
    const fake = fakeStripe([method]);
    const edit = must(fake.gateway.updateMethod);
    const change = { expMonth: '8', expYear: '2030', name: 'Jo', city: 'Perth', postalCode: '6000' };
    expect(await edit(ref, { paymentMethod: 'pm_B2' }, change)).toMatchObject({ is: 'saved' });
    expect(Object.fromEntries(fake.seen[0]?.body ?? [])).toEqual({
      'card[exp_month]': '8',
      'card[exp_year]': '2030',
      'billing_details[name]': 'Jo',
      'billing_details[address][city]': 'Perth',
      'billing_details[address][postal_code]': '6000',
    });
    expect(await edit(ref, { paymentMethod: 'pm_B2' }, { number: '4242' })).toMatchObject({
      is: 'notAttempted',
    });
  });

  it.each<[string, readonly Scripted[], string]>([
    ['removed', [method], 'gone'],
    ['unknown to Stripe', [notFound, notFound], 'gone'],
    ['not to be asked', [notFound, new TypeError('fetch failed')], 'unknown'],
    [
      'removed before',
      [
        { status: 400, json: errorBody({}) },
        { status: 200, json: { ...methodReply, customer: null } },
      ],
      'gone',
    ],
    [
      'still there',
      [
        { status: 400, json: errorBody({}) },
        { status: 200, json: { ...methodReply, customer: 'cus_A1' } },
      ],
      'unknown',
    ],
  ])('%s', async (_name, script, end) => {
    expect(await must(fakeStripe(script).gateway.removeMethod)({ paymentMethod: 'pm_B2' })).toBe(end);
  });
});

describe('checking the keys', () => {
  const list: Scripted = { status: 200, json: { object: 'list', data: [], has_more: false } };
  it.each<[string, readonly Scripted[], Record<string, unknown>, Record<string, unknown>]>([
    ['good', [list], {}, { ok: true, rights: ['payments.read'] }],
    ['refused', [{ status: 401, json: errorBody({ message: 'Invalid API Key' }) }], {}, { ok: false }],
    ['of two modes', [], { publishableKey: 'pk_live_abc' }, { ok: false }],
    [
      'not judged when Stripe is down',
      [{ status: 503, json: errorBody({}) }],
      {},
      { ok: false, unreachable: true },
    ],
    ['not judged when unreachable', [new TypeError('fetch failed')], {}, { ok: false, unreachable: true }],
    ["somebody else's address", [{ status: 200, json: {} }], {}, { ok: false }],
  ])('%s', async (_name, script, settings, expected) => {
    const result = await fakeStripe(script, settings).gateway.verifyCredentials();
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain('sk_test_abc');
    expect('unreachable' in result).toBe('unreachable' in expected);
  });
});
