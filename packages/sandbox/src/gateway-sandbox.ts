/**
 * What a gateway's sandbox is given and what it must offer.
 *
 * A sandbox speaks one gateway's wire protocol. The host owns everything that is the same for all of them:
 * HTTP, the journal on disk, the test clock, faults, and delivery of webhooks.
 */
import type { Captures } from './captures.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { Settings } from './settings.ts';
import type { Store, Transaction } from './store.ts';
import type { Endpoint, WebhookMessage, Webhooks } from './webhooks.ts';

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
  webhook(endpoint: Endpoint, event: string): WebhookMessage | undefined;
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
  /** Headers that a portal's page may send and read across origins; lower case. */
  readonly browserHeaders?: { readonly sent: readonly string[]; readonly read: readonly string[] };
  open(host: SandboxHost): SandboxInstance;
}
