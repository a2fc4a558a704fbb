/** A Stripe of scripted answers, for tests of the adapter alone. */
import { money } from '@counterfoil/domain/money/money.ts';
import type { GatewayFetch } from '../kit/http.ts';
import type { Charge, Gateway, GatewayState } from '../port/gateway.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly headers: Headers;
  readonly body: URLSearchParams;
}

/** An HTTP answer, or a fault of the network. */
export type Scripted =
  | { readonly status: number; readonly json: unknown; readonly replayed?: boolean }
  | { readonly status: number; readonly text: string }
  | Error;

/** A fetch fault as Node gives it: a TypeError with the system's error as its cause. */
export const networkFault = (code: string, syscall?: string): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, ...(syscall ? { syscall } : {}) }),
  });

export interface FakeStripe {
  readonly gateway: Gateway;
  readonly seen: SeenRequest[];
  readonly pauses: number[];
  readonly kept: GatewayState[];
  readonly saveState: (state: GatewayState) => Promise<void>;
  now: Date;
}

/** Answers in the given order; a request beyond the script fails the test. */
export function fakeStripe(script: readonly Scripted[], settings: Record<string, unknown> = {}): FakeStripe {
  const left = [...script];
  const seen: SeenRequest[] = [];
  const pauses: number[] = [];
  const kept: GatewayState[] = [];
  const fetchScripted: GatewayFetch = (input, init) => {
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    seen.push({
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      key: headers.get('idempotency-key'),
      headers,
      body: new URLSearchParams(typeof init?.body === 'string' ? init.body : ''),
    });
    const next = left.shift();
    if (next === undefined) throw new Error(`no answer is scripted for ${url.pathname}`);
    if (next instanceof Error) return Promise.reject(next);
    const text = 'text' in next ? next.text : JSON.stringify(next.json);
    const replayed = 'replayed' in next && next.replayed === true;
    return Promise.resolve(
      new Response(text, {
        status: next.status,
        headers: { 'request-id': 'req_test', ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
      }),
    );
  };
  const fake = {
    seen,
    pauses,
    kept,
    saveState: (state: GatewayState) => {
      kept.push(state);
      return Promise.resolve();
    },
    now: new Date('2026-11-21T10:00:00Z'),
  };
  const gateway = createGateway({
    config: {
      secretKey: 'sk_test_abc',
      publishableKey: 'pk_test_abc',
      webhookSecrets: ['whsec_one'],
      separateInputs: false,
      ...settings,
    },
    addresses: {
      api: 'http://stripe.test:4010',
      script: manifest.roles.script.production,
      challenge: manifest.roles.challenge.production,
    },
    clock: { now: () => fake.now },
    log: { debug: () => undefined, warn: () => undefined },
    fetch: fetchScripted,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  });
  return Object.assign(fake, { gateway });
}

/** A payment intent as Stripe writes it, of the amount and reference of `charge`. */
export const intentOf = (charge: Charge, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'pi_C3',
  object: 'payment_intent',
  amount: 12_550,
  amount_received: 0,
  currency: 'aud',
  status: 'requires_confirmation',
  client_secret: 'pi_C3_secret_zz',
  metadata: { attemptId: charge.ref },
  payment_method: 'pm_B2',
  payment_method_types: ['card'],
  next_action: null,
  last_payment_error: null,
  latest_charge: null,
  ...over,
});

export const paidIntent = (charge: Charge): Record<string, unknown> =>
  intentOf(charge, { status: 'succeeded', amount_received: 12_550, latest_charge: 'ch_1' });

export const methodReply = { id: 'pm_B2', object: 'payment_method', type: 'card', card: { last4: '4242' } };

export const ok = (json: unknown): Scripted => ({ status: 200, json });

/** An error as Stripe writes it. */
export const errorBody = (error: Record<string, unknown>): { error: Record<string, unknown> } => ({ error });
export const refused = (status: number, error: Record<string, unknown> = {}): Scripted => ({
  status,
  json: errorBody(error),
});

/** What Stripe offers. */
export const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('Stripe offers this');
  return value;
};

export const aud = (minor: bigint) => money(minor, 'AUD');
