/** What a sandbox gives beside the protocol: faults, its clock, its journal and the webhooks it delivers. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capture } from '@counterfoil/sandbox/captures.ts';
import { launchSandbox } from '@counterfoil/sandbox/launch.ts';
import type { SandboxData } from './data.ts';

/** A webhook delivery as it came over the wire. */
export interface Delivery {
  readonly raw: Uint8Array;
  readonly headers: Headers;
  /** When it came, by the clock deliveries are signed with. */
  readonly at: Date;
}

export type FaultedOperation = 'charge' | 'refund' | 'save' | 'find';

export interface SandboxControl {
  /** Without a trailing slash. */
  readonly url: string;
  /** An address at which nothing listens. */
  readonly nowhere: string;
  now(): Date;
  /** Moves the clocks of both sides. */
  advance(milliseconds: number): Promise<void>;
  /** Orders a fault for the next request of that operation. */
  fault(operation: FaultedOperation, mode: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  clearFaults(): Promise<void>;
  /** Minor units really taken under a reference, one entry a charge that was not undone: the sandbox's journal, not the protocol. */
  taken(ref: string): Promise<readonly bigint[]>;
  /** The same for what was refunded. */
  refunded(ref: string): Promise<readonly bigint[]>;
  /** Waits for a delivery of an event about a remote id. @throws {Error} when none comes */
  delivery(remote: string): Promise<Delivery>;
  /** Any control of the sandbox: a GET without a body. */
  control(path: string, body?: object, method?: string): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

type Movement = Pick<Capture, 'minor' | 'state'>;
/** Voided before it was settled, or returned by the bank. */
const isUndone: ReadonlySet<Capture['state']> = new Set(['voided', 'failed']);

/** Minor units of what was not undone, of rows of the sandbox's journal. */
export const minorsOf = (rows: unknown): readonly bigint[] =>
  (rows as readonly Movement[]).filter(({ state }) => !isUndone.has(state)).map(({ minor }) => BigInt(minor));

/** Takes deliveries and keeps them; an answer of 200 to each. */
async function startReceiver() {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      deliveries.push({ raw: Buffer.concat(parts), headers, at: new Date() });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    deliveries,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Starts a sandbox as a process of its own, and a receiver for the webhooks of one gateway.
 * @param nowhere an address at which nothing listens
 */
export async function openSandbox(
  gateway: string,
  data: SandboxData,
  nowhere: string,
): Promise<SandboxControl> {
  const directory = await mkdtemp(join(tmpdir(), 'counterfoil-cases-'));
  const sandbox = await launchSandbox({ directory });
  const receiver = await startReceiver();
  let aheadMs = 0;

  const control: SandboxControl['control'] = async (
    path,
    body,
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const journal = async (kind: 'charges' | 'refunds', ref: string): Promise<readonly bigint[]> =>
    minorsOf((await control(`charges?reference=${ref}`))[kind]);
  const { webhookSecret: secret } = data;
  if (secret !== undefined) await control('webhooks', { gateway, url: receiver.url, secret });

  return {
    url: sandbox.url,
    nowhere,
    control,
    now: () => new Date(Date.now() + aheadMs),
    async advance(milliseconds) {
      aheadMs += milliseconds;
      await control('clock', { advanceMs: milliseconds });
    },
    async fault(operation, mode, more = {}) {
      await control('faults', { gateway, operation, mode, times: 1, ...more });
    },
    async clearFaults() {
      await control('faults', undefined, 'DELETE');
    },
    taken: (ref) => journal('charges', ref),
    refunded: (ref) => journal('refunds', ref),
    async delivery(remote) {
      for (let tries = 0; tries < 200; tries += 1) {
        const found = receiver.deliveries.find(({ raw }) => data.eventAbout?.(raw) === remote);
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no delivery about ${remote}`);
    },
    async close() {
      receiver.stop();
      await sandbox.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
