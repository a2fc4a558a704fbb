/** Drives a running sandbox process in tests: starts it, orders faults, moves its clock, takes its webhooks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Capture } from './captures.ts';
import type { FaultOrder } from './faults.ts';
import { launchSandbox, type RunningSandbox } from './launch.ts';

/** An answer to a plain request. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; an empty object where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export class SandboxHarness {
  readonly directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
  readonly #gateway: string;
  #running: RunningSandbox | undefined;

  /** @param gateway whose faults are ordered */
  constructor(gateway: string) {
    this.#gateway = gateway;
  }

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

  /** Stops it and removes its journal. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Calls `/_sandbox/<path>`. @throws {Error} with the sandbox's sentence when it refuses */
  async control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(String(parsed['error']));
    return parsed;
  }

  /**
   * A plain request as a provider's documentation has it.
   * @param path from the sandbox's own address
   * @param body an object is sent as JSON, a text as it stands
   */
  async ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const answer = await fetch(this.sandbox.url + path, {
      method,
      headers: {
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      get body() {
        return text === '' ? {} : (JSON.parse(text) as Reply['body']);
      },
    };
  }

  /** Orders a fault, once unless said otherwise. */
  async fault(order: Omit<FaultOrder, 'gateway' | 'times'> & { times?: number }): Promise<void> {
    await this.control('POST', 'faults', { gateway: this.#gateway, times: 1, ...order });
  }

  async advance(ms: number): Promise<void> {
    await this.control('POST', 'clock', { advanceMs: ms });
  }

  /** The charges taken under a reference. */
  async captures(reference: string): Promise<Capture[]> {
    return (await this.control('GET', `charges?reference=${reference}`))['charges'] as Capture[];
  }

  /** Presses a button on the challenge page; gives back where the browser is sent. */
  async answerChallenge(url: string, outcome: 'complete' | 'fail'): Promise<URL | undefined> {
    const answer = await fetch(`${this.sandbox.url}${new URL(url).pathname}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `outcome=${outcome}`,
    });
    const location = answer.headers.get('location');
    return location === null ? undefined : new URL(location);
  }
}

/** A sandbox for the tests of the file that calls it: started before them, ended after them. */
export function sandboxForTests(gateway: string): SandboxHarness {
  const harness = new SandboxHarness(gateway);
  beforeAll(() => harness.start());
  afterAll(() => harness.end());
  return harness;
}

/** A webhook as it arrived. */
export interface Received {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly at: number;
}

/** A server that takes webhooks; `answer` decides the status per delivery. */
export async function webhookReceiver(answer: (delivery: Received) => number = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const delivery: Received = {
        path: request.url ?? '',
        body: Buffer.concat(parts),
        headers: request.headers,
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
