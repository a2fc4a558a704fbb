/** The list of cases through Stripe's adapter as it is, and through broken ones: in the sandbox, and as at the provider. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayFetch } from '../kit/http.ts';
import type { GatewayAdapter, GatewayContext, GatewayModule } from '../port/define-gateway.ts';
import type { Gateway, WebhookReading } from '../port/gateway.ts';
import { casesData } from '../stripe/cases-data.ts';
import { createGateway } from '../stripe/gateway.ts';
import { manifest } from '../stripe/manifest.ts';
import type { CasesReport } from './case.ts';
import { casesOf } from './list.ts';
import type { CasesOptions } from './run.ts';
import { type CasesFixture, openCases } from './test-support.ts';

const stripe: GatewayAdapter = { createGateway };
const whole: GatewayModule = { manifest, load: async () => stripe };
const cases = casesOf(manifest, casesData);
const [keys] = cases;
if (keys === undefined) throw new Error('there are cases');

let fixture: CasesFixture;
beforeAll(async () => {
  fixture = await openCases(whole, casesData);
});
beforeEach(() => fixture.control.control('reset', {}));
afterAll(() => fixture.control.close());

/** What is unlike a run of all cases through the adapter as it is. */
interface Over extends Partial<Pick<CasesOptions, 'cases' | 'only'>> {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly api?: string;
  readonly fetch?: GatewayFetch;
  readonly timeoutMs?: number;
  /** Breaks the adapter. */
  readonly change?: (gateway: Gateway) => Partial<Gateway>;
}

const run = (where: 'sandbox' | 'provider', over: Over = {}): Promise<CasesReport> => {
  const { config, api, fetch: fetchWith, timeoutMs, change, ...rest } = over;
  const { url } = fixture.control;
  const context: CasesOptions['context'] = {
    config: { ...casesData.sandbox.settings, ...config },
    addresses: { api: api ?? url, script: url, challenge: url },
    clock: fixture.control,
    log: { debug: () => undefined, warn: () => undefined },
    pause: () => Promise.resolve(),
    timeoutMs: timeoutMs ?? 5_000,
    ...(fetchWith === undefined ? {} : { fetch: fetchWith }),
  };
  const module: GatewayModule = {
    manifest,
    load: async () => ({
      createGateway(given: GatewayContext) {
        const gateway = stripe.createGateway(given);
        return { ...gateway, ...change?.(gateway) };
      },
    }),
  };
  return fixture.run(where, { ...rest, context, module });
};

/** How each case ended. */
const ends = ({ results }: CasesReport) => Object.fromEntries(results.map((one) => [one.case, one.is]));

/** What did not pass, and why. */
const details = ({ results }: CasesReport): readonly string[] =>
  results.filter(({ is }) => is !== 'passed').map((one) => `${one.case} ${one.is}: ${one.detail}`);

/** Charges of the journal that were not refunded whole. */
async function unrefunded(): Promise<readonly unknown[]> {
  const { charges } = (await fixture.control.control('charges')) as {
    charges: readonly { readonly minor: number; readonly refundedMinor: number }[];
  };
  return charges.filter((one) => one.minor !== one.refundedMinor);
}

/** Changes the body of the requests to one path. */
const rewriting =
  (path: string, change: (body: URLSearchParams) => void): GatewayFetch =>
  (input, init) => {
    if (init?.method !== 'POST' || !String(input).endsWith(path)) return fetch(input, init);
    const body = new URLSearchParams(String(init.body));
    change(body);
    return fetch(input, { ...init, body: body.toString() });
  };

