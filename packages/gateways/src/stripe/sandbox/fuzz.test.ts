import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenHost, openHost } from '@counterfoil/sandbox/host.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { routes } from './api.ts';

const directory = mkdtempSync(join(tmpdir(), 'sandbox-fuzz-'));
let host: OpenHost;
beforeAll(async () => {
  host = await openHost({
    directory,
    publicUrl: 'http://127.0.0.1:1',
    portalOrigins: [],
    sandboxes: [sandbox],
  });
});
afterAll(async () => {
  await host.close();
  rmSync(directory, { recursive: true, force: true });
});

const names = [
  'amount',
  'currency',
  'customer',
  'payment_method',
  'confirm',
  'metadata',
  'metadata[a]',
  'expand[]',
  'return_url',
  'payment_method_data[type]',
  'payment_method_data[card][token]',
  'mandate_data[customer_acceptance][type]',
  'type',
  'card[token]',
  'card[number]',
  'allowed_payment_method_types[]',
  'off_session',
  'limit',
  'starting_after',
  'created[gte]',
  'created',
  'mode',
  'success_url',
  'line_items[0][price_data][currency]',
  'line_items[0][price_data][unit_amount]',
  'payment_intent',
  'charge',
  'descriptor_code',
  'amounts[]',
  'client_secret',
  'query',
  'page',
  'invoice_settings[default_payment_method]',
  'billing_details[address][line1]',
  '__proto__[x]',
  'a[b',
  '[]',
  '',
];
const values = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    '100',
    '-1',
    '1e9',
    '99999999999999999999',
    'usd',
    'jpy',
    'card',
    'au_becs_debit',
    'tok_visa',
    'pm_card_visa',
    'pm_card_chargeDeclined',
    'pm_card_threeDSecureRequired',
    'pm_auBecsDebit_success',
    'online',
    'payment',
    'setup',
    'https://portal.example/',
    'latest_charge',
    'data.customer',
    "status:'succeeded'",
    '\0',
    '%',
    'x'.repeat(600),
  ),
  fc.string(),
);
const known = () => {
  const ids = ['nobody', '%E0%A4%A', 'pm_card_visa'];
  for (const name of host.store.collectionNames()) {
    if (!/\/(customer|payment_intent|setup_intent|payment_method|charge|refund|checkout_session)$/.test(name))
      continue;
    for (const value of host.store.collection<{ id: string }>(name).newest()) {
      ids.push(value.id);
      break;
    }
  }
  return ids;
};

describe('any request', () => {
  it('is answered below 500, and leaves no half-done change', async () => {
    const request = fc.record({
      route: fc.nat(routes.length - 1),
      pick: fc.nat(20),
      fields: fc.array(
        fc.tuple(
          fc.constantFrom(...names),
          fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.nat(20) }),
        ),
        { maxLength: 8 },
      ),
      version: fc.constantFrom('2026-10-28.endive', '2026-08-26.dahlia'),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ route: index, pick, fields, version }) => {
        const route = routes[index];
        if (route === undefined) return;
        const ids = known();
        const idAt = (at: number) => ids[at % ids.length] ?? 'nobody';
        const path = route.path.replace(/:\w+/g, idAt(pick));
        const form = fields
          .map(
            ([name, value]) =>
              `${encodeURIComponent(name)}=${encodeURIComponent(typeof value === 'number' ? idAt(value) : value)}`,
          )
          .join('&');
        const reply = await host.instances.get('stripe')?.handle({
          method: route.method,
          path,
          query: route.method === 'POST' ? '' : form,
          headers: { authorization: 'Bearer sk_test_fuzz', 'stripe-version': version },
          body: Buffer.from(route.method === 'POST' ? form : ''),
        });
        expect(reply?.kind).toBe('answer');
        if (reply?.kind !== 'answer') return;
        expect(reply.status).toBeLessThan(500);
        expect(reply.status === 200).toBe(!Object.hasOwn(JSON.parse(reply.body) as object, 'error'));
      }),
      { numRuns: 1500 },
    );
    for (const capture of host.captures.list('charge')) expect(capture.minor).toBeGreaterThan(0);
  });
});
