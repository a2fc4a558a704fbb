import { describe, expect, it } from 'vitest';
import type { ListedCharge } from '../port/gateway.ts';
import { fakeStripe, ok } from './test-support.ts';

const REF = 'A1B2C3D4E5F6G7H8J9';
const metadata = { attemptId: REF, customerId: 'c', invoices: 'INV-1', reqUid: 'r' };
const intent = (id: string, over: object = {}) => ({
  object: 'payment_intent',
  id,
  status: 'succeeded',
  amount: 1000,
  amount_received: 1000,
  currency: 'usd',
  created: 1_790_000_000,
  payment_method_types: ['card'],
  metadata,
  ...over,
});
const page = (over: object = {}) => ({
  object: 'checkout.session',
  id: 'cs_1',
  status: 'open',
  created: 1_790_000_000,
  url: 'https://checkout.stripe.com/c/pay/cs_1',
  amount_total: 1000,
  currency: 'usd',
  metadata,
  ...over,
});
const list = (data: readonly object[], has_more = false) => ok({ object: 'list', data, has_more });

async function read(script: Parameters<typeof fakeStripe>[0]) {
  const fake = fakeStripe(script);
  const listed: ListedCharge[] = [];
  for await (const one of fake.gateway.listCharges?.(new Date('2026-09-21T00:00:00Z')) ?? [])
    listed.push(one);
  return { listed, paths: fake.seen.map(({ path }) => path) };
}

describe('listing charges', () => {
  it('reads every page, and says of each payment whose it is and what became of it', async () => {
    const { listed, paths } = await read([
      list([intent('pi_1'), intent('pi_2', { status: 'canceled' })], true),
      list([
        intent('pi_3', { status: 'processing', payment_method_types: ['sepa_debit'], amount_received: 0 }),
        intent('pi_4', { metadata: { attemptId: 'not one of ours' } }),
      ]),
      list([]),
    ]);
    expect(listed).toMatchObject([
      {
        ref: REF,
        kind: 'card',
        labels: { customer: 'c', invoice: 'INV-1' },
        outcome: { is: 'succeeded', remote: 'pi_1' },
      },
      { ref: REF, kind: 'bank', outcome: { is: 'pending', remote: 'pi_3' } },
      { outcome: { is: 'succeeded', remote: 'pi_4' } },
    ]);
    expect(listed[2]).not.toHaveProperty('ref');
    expect(listed[0]?.at).toEqual(new Date(1_790_000_000_000));
    expect(paths[0]).toContain('created[gte]=1789948800');
    expect(paths[1]).toContain('starting_after=pi_2');
  });

  it('has pages that can still be paid, and no others', async () => {
    const { listed } = await read([
      list([]),
      list([page(), page({ id: 'cs_2', status: 'expired', url: null })]),
    ]);
    expect(listed).toMatchObject([
      {
        ref: REF,
        outcome: { is: 'requiresAction', remote: 'cs_1', state: { page: 'open', session: 'cs_1' } },
      },
    ]);
  });

  it.each([
    ['a refused list', [{ status: 401, json: { error: { type: 'invalid_request_error', message: 'no' } } }]],
    ['what is no payment', [list([{ object: 'payment_intent', id: 'x' }])]],
  ])('breaks off at %s, instead of taking it for the whole', async (_, script) => {
    await expect(read(script)).rejects.toThrow('cannot be read');
  });
});
