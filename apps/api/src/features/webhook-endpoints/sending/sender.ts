import {
  MESSAGE_VERSION,
  type MessageBody,
} from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Logger } from 'pino';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import { CallSlots } from '../../../limits/call-slots.ts';
import type { Secrets } from '../../../secrets.ts';
import { VERSION } from '../../../version.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { secretsOf } from '../secret.ts';
import { type Posted, post } from './post.ts';
import { recordTry } from './record.ts';
import { signatureHeaders } from './sign.ts';
import { endpointsWithDue, type TakenDelivery, takeDelivery } from './take.ts';

/** Between two looks for what is due. */
export const SEND_EVERY_MS = 1_000;
/** Deliveries that a process has under way to one endpoint, and to all. A slow endpoint has one. */
const AT_ONCE = 4;
const SLOTS = { all: 64, slow: 32, each: AT_ONCE };
/** A process that must stop has less than ten seconds. */
const STOP_WITHIN_MS = 5_000;

export interface SenderDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether endpoints may be inside private networks. */
  readonly allowsPrivate: boolean;
  readonly timeoutMs?: number;
}

/** What a process does about deliveries, for as long as it lives. */
export interface WebhookSender {
  /** Starts with every endpoint that has something due. Waits for none of them. */
  round(): Promise<void>;
  /** Resolves when nothing that was started is under way. @returns how many were tried so far */
  idle(): Promise<number>;
  /** Starts nothing more; what breaks off is sent again after its lease. */
  stop(): Promise<void>;
}

/**
 * Sends what is due, each endpoint by itself: one that is slow or dead holds up no other. Any number of processes may do so at
 * once; each delivery is taken by one of them.
 */
export function webhookSender(deps: SenderDeps): WebhookSender {
  const lanes = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const slots = new CallSlots(() => deps.clock.now().getTime(), SLOTS);
  const stopping = new AbortController();
  let tried = 0;

  /** @returns whether there may be more */
  async function next(endpointId: string): Promise<boolean> {
    if (stopping.signal.aborted) return false;
    const taken = await takeDelivery(deps.db, endpointId, deps.clock.now());
    if (taken === undefined) return false;
    tried += 1;
    await deliver(deps, taken);
    return true;
  }

  async function work(endpointId: string): Promise<void> {
    const failed = (error: unknown) => {
      deps.log.error(
        { err: error, endpoint: endpointId },
        'a webhook could not be sent; it comes round again',
      );
      return false;
    };
    while (await slots.run(endpointId, () => next(endpointId)).catch(failed));
    const left = (lanes.get(endpointId) ?? 1) - 1;
    if (left === 0) lanes.delete(endpointId);
    else lanes.set(endpointId, left);
  }

  async function idle(): Promise<number> {
    while (running.size > 0) await Promise.all(running);
    return tried;
  }

  return {
    idle,
    async round() {
      for (const { id } of await endpointsWithDue(deps.db, deps.clock.now()))
        for (let lane = lanes.get(id) ?? 0; lane < AT_ONCE && !stopping.signal.aborted; lane += 1) {
          lanes.set(id, lane + 1);
          const worker = work(id).finally(() => running.delete(worker));
          running.add(worker);
        }
    },
    async stop() {
      stopping.abort();
      await withTimeout(STOP_WITHIN_MS, idle(), 0);
    },
  };
}

/** Sends what is due now, once. @returns how many deliveries were tried */
export async function sendDue(deps: SenderDeps): Promise<number> {
  const sender = webhookSender(deps);
  await sender.round();
  return sender.idle();
}

/** Sends one delivery that was taken, and records what came of it. */
export async function deliver(deps: SenderDeps, taken: TakenDelivery): Promise<Posted> {
  const { clock, allowsPrivate, timeoutMs } = deps;
  const begunAt = clock.now();
  const body = bodyOf(taken);
  const signed = {
    id: taken.message_id,
    timestamp: Math.floor(begunAt.getTime() / 1000),
    body,
    secrets: secretsOf(deps.secrets, taken.endpoint_id, taken, begunAt),
  };
  const headers = {
    ...signatureHeaders(signed),
    'content-type': 'application/json',
    'user-agent': `Counterfoil/${VERSION}`,
    accept: '*/*',
  };
  const options = { allowsPrivate, ...(timeoutMs !== undefined && { timeoutMs }) };
  const posted = await post(new URL(taken.url), body, headers, options);
  await recordTry(deps.db, taken, { ...posted, begunAt, endedAt: clock.now() });
  return posted;
}

/** What is sent: the same bytes at each try. */
export function bodyOf(
  taken: Pick<TakenDelivery, 'message_id' | 'type' | 'at' | 'reseller_id' | 'data'>,
): string {
  const body: MessageBody = {
    id: taken.message_id,
    type: taken.type,
    version: MESSAGE_VERSION,
    timestamp: taken.at.toISOString(),
    resellerId: taken.reseller_id,
    data: taken.data,
  };
  return JSON.stringify(body);
}
