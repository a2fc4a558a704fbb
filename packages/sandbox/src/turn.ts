/** One piece of work of a sandbox: a request being carried out, or a task whose time has come. */
import type { Fault, Mode } from './faults.ts';
import type { SandboxHost } from './gateway-sandbox.ts';
import type { Transaction } from './store.ts';

export interface Turn {
  readonly host: SandboxHost;
  readonly tx: Transaction;
  /** Set while a request is carried out. */
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** Faults that change what this work does. */
  readonly faults: readonly Fault[];
  /** Ids of the webhook deliveries this work has put into the queue. */
  readonly deliveries: string[];
  readonly emitted: { count: number };
}

/** Work that no request asked for: a task, or a form of one of the sandbox's own pages. */
export function ownTurn(host: SandboxHost, tx: Transaction): Turn {
  return {
    host,
    tx,
    requestId: null,
    idempotencyKey: null,
    faults: [],
    deliveries: [],
    emitted: { count: 0 },
  };
}

/** The fault of this mode that was ordered for this work, if any. */
export function faultOf(turn: Turn, mode: Mode): Fault | undefined {
  return turn.faults.find((fault) => fault.mode === mode);
}

const looseLength = 10;

/**
 * How a search by reference answers: exactly, or, by an ordered `lookup-loose`, with all that begin as the one asked for does, a
 * row a page.
 * @param asked absent: all are asked for
 */
export function searchOf(
  turn: Turn,
  asked: string | undefined,
): { readonly fits: (reference: unknown) => boolean; readonly most: number } {
  if (asked === undefined) return { fits: () => true, most: Number.POSITIVE_INFINITY };
  if (faultOf(turn, 'lookup-loose') === undefined)
    return { fits: (reference) => reference === asked, most: Number.POSITIVE_INFINITY };
  const begin = asked.slice(0, looseLength);
  return { fits: (reference) => String(reference).startsWith(begin), most: 1 };
}

const lateMs = 5000;
const reorderStepMs = 300;

/** Queues an event for every endpoint that wants it, as the ordered faults say: lost, late, doubled, reversed. */
export function queueEvent(
  turn: Turn,
  event: { readonly gateway: string; readonly account: string; readonly id: string; readonly type: string },
): void {
  turn.emitted.count += 1;
  if (faultOf(turn, 'webhook-lost') !== undefined) return;
  const late = faultOf(turn, 'webhook-late');
  const reversed = faultOf(turn, 'webhook-reversed');
  const delayMs =
    (late === undefined ? 0 : (late.ms ?? lateMs)) +
    (reversed === undefined ? 0 : Math.max(0, 6 - turn.emitted.count) * (reversed.ms ?? reorderStepMs));
  const copies = faultOf(turn, 'webhook-twice') === undefined ? 1 : 2;
  turn.deliveries.push(...turn.host.webhooks.enqueue(turn.tx, event, { delayMs, copies }));
}