describe('the list', () => {
  it('has names that stay, and proves protocol cases that there are', () => {
    for (const { id } of cases) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    const numbers = new Set(casesData.conformance?.cases.map((_, index) => index + 1));
    for (const [id, proves] of Object.entries(casesData.proves))
      for (const number of proves) expect(numbers, id).toContain(number);
    const proving = new Set(Object.keys(casesData.proves));
    const others = cases.filter(({ id, needs }) => needs === undefined && !proving.has(id));
    // Signed here, not by the provider: that proves nothing of its service.
    expect(others.map(({ id }) => id)).toEqual([
      'keys',
      'find-remote',
      'find-nothing',
      'page-left',
      'webhook-signature',
    ]);
  });

  it('passes as at the provider, refunds every charge, and leaves nothing but records and debits under way', async () => {
    const report = await run('provider');
    expect(details(report)).toEqual([]);
    expect(report.results).toHaveLength(cases.filter(({ needs }) => needs === undefined).length);
    const { charges } = await fixture.control.control('charges');
    expect((charges as readonly unknown[]).length).toBeGreaterThan(8);
    expect(await unrefunded()).toEqual([]);
    const left = report.left.map((one) => one.replace(/pi_\w+|cus_\w+/, '…'));
    expect(left).toEqual([
      'a setup that waits for its owner, who never comes',
      ...Array.from({ length: 7 }, () => 'payment …: on its way, test money only'),
      'payer …: the record of the customer',
    ]);
    expect(report.undone).toBeGreaterThan(15);
  });

  it('names each case that only a sandbox can show as not checked at the provider', async () => {
    const report = await run('provider', { only: ['keys'] });
    const said = report.notChecked.join('\n');
    for (const { id } of cases.filter(({ needs }) => needs !== undefined)) expect(said).toContain(id);
    expect((await run('sandbox', { only: ['keys'] })).notChecked).toEqual([]);
    expect(details(await run('provider', { only: ['fault-malformed'] }))).toEqual([
      'fault-malformed notAvailable: only a sandbox can show it',
    ]);
  });

  it('shows ids, and neither keys nor secrets nor numbers', async () => {
    const report = await run('provider', { only: ['pay-saved', 'webhook-signature', 'keys-refused'] });
    expect(report.results.find((one) => one.case === 'pay-saved')?.ids).toEqual([
      expect.stringMatching(/^pm_/),
      expect.stringMatching(/^pi_/),
      expect.stringMatching(/^pi_/),
    ]);
    expect(JSON.stringify(report)).not.toMatch(/sk_test_\w|whsec_|tok_|_secret_|4242/);
  });

  it('leaves out what the account does not have', async () => {
    const message =
      'The payment method type provided: au_becs_debit is invalid. Please ensure the provided type is activated in your dashboard.';
    const refuse: GatewayFetch = (input, init) =>
      String(input).endsWith('/v1/setup_intents') && String(init?.body).includes('au_becs_debit')
        ? Promise.resolve(
            Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 }),
          )
        : fetch(input, init);
    const only = ['debit-au-becs-debit', 'webhook-signature'];
    const report = await run('provider', { fetch: refuse, only, config: { webhookSecrets: [] } });
    expect(ends(report)).toEqual({
      'debit-au-becs-debit': 'notAvailable',
      'webhook-signature': 'notAvailable',
    });
  });
});

const refusal: WebhookReading = { is: 'refused', status: 400, why: 'there is no hook' };
const reading = (id: string, object: { metadata?: { attemptId?: string } }): WebhookReading => ({
  is: 'accepted',
  trust: 'signed',
  events: [{ id, about: 'charge', ref: object.metadata?.attemptId as never }],
});
const readUnsigned = (raw: Uint8Array): WebhookReading => {
  const event = JSON.parse(Buffer.from(raw).toString()) as { id: string; data: { object: object } };
  return reading(event.id, event.data.object);
};

describe('a broken adapter is caught, in the sandbox as at the provider', () => {
  it.each<[string, string, Over]>([
    ['keys that change with every request', 'repeat', { fetch: (input, init) => withOwnKey(input, init) }],
    [
      'refunds without an amount',
      'refund-parts',
      { fetch: rewriting('/refunds', (body) => body.delete('amount')) },
    ],
    [
      'a refund that says it is done and is not',
      'refund-parts',
      {
        change: () => ({
          refund: (order) =>
            Promise.resolve({ is: 'succeeded', remote: order.of.remote, captured: order.amount, state: {} }),
        }),
      },
    ],
    [
      'half the amount',
      'pay-once',
      { fetch: rewriting('/payment_intents', (body) => body.set('amount', '250')) },
    ],
    [
      'a payment that is made twice and reported once',
      'pay-once',
      {
        change: (gateway) => ({
          async charge(charge, saveState) {
            const twin = { ...charge, source: { token: 'tok_visa' } };
            await openTwin().charge(twin, () => Promise.resolve());
            return gateway.charge(charge, saveState);
          },
        }),
      },
    ],
    [
      'a cancel that only says so',
      'challenge-closed',
      { change: () => ({ cancel: () => Promise.resolve({ is: 'closed' }) }) },
    ],
    [
      'a removal that only says so',
      'remove',
      { change: () => ({ removeMethod: () => Promise.resolve('gone') }) },
    ],
    [
      'signatures that are not looked at',
      'webhook-signature',
      { change: () => ({ parseWebhook: readUnsigned }) },
    ],
    [
      'deliveries of any age',
      'webhook-signature',
      {
        change: ({ parseWebhook: read }) => ({
          parseWebhook: (raw, headers) => {
            const signedAt = /t=(\d+)/.exec(headers.get('stripe-signature') ?? '')?.[1];
            return read?.(raw, headers, new Date(Number(signedAt ?? 0) * 1000)) ?? refusal;
          },
        }),
      },
    ],
    [
      'deliveries without a signature',
      'webhook-signature',
      {
        change: ({ parseWebhook: read }) => ({
          parseWebhook: (raw, headers, at) =>
            headers.has('stripe-signature') ? (read?.(raw, headers, at) ?? refusal) : readUnsigned(raw),
        }),
      },
    ],
    [
      'another API version',
      'save',
      { fetch: rewriting('/setup_intents', (body) => body.set('payment_method_types[0]', 'card')) },
    ],
  ])('%s: %s', async (_what, only, over) => {
    for (const where of ['sandbox', 'provider'] as const) {
      const report = await run(where, { ...over, only: [only] });
      expect(ends(report), where).toEqual({ [only]: 'failed' });
      expect(report.results[0]?.detail).not.toBe('');
    }
  });
});

