import type { LookupStrategy, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import pino from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { brokenRules } from './books.ts';
import { useFixture } from './test-fixture.ts';

/** What the tests of the engine share: a fixture whose gateway and clock obey, and whose books are checked after each. */
export const lines: string[] = [];
export const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
export const plan = {
  by: 'ref',
  mayCharge: false,
  savedMethodOnly: false,
  firstMs: 0,
  visibleMs: 0,
  validMs: 'unknown',
  maxAttempts: 'any',
  pause: { firstMs: 0, factor: 1, mostMs: 0 },
  absenceProvenMs: 0,
} as const;
const plans: readonly LookupStrategy[] = [
  plan,
  { ...plan, by: 'replay', mayCharge: true, validMs: 24 * 3_600_000 },
];
export const fixture = useFixture({ log, callWithinMs: 150, plans });

export const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  fixture.app.inject({ method: 'POST', url, payload, headers });
/** A webhook, answered and followed up as far as can be. */
export async function hook(resellerId: number, headers: Record<string, string> = { 'x-signed': '1' }) {
  const answer = await fixture.app.inject({
    method: 'POST',
    url: `/v1/webhooks/scripted/${resellerId}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: '{}',
  });
  await fixture.eventsFollowed();
  return answer;
}
export const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];
export const unknown: Outcome = { is: 'unknown', evidence: 'cut' };
export const inconclusive = { is: 'inconclusive', why: 'nothing to see' } as const;
export const absent = { is: 'absent', proven: true } as const;
export const declined: Outcome = {
  is: 'declined',
  why: { class: 'otherMethod', code: 'card_declined', text: 'Your card was declined' },
};

export async function setUp() {
  const { customer, reseller } = await fixture.seedPayer({});
  const invoice = await fixture.seedPayable(customer);
  const body = {
    uid: invoice.token,
    invoiceAmount: '110.00',
    invoiceNumber: invoice.number,
    cardToken: 'tok_visa',
    email: 'payer@mail.example',
  };
  const attempt = async () => {
    const [row] = await rows<{
      id: string;
      ref: string;
      state: string;
      next_lookup_at: Date | null;
      lookups: object;
    }>(
      'select id, ref, state, next_lookup_at, lookups from attempt where customer_id = $1 order by id desc limit 1',
      [customer.id],
    );
    if (row === undefined) throw new Error('there is no attempt');
    return { ...row, key: { customerId: customer.id, attemptId: row.id } };
  };
  const pay = async (over: object = {}) => (await post('/v1/ec/pay', { ...body, ...over })).json().data;
  const captures = () =>
    rows<{ n: string; currency: string; credit: string }>(
      `select amount_minor::text as n, currency, to_credit_minor::text as credit from capture
        where customer_id = $1 order by at, id`,
      [customer.id],
    );
  return { customer, reseller, invoice, body, attempt, pay, captures };
}

beforeEach(() => {
  lines.length = 0;
  const { gateway } = fixture;
  gateway.taken.clear();
  gateway.onCharge = async (charge) => gateway.take(charge);
  gateway.onLookup = async (charge) => (gateway.taken.has(charge.ref) ? gateway.take(charge) : absent);
  gateway.setPlans(plans);
  gateway.onLookupByRemoteId = undefined;
  gateway.onCancel = async (charge) =>
    gateway.taken.has(charge.ref) ? gateway.take(charge) : { is: 'closed' };
  gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
  gateway.onWebhook = () => [];
});
afterEach(async () => {
  expect(await brokenRules(fixture.database.pool())).toEqual({});
});
