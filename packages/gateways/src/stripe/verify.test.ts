/** The cases of `gateway verify` against the sandbox process, through the adapter, through broken adapters, and without an answer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayModule } from '../define-gateway.ts';
import type { GatewayFetch } from '../http.ts';
import type { Gateway } from '../port.ts';
import { launchSandbox, type RunningSandbox } from '../sandbox-host/launch.ts';
import type { VerifyReport } from '../verify.ts';
import { runVerification, type VerifyOptions } from '../verify-run.ts';
import { conformance } from './conformance.ts';
import { createGateway } from './gateway.ts';
import { manifest, type StripeSettings } from './manifest.ts';
import { verify } from './verify.ts';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-verify-'));
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await launchSandbox({ directory });
});
beforeEach(() => control('reset', {}));
afterEach(() => control('faults', undefined, 'DELETE'));
afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function control(path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
  const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, unknown>;
}

const config: StripeSettings = {
  secretKey: 'sk_test_verify',
  publishableKey: 'pk_test_verify',
  webhookSecrets: ['whsec_one', 'whsec_two'],
  separateInputs: false,
};

interface Over {
  readonly config?: Partial<StripeSettings>;
  readonly api?: string;
  readonly fetch?: GatewayFetch;
  readonly timeoutMs?: number;
  readonly only?: readonly string[];
  readonly suite?: VerifyOptions['suite'];
  /** Breaks the adapter. */
  readonly change?: (gateway: Gateway) => Partial<Gateway>;
}

function run(over: Over = {}): Promise<VerifyReport> {
  const module: GatewayModule = {
    manifest,
    createGateway: (context) => {
      const gateway = createGateway(context as Parameters<typeof createGateway>[0]);
      return { ...gateway, ...over.change?.(gateway) };
    },
  };
  return runVerification({
    suite: over.suite ?? verify,
    module,
    context: {
      config: { ...config, ...over.config },
      addresses: { api: over.api ?? sandbox.url, script: sandbox.url, challenge: sandbox.url },
      clock: { now: () => new Date() },
      log: { debug: () => undefined, warn: () => undefined },
      pause: () => Promise.resolve(),
      timeoutMs: over.timeoutMs ?? 5_000,
      ...(over.fetch === undefined ? {} : { fetch: over.fetch }),
    },
    currency: 'AUD',
    resellerId: '4100',
    returnTo: 'https://portal.example/',
    ...(over.only === undefined ? {} : { only: over.only }),
  });
}

const ends = ({ results }: VerifyReport) => Object.fromEntries(results.map((one) => [one.case, one.is]));
const details = ({ results }: VerifyReport) =>
  results.filter(({ is }) => is !== 'passed').map((one) => `${one.case} ${one.is}: ${one.detail}`);

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

  it('all pass, give back every charge, and leave nothing but records and debits under way', async () => {
    const report = await run();
    expect(details(report)).toEqual([]);
    expect(report.results).toHaveLength(verify.cases.length);
    const { charges } = (await control('charges')) as {
      charges: { state: string; minor: number; refundedMinor: number }[];
    };
    const kept = charges.filter((one) => one.minor !== one.refundedMinor);
    expect(charges.length).toBeGreaterThan(8);
    expect(kept).toEqual([]);
    const left = report.left.map((one) => one.replace(/pi_\w+|cus_\w+/, '…'));
    expect(left).toEqual([
      'a saving that waits for its owner, who never comes',
      ...Array.from({ length: 4 }, () => 'payment …: on its way, test money only'),
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
          giveBack: (order) =>
            Promise.resolve({ is: 'succeeded', remote: order.of.remote, captured: order.amount, bag: {} }),
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
      { change: () => ({ close: () => Promise.resolve({ is: 'closed' }) }) },
      'challenge-closed',
    ],
    ['a removal that only says so', { change: () => ({ remove: () => Promise.resolve('gone') }) }, 'remove'],
    [
      'signatures that are not looked at',
      {
        change: () => ({
          hook: (raw) => ({
            ...{ is: 'accepted', trust: 'signed' },
            news: [
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

describe('without an answer', () => {
  it('nothing listens: the keys are unreachable, and the rest is not run', async () => {
    const report = await run({ api: 'http://127.0.0.1:9' });
    const { keys, ...others } = ends(report);
    expect(keys).toBe('unreachable');
    expect(new Set(Object.values(others))).toEqual(new Set(['notRun']));
    expect(report.left).toEqual([]);
  });

  it('refused keys: that is a failure, and the rest is not run', async () => {
    const report = await run({ config: { secretKey: 'sk_test_invalid1' } });
    expect(report.results[0]).toMatchObject({
      case: 'keys',
      is: 'failed',
      detail: expect.stringContaining('401'),
    });
    expect(report.results[1]).toMatchObject({ is: 'notRun', detail: 'keys: failed' });
  });

  it.each(['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'rate-limit'])(
    '%s: unreachable, not failed, and what was taken goes back',
    async (mode) => {
      await control('faults', { gateway: 'stripe', operation: 'charge', mode, times: 3 });
      const report = await run({ only: ['pay-once'], timeoutMs: 400 });
      expect(ends(report)).toEqual({ 'pay-once': 'unreachable' });
      const { charges } = (await control('charges')) as {
        charges: { minor: number; refundedMinor: number }[];
      };
      expect(charges.filter((one) => one.minor !== one.refundedMinor)).toEqual([]);
      expect(report.left).toEqual([]);
    },
  );

  it('an answer that is no answer is a failure', async () => {
    await control('faults', { gateway: 'stripe', operation: 'charge', mode: 'malformed', times: 1 });
    expect(ends(await run({ only: ['pay-once'] }))).toEqual({ 'pay-once': 'failed' });
  });

  it('a case that has no end is ended: not reached while it waits for an answer, else failed', async () => {
    const [, one] = verify.cases;
    if (one === undefined) throw new Error('there are cases');
    const limited = (work: () => Promise<void>) => ({ ...one, id: 'slow', withinMs: 50, run: work });
    const suite = (work: () => Promise<void>) => ({ cases: [limited(work)], notChecked: [] });
    const never = new Promise<never>(() => undefined);
    expect(details(await run({ suite: suite(() => never) }))).toEqual(['slow failed: no end within 0 s']);
    const hanging: GatewayFetch = () =>
      new Promise((_, reject) => setTimeout(() => reject(new Error('cut')), 200));
    const waiting = {
      cases: [{ ...one, id: 'slow', withinMs: 50 }],
      notChecked: [],
    };
    expect(ends(await run({ suite: waiting, fetch: hanging }))).toEqual({ slow: 'unreachable' });
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
    await expect(Promise.resolve().then(() => run({ config: live, fetch: counting }))).rejects.toThrow(
      'live',
    );
  expect(sent).toBe(0);
});