/** Sends each request under a key of its own. */
const withOwnKey: GatewayFetch = (input, init) => {
  const headers = new Headers(init?.headers);
  if (headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
  return fetch(input, { ...init, headers });
};

/** The same account once more, whose requests are nobody's repeats. */
const openTwin = (): Gateway => {
  const { url } = fixture.control;
  return stripe.createGateway({
    config: casesData.sandbox.settings,
    addresses: { api: url, script: url, challenge: url },
    clock: fixture.control,
    log: { debug: () => undefined, warn: () => undefined },
    fetch: withOwnKey,
  });
};

describe('without an answer', () => {
  it('nothing listens: the keys are unreachable, and the rest is not run', async () => {
    const report = await run('provider', { api: fixture.control.nowhere });
    const { keys: first, ...others } = ends(report);
    expect(first).toBe('unreachable');
    expect(new Set(Object.values(others))).toEqual(new Set(['notRun']));
    expect(report.left).toEqual([]);
  });

  it('refused keys: that is a failure, and the rest is not run', async () => {
    const report = await run('provider', { config: { secretKey: 'sk_test_invalid1' } });
    const [first, second] = report.results;
    expect(first).toMatchObject({ case: 'keys', is: 'failed', detail: expect.stringContaining('401') });
    expect(second).toMatchObject({ is: 'notRun', detail: 'keys: failed' });
  });

  it.each(['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'rate-limit'])(
    '%s: unreachable, not failed, and what was taken goes back',
    async (mode) => {
      await fixture.control.fault('charge', mode, { times: 3 });
      const report = await run('provider', { only: ['pay-once'], timeoutMs: 400 });
      expect(ends(report)).toEqual({ 'pay-once': 'unreachable' });
      expect(await unrefunded()).toEqual([]);
      expect(report.left).toEqual([]);
      await fixture.control.clearFaults();
    },
  );

  it('an answer that is no answer is a failure', async () => {
    await fixture.control.fault('charge', 'malformed');
    expect(ends(await run('provider', { only: ['pay-once'] }))).toEqual({ 'pay-once': 'failed' });
  });

  it('a case that has no end is ended: not reached while it waits for an answer, else failed', async () => {
    const never = new Promise<never>(() => undefined);
    const slow = { id: 'slow', title: 'slow', withinMs: 50 };
    const endless = [{ ...slow, run: () => never }];
    expect(details(await run('provider', { cases: endless }))).toEqual(['slow failed: no end within 0 s']);
    const hanging: GatewayFetch = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error('cut')), 200));
    const waiting = [{ ...keys, id: 'slow', withinMs: 50 }];
    expect(ends(await run('provider', { cases: waiting, fetch: hanging }))).toEqual({ slow: 'unreachable' });
  });
});

it('live keys are refused before anything is sent', async () => {
  let sent = 0;
  const counting: GatewayFetch = (input, init) => {
    sent += 1;
    return fetch(input, init);
  };
  for (const live of [
    { secretKey: 'sk_live_x1' },
    { secretKey: 'rk_live_x1' },
    { publishableKey: 'pk_live_x1' },
  ])
    await expect(run('provider', { config: live, fetch: counting })).rejects.toThrow('live');
  expect(sent).toBe(0);
});
