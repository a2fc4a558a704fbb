/** The cases of `gateway verify` against the sandbox process, through the adapter and through broken ones. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayFetch } from '../kit/http.ts';
import type { WebhookReading } from '../port/gateway.ts';
import { conformance } from './conformance.ts';
import { verify } from './verify.ts';
import { details, ends, type Over, openVerifyFixture, type VerifyFixture } from './verify-fixture.ts';

let fixture: VerifyFixture;
beforeAll(async () => {
  fixture = await openVerifyFixture();
});
beforeEach(() => fixture.control('reset', {}));
afterEach(() => fixture.control('faults', undefined, 'DELETE'));
afterAll(() => fixture.close());
const run = (over?: Over) => fixture.run(over);

/** Changes the body of the requests to one path. */
const rewriting =
  (path: string, change: (body: URLSearchParams) => void): GatewayFetch =>
  (input, init) => {
    if (init?.method !== 'POST' || !String(input).endsWith(path)) return fetch(input, init);
    const body = new URLSearchParams(String(init.body));
    change(body);
    return fetch(input, { ...init, body: body.toString() });
  };

describe('the cases of Stripe', () => {
  it('have names of their own, prove cases that there are, and say what is not checked', () => {
    const ids = verify.cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    const numbers = new Set(conformance.cases.map(({ number }) => number));
    for (const { id, proves } of verify.cases)
      for (const number of proves) expect(numbers, id).toContain(number);
    // Signed here, not by the provider: that proves nothing of its service.
    expect(verify.cases.filter(({ proves }) => proves.length === 0).map(({ id }) => id)).toEqual([
      'keys',
      'find-remote',
      'webhook-signature',
    ]);
    expect(verify.notChecked.length).toBeGreaterThan(3);
  });

  it('all pass, refund every charge, and leave nothing but records and debits under way', async () => {
    const report = await run();
    expect(details(report)).toEqual([]);
    expect(report.results).toHaveLength(verify.cases.length);
    const { charges } = (await fixture.control('charges')) as { charges: readonly unknown[] };
    expect(charges.length).toBeGreaterThan(8);
    expect(await fixture.kept()).toEqual([]);
    const left = report.left.map((one) => one.replace(/pi_\w+|cus_\w+/, '…'));
    expect(left).toEqual([
      'a setup that waits for its owner, who never comes',
      ...Array.from({ length: 7 }, () => 'payment …: on its way, test money only'),
      'payer …: the record of the customer',
    ]);
    expect(report.undone).toBeGreaterThan(15);
  });

  it('show ids, and neither keys nor secrets nor numbers', async () => {
    const report = await run({ only: ['pay-saved', 'webhook-signature', 'keys-refused'] });
    expect(report.results.find((one) => one.case === 'pay-saved')?.ids).toEqual([
      expect.stringMatching(/^pm_/),
      expect.stringMatching(/^pi_/),
      expect.stringMatching(/^pi_/),
    ]);
    expect(JSON.stringify(report)).not.toMatch(/sk_test_\w|whsec_|tok_|_secret_|4242/);
  });

  it('leave out what the account does not have', async () => {
    const refuse: GatewayFetch = (input, init) =>
      String(input).endsWith('/v1/setup_intents') && String(init?.body).includes('au_becs_debit')
        ? Promise.resolve(
            Response.json(
              {
                error: {
                  type: 'invalid_request_error',
                  message:
                    'The payment method type provided: au_becs_debit is invalid. Please ensure the provided type is activated in your dashboard.',
                },
              },
              { status: 400 },
            ),
          )
        : fetch(input, init);
    const report = await run({
      fetch: refuse,
      only: ['debit-au-becs-debit', 'webhook-signature'],
      config: { webhookSecrets: [] },
    });
    expect(ends(report)).toEqual({
      'debit-au-becs-debit': 'notAvailable',
      'webhook-signature': 'notAvailable',
    });
  });
});

const refusal: WebhookReading = { is: 'refused', status: 400, why: 'there is no hook' };
const readUnsigned = (event: { readonly id: string }): WebhookReading => ({
  is: 'accepted',
  trust: 'signed',
  events: [{ id: event.id, about: 'charge' }],
});

describe('a broken adapter is caught', () => {
  it.each<[string, Over, string]>([
    [
      'keys that change with every request',
      {
        fetch: (input, init) => {
          const headers = new Headers(init?.headers);
          if (headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
          return fetch(input, { ...init, headers });
        },
      },
      'repeat',
    ],
    [
      'refunds without an amount',
      { fetch: rewriting('/refunds', (body) => body.delete('amount')) },
      'refund-parts',
    ],
    [
      'a refund that says it is done and is not',
      {
        change: () => ({
          refund: (order) =>
            Promise.resolve({ is: 'succeeded', remote: order.of.remote, captured: order.amount, state: {} }),
        }),
      },
      'refund-parts',
    ],
    [
      'half the amount',
      { fetch: rewriting('/payment_intents', (body) => body.set('amount', '250')) },
      'pay-once',
    ],
    [
      'a close that only says so',
      { change: () => ({ cancel: () => Promise.resolve({ is: 'closed' }) }) },
      'challenge-closed',
    ],
    [
      'a removal that only says so',
      { change: () => ({ removeMethod: () => Promise.resolve('gone') }) },
      'remove',
    ],
    [
      'signatures that are not looked at',
      {
        change: () => ({
          parseWebhook: (raw) => ({
            is: 'accepted',
            trust: 'signed',
            events: [
              {
                id: 'evt',
                about: 'charge',
                ref: JSON.parse(Buffer.from(raw).toString()).data.object.metadata.attemptId,
              },
            ],
          }),
        }),
      },
      'webhook-signature',
    ],
    [
      'deliveries of any age',
      {
        change: ({ parseWebhook: hook }) => ({
          parseWebhook: (raw, headers) => {
            const signedAt = /t=(\d+)/.exec(headers.get('stripe-signature') ?? '')?.[1];
            return hook?.(raw, headers, new Date(Number(signedAt ?? 0) * 1000)) ?? refusal;
          },
        }),
      },
      'webhook-signature',
    ],
    [
      'deliveries without a signature',
      {
        change: ({ parseWebhook: hook }) => ({
          parseWebhook: (raw, headers, at) =>
            headers.has('stripe-signature')
              ? (hook?.(raw, headers, at) ?? refusal)
              : readUnsigned(JSON.parse(Buffer.from(raw).toString())),
        }),
      },
      'webhook-signature',
    ],
    [
      'another API version',
      { fetch: rewriting('/setup_intents', (body) => body.set('payment_method_types[0]', 'card')) },
      'save',
    ],
  ])('%s', async (_what, over, only) => {
    const report = await run({ ...over, only: [only] });
    expect(ends(report)).toEqual({ [only]: 'failed' });
    expect(report.results[0]?.detail).not.toBe('');
  });
});
