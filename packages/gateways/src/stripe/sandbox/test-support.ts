/** Drives a running sandbox with the official SDK: one process per test file, one account per test. */
import { randomBytes } from 'node:crypto';
import { type Received, SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { pinnedVersion } from './wire.ts';

export const returnUrl = 'https://portal.example/payment-result?req_uid=9f2c';

export class Harness extends SandboxHarness {
  constructor() {
    super('stripe');
  }

  /** A client of a fresh account; `name` makes it the account of that name. */
  client(
    options: { name?: string; kind?: 'sk' | 'pk' | 'rk'; version?: string; timeout?: number } = {},
  ): Stripe {
    const { name = newName(), kind = 'sk', version = pinnedVersion, timeout = 8000 } = options;
    return new Stripe(`${kind}_test_${name}`, {
      host: '127.0.0.1',
      port: this.sandbox.port,
      protocol: 'http',
      apiVersion: version as typeof pinnedVersion,
      maxNetworkRetries: 0,
      timeout,
      telemetry: false,
    });
  }

  /** A plain request: what the SDK would not send. */
  async raw(
    method: string,
    path: string,
    options: { key?: string; headers?: Record<string, string>; body?: string } = {},
  ) {
    const answer = await fetch(`${this.sandbox.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: options.body }),
    });
    const text = await answer.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      id?: string;
      status?: string;
      error?: { type?: string; code?: string; param?: string; message?: string };
    };
    return { status: answer.status, headers: answer.headers, text, body };
  }
}

export function newName(): string {
  return `t${randomBytes(8).toString('hex')}`;
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

/** The address of the challenge an intent waits for. */
export function challengeOf(intent: Stripe.PaymentIntent | Stripe.SetupIntent): string {
  const url = intent.next_action?.redirect_to_url?.url;
  if (url == null) throw new Error(`There is no redirect in ${JSON.stringify(intent.next_action)}`);
  return url;
}

export const card: Pick<Stripe.PaymentIntentCreateParams, 'allowed_payment_method_types'> = {
  allowed_payment_method_types: ['card'],
};

/** Parameters of a payment that is confirmed at once. */
export function payment(
  method: string,
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
): Stripe.PaymentIntentCreateParams {
  return {
    amount: 12_550,
    currency: 'aud',
    payment_method: method,
    confirm: true,
    return_url: returnUrl,
    allowed_payment_method_types: ['card'],
    ...more,
  };
}

/** The event in a webhook. */
export const eventOf = (delivery: Received): { readonly id: string; readonly type: string } =>
  JSON.parse(delivery.body.toString('utf8')) as { id: string; type: string };

/** The header that signs a webhook. */
export const signatureOf = (delivery: Received): string => String(delivery.headers['stripe-signature']);
