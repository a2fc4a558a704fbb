/** Drives a running sandbox with the official SDK: one process per test file, one account per test. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capture } from '@counterfoil/sandbox/captures.ts';
import type { FaultOrder } from '@counterfoil/sandbox/faults.ts';
import { launchSandbox, type RunningSandbox } from '@counterfoil/sandbox/launch.ts';
import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { pinnedVersion } from './wire.ts';

export const returnUrl = 'https://portal.example/payment-result?req_uid=9f2c';

export class Harness {
  readonly directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
  #running: RunningSandbox | undefined;

  get sandbox(): RunningSandbox {
    if (this.#running === undefined) throw new Error('The sandbox is not running');
    return this.#running;
  }

  async start(): Promise<void> {
    this.#running = await launchSandbox({ directory: this.directory });
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    await this.#running?.stop(signal);
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

  async control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(String(parsed['error']));
    return parsed;
  }

  async fault(order: Omit<FaultOrder, 'gateway' | 'times'> & { times?: number }): Promise<void> {
    await this.control('POST', 'faults', { gateway: 'stripe', times: 1, ...order });
  }

  async advance(ms: number): Promise<void> {
    await this.control('POST', 'clock', { advanceMs: ms });
  }

  async captures(reference: string): Promise<Capture[]> {
    return (await this.control('GET', `charges?reference=${reference}`))['charges'] as Capture[];
  }

  /** Presses a button on the challenge page; gives back where the browser is sent. */
  async answerChallenge(url: string, outcome: 'complete' | 'fail'): Promise<URL | undefined> {
    const answer = await this.raw('POST', new URL(url).pathname, { body: `outcome=${outcome}` });
    const location = answer.headers.get('location');
    return location === null ? undefined : new URL(location);
  }
}

export function newName(): string {
  return `t${randomBytes(8).toString('hex')}`;
}

/** A harness that starts before the file's tests and ends after them. */
export function useSandbox(): Harness {
  const harness = new Harness();
  beforeAll(() => harness.start());
  afterAll(async () => {
    await harness.stop();
    rmSync(harness.directory, { recursive: true, force: true });
  });
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

export interface Received {
  readonly path: string;
  readonly body: Buffer;
  readonly signature: string;
  readonly type: string;
  readonly id: string;
  readonly at: number;
}

/** A server that takes webhooks; `answer` decides the status per delivery. */
export async function receiver(answer: (delivery: Received) => number = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const { id, type } = JSON.parse(body.toString('utf8')) as { id: string; type: string };
      const delivery: Received = {
        path: request.url ?? '',
        body,
        signature: String(request.headers['stripe-signature']),
        type,
        id,
        at: Date.now(),
      };
      received.push(delivery);
      response.writeHead(answer(delivery)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
