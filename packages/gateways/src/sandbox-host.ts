/**
 * What a gateway's sandbox is given and what it must offer.
 *
 * A sandbox speaks one gateway's wire protocol. The host (apps/sandbox) owns everything that is the same for
 * all of them: HTTP, the journal on disk, the test clock, faults, and delivery of webhooks.
 */
import type { Captures } from './sandbox-host/captures.ts';
import type { Clock } from './sandbox-host/clock.ts';
import type { Faults, Operation } from './sandbox-host/faults.ts';
import type { Scheduler } from './sandbox-host/scheduler.ts';
import type { Settings } from './sandbox-host/settings.ts';
import type { Store, Transaction } from './sandbox-host/store.ts';
import type { Endpoint, Webhooks } from './sandbox-host/webhooks.ts';

/** One HTTP request as a gateway sandbox sees it; header names are lower case. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  /** Query string without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** How the host ends the request: with an answer, by silence, or by breaking the connection. */
export type SandboxReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

/** One line of `GET /_sandbox/journal`: what was asked and what came of it, never what it contained. */
export interface JournalNote {
  readonly at: string;
  readonly gateway: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | 'no answer';
  readonly operation?: Operation;
  readonly account?: string;
  readonly requestId?: string;
  readonly idempotencyKey?: string;
  readonly replayed?: boolean;
  readonly faults?: readonly string[];
}

/** The services a gateway's sandbox may use. */
export interface SandboxHost {
  /** Address under which browsers and callers reach the sandbox, without a trailing slash. */
  readonly publicUrl: string;
  /** Origins (patterns) that may embed frames; for `frame-ancestors`. */
  readonly portalOrigins: readonly string[];
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly settings: Settings;
  readonly captures: Captures;
  readonly scheduler: Scheduler;
  readonly webhooks: Webhooks;
}

/** A gateway's sandbox, opened on a host. */
export interface SandboxInstance {
  handle(request: SandboxRequest): Promise<SandboxReply>;
  /** Runs a task that was scheduled earlier; writes through the transaction it is given. */
  run(task: string, payload: Readonly<Record<string, string>>, tx: Transaction): void;
  /** Renders one webhook for one endpoint, signed now; `undefined` when the event no longer exists. */
  webhook(endpoint: Endpoint, event: string): { body: string; headers: Record<string, string> } | undefined;
  /** The account a key or account name belongs to; used by faults and webhook registration. */
  accountOf(name: string): string;
  /** Forgets whatever is held in memory besides the store; called by `POST /_sandbox/reset`. */
  reset(): void;
}

/** What `<gateway>/sandbox.ts` exports as `sandbox`. */
export interface GatewaySandbox {
  readonly gateway: string;
  /** Path prefixes it answers, for example `/v1`; the longest match wins. */
  readonly prefixes: readonly string[];
  open(host: SandboxHost): SandboxInstance;
}
