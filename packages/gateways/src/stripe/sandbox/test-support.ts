/** Drives a running sandbox with the official SDK: one process per test file, one account per test. */
import { randomBytes } from 'node:crypto';
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { pinnedVersion } from './protocol.ts';

export const returnUrl = 'https://portal.example/payment-result?req_uid=9f2c';
export const newName = (): string => `t${randomBytes(8).toString('hex')}`;

class Harness extends SandboxHarness {
  constructor() {
    super('stripe');
  }

  /** A client of a fresh account; `name` makes it the account of that name. */
  client(options: { name?: string; kind?: 'sk' | 'pk'; version?: string } = {}): Stripe {
    const { name = newName(), kind = 'sk', version = pinnedVersion } = options;
    return new Stripe(`${kind}_test_${name}`, {
      host: '127.0.0.1',
      port: this.sandbox.port,
      protocol: 'http',
      apiVersion: version as typeof pinnedVersion,
      maxNetworkRetries: 0,
      timeout: 8000,
      telemetry: false,
    });
  }

  /** A plain request: what the SDK would not send. */
  async raw(method: string, path: string, key?: string, body?: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${this.sandbox.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      id?: string;
      status?: string;
      error?: { type?: string; code?: string; param?: string };
    };
    return { status: answer.status, headers: answer.headers, text, body: parsed };
  }
}

/** A harness that starts before the file's tests and ends after them. */
export function useSandbox(): Harness {
  const harness = new Harness();
  beforeAll(() => harness.start());
  afterAll(() => harness.end());
  return harness;
}

/** The error a call ends with. @throws {Error} when the call succeeds */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeError) return cause;
    throw cause;
  }
  throw new Error('The call succeeded');
}

/** Parameters of a payment that is confirmed at once. */
export const payment = (
  method: string,
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
): Stripe.PaymentIntentCreateParams => ({
  amount: 12_550,
  currency: 'aud',
  payment_method: method,
  confirm: true,
  return_url: returnUrl,
  allowed_payment_method_types: ['card'],
  ...more,
});

/** An intent for a card. */
export const card = { allowed_payment_method_types: ['card'] } as Pick<
  Stripe.PaymentIntentCreateParams & Stripe.SetupIntentCreateParams,
  'allowed_payment_method_types'
>;
/** A setup that is confirmed at once. */
export const save = { confirm: true, usage: 'off_session', return_url: returnUrl, ...card } as const;
/** With no way back. */
export const nowhere = (method: string, more: object = {}): Stripe.PaymentIntentCreateParams => {
  const { return_url: _return, ...bare } = payment(method, more);
  return bare;
};
/** Without the customer. */
export const away = (method: string, more: object = {}) => nowhere(method, { ...more, off_session: true });

/** The types of all events of the account, the oldest first. */
export const told = async (stripe: Stripe) =>
  (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type).toReversed();
