/** Webhook endpoints and deliveries: several endpoints, retries with back-off, late, doubled, reordered. */
import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Collection, Store, Transaction } from './store.ts';

export interface Endpoint {
  readonly id: string;
  readonly gateway: string;
  readonly url: string;
  readonly secret: string;
  /** Only events of this account; absent: of all accounts. */
  readonly account?: string;
}

/** An address to register, as the environment or `POST /_sandbox/webhooks` gives it. */
export interface WebhookAtStart {
  readonly gateway: string;
  readonly url: string;
  readonly secret: string;
  readonly account?: string;
}

/** One webhook as it is sent. */
export interface WebhookMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes an event for an endpoint, signed now; `undefined` when the event no longer exists. */
export type RenderWebhook = (endpoint: Endpoint, event: string) => WebhookMessage | undefined;

interface Delivery {
  readonly id: string;
  readonly endpoint: string;
  readonly event: string;
  readonly attempt: number;
  readonly dueAt: number;
}

/** Waits after each failed attempt, by the sandbox's clock; after the last the delivery is given up. */
const retryAfterMs = [1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 300_000, 3_600_000];
const answerWithinMs = 10_000;
const atOnce = 8;

export class Webhooks {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #render: RenderWebhook;
  readonly #endpoints: Collection<Endpoint>;
  readonly #deliveries: Collection<Delivery>;
  readonly #running = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(store: Store, clock: Clock, render: RenderWebhook) {
    this.#store = store;
    this.#clock = clock;
    this.#render = render;
    this.#endpoints = store.collection<Endpoint>('host/endpoint');
    this.#deliveries = store.collection<Delivery>('host/delivery');
  }

  /** Adds an endpoint, or replaces the one with the same gateway, address and account. */
  register(tx: Transaction, endpoint: Omit<Endpoint, 'id'> & { readonly id?: string }): Endpoint {
    const same = [...this.#endpoints.newest()].find(
      (known) =>
        known.gateway === endpoint.gateway &&
        known.url === endpoint.url &&
        known.account === endpoint.account,
    );
    const stored: Endpoint = {
      ...endpoint,
      id: same?.id ?? endpoint.id ?? `we_${randomUUID().replaceAll('-', '')}`,
    };
    tx.put(this.#endpoints, stored.id, stored);
    return stored;
  }

  remove(tx: Transaction, id: string): boolean {
    if (this.#endpoints.get(id) === undefined) return false;
    tx.remove(this.#endpoints, id);
    return true;
  }

  endpoints(gateway?: string): Endpoint[] {
    return [...this.#endpoints.newest()].filter(
      (known) => gateway === undefined || known.gateway === gateway,
    );
  }

  /**
   * Puts an event into the queue of every endpoint that wants it.
   * @returns ids of the deliveries, for {@link delivered}
   */
  enqueue(
    tx: Transaction,
    event: { gateway: string; account: string; id: string; type: string },
    how: { delayMs: number; copies: number },
  ): string[] {
    const ids: string[] = [];
    for (const endpoint of this.#endpoints.newest()) {
      if (endpoint.gateway !== event.gateway) continue;
      if (endpoint.account !== undefined && endpoint.account !== event.account) continue;
      for (let copy = 0; copy < how.copies; copy += 1) {
        const id = `${event.id}/${endpoint.id}/${copy}`;
        const dueAt = this.#clock.now() + how.delayMs;
        tx.put(this.#deliveries, id, { id, endpoint: endpoint.id, event: event.id, attempt: 0, dueAt });
        ids.push(id);
      }
    }
    return ids;
  }

  /** Starts what is due; call it after the transaction with the deliveries is committed. */
  pump(): void {
    if (this.#stopped) return;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, delivery] of this.#deliveries.entries()) {
      if (this.#running.has(id)) continue;
      if (delivery.dueAt > now) next = Math.min(next, delivery.dueAt);
      else if (this.#running.size < atOnce) this.#start(delivery);
      else break;
    }
    clearTimeout(this.#timer);
    if (next < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.pump(), Math.min(next - now + 1, 60_000));
      this.#timer.unref();
    }
  }

  #start(delivery: Delivery): void {
    const run = this.#send(delivery).finally(() => {
      this.#running.delete(delivery.id);
      this.pump();
    });
    this.#running.set(
      delivery.id,
      run.catch(() => undefined),
    );
  }

  async #send(delivery: Delivery): Promise<void> {
    const endpoint = this.#endpoints.get(delivery.endpoint);
    const message = endpoint && this.#render(endpoint, delivery.event);
    const taken = endpoint === undefined || message === undefined || (await post(endpoint.url, message));
    if (this.#stopped) return;
    const tx = this.#store.begin();
    const waitMs = retryAfterMs[delivery.attempt];
    if (taken || waitMs === undefined) tx.remove(this.#deliveries, delivery.id);
    else {
      const dueAt = this.#clock.now() + waitMs;
      tx.put(this.#deliveries, delivery.id, { ...delivery, attempt: delivery.attempt + 1, dueAt });
    }
    await tx.commit();
  }

  /** Resolves when each of these deliveries was tried once. */
  async delivered(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const delivery = this.#deliveries.get(id);
      if (delivery !== undefined && !this.#running.has(id)) this.#start(delivery);
      await this.#running.get(id);
    }
  }

  pending(): number {
    return this.#deliveries.size;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

/** @returns whether the endpoint answered with a 2xx in time; a redirect counts as a failure */
async function post(url: string, message: WebhookMessage): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

/** @throws {Error} when a field is missing or the address is none */
export function readWebhook(entry: unknown): WebhookAtStart {
  const { gateway, url, secret, account } = (entry ?? {}) as Record<string, unknown>;
  if (typeof gateway !== 'string' || gateway === '') throw new Error('gateway is missing');
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error('url is no address');
  if (typeof secret !== 'string' || secret.trim() === '') throw new Error('secret is missing');
  return { gateway, url, secret, ...(typeof account === 'string' && account !== '' ? { account } : {}) };
}
