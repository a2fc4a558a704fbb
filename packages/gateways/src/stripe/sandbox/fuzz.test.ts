import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenHost, openHost } from '@counterfoil/sandbox/host.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes, sandbox } from '../sandbox.ts';

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

const names =
  'amount currency customer payment_method confirm metadata metadata[a] expand[] return_url type card[token] card[number] allowed_payment_method_types[] off_session limit starting_after created[gte] created mode success_url line_items[0][price_data][currency] line_items[0][price_data][unit_amount] line_items[0][price_data][product_data][name] payment_intent descriptor_code amounts[] client_secret query mandate_data[customer_acceptance][type] invoice_settings[default_payment_method] billing_details[address][line1] __proto__[x] a[b []'.split(
    ' ',
  );
const words =
  'true 100 -1 1e9 99999999999999999999 usd jpy card au_becs_debit tok_visa pm_card_visa pm_card_chargeDeclined pm_card_authenticationRequired pm_auBecsDebit_success online payment setup https://portal.example/ latest_charge customer'.split(
    ' ',
  );
const values = fc.oneof(
  fc.constantFrom('', "status:'succeeded'", '\0', '%', 'x'.repeat(600), ...words),
  fc.string(),
);

/** Ids there are, one of each kind, and some there are not. */
const known = () => {
  const ids = ['nobody', '%E0%A4%A', 'pm_card_visa'];
  for (const name of host.store.collectionNames()) {
    const [, , kind] = name.split('/');
    if (kind === undefined || kind === 'event') continue;
    for (const { id } of host.store.collection<{ id?: string }>(name).newest().take(1)) ids.push(id ?? '');
  }
  return ids;
};

it('any request is answered below 500, and leaves no half-done change', async () => {
  const field = fc.tuple(
    fc.constantFrom('', ...names),
    fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.nat(20) }),
  );
  const request = fc.record({
    route: fc.constantFrom(...routes),
    pick: fc.nat(20),
    fields: fc.array(field, { maxLength: 8 }),
    version: fc.constantFrom('2026-10-28.endive', '2026-08-26.dahlia'),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route, pick, fields, version }) => {
      const ids = known();
      const idAt = (at: number) => ids[at % ids.length] ?? 'nobody';
      const form = fields
        .map(([name, value]) => [name, typeof value === 'number' ? idAt(value) : value])
        .map((pair) => pair.map(encodeURIComponent).join('='))
        .join('&');
      const isPost = route.method === 'POST';
      const reply = await host.instances.get('stripe')?.handle({
        method: route.method,
        path: route.path.replace(/:\w+/g, idAt(pick)),
        query: isPost ? '' : form,
        headers: { authorization: 'Bearer sk_test_fuzz', 'stripe-version': version },
        body: Buffer.from(isPost ? form : ''),
      });
      if (reply?.kind !== 'answer') throw new Error(`it ended by ${reply?.kind}`);
      expect(reply.status).toBeLessThan(500);
      expect(reply.status === 200).toBe(!Object.hasOwn(JSON.parse(reply.body) as object, 'error'));
    }),
    { numRuns: 1500 },
  );
  for (const capture of host.captures.list('charge')) expect(capture.minor).toBeGreaterThan(0);
});
