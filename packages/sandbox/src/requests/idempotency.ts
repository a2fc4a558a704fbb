/** Idempotency keys: an answer saved for its key, and keys whose first request is still under way. */
import type { Collection, Store } from '../store.ts';

/** What was answered to the first request with a key. */
export interface KeptAnswer {
  readonly endpoint: string;
  /** Of the parameters: equal for equal requests. */
  readonly digest: string;
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
  /** Milliseconds, by the sandbox's clock. */
  readonly at: number;
}

/** How a protocol treats its keys. `keptForMs` is how long a key is known. */
export interface KeyPolicy {
  readonly keptForMs: number;
  /** The answer to a known key: the saved one, or the protocol's refusal. @throws the protocol's own fault */
  replay(
    kept: KeptAnswer,
    asked: { readonly endpoint: string; readonly digest: string; readonly key: string },
  ): KeptAnswer;
  /** The fault to throw while the first request with the key is under way. */
  inUse(key: string): Error;
}

export class Keys {
  readonly #store: Store;
  readonly #gateway: string;
  readonly #policy: KeyPolicy;
  readonly #inFlight = new Set<string>();

  constructor(store: Store, gateway: string, policy: KeyPolicy) {
    this.#store = store;
    this.#gateway = gateway;
    this.#policy = policy;
  }

  of(account: string): Collection<KeptAnswer> {
    return this.#store.collection<KeptAnswer>(`${this.#gateway}/${account}/idempotency_key`);
  }

  /** The saved answer, if the key is known and its life is not over. @throws what the policy refuses with */
  kept(
    account: string,
    asked: { readonly endpoint: string; readonly digest: string; readonly key: string },
    nowMs: number,
  ): KeptAnswer | undefined {
    const kept = this.of(account).get(asked.key);
    if (kept === undefined || nowMs - kept.at > this.#policy.keptForMs) return undefined;
    return this.#policy.replay(kept, asked);
  }

  /** Marks the key as under way; call what is returned when it is answered. @throws what the policy says */
  begin(account: string, key: string): () => void {
    const name = `${account}/${key}`;
    if (this.#inFlight.has(name)) throw this.#policy.inUse(key);
    this.#inFlight.add(name);
    return () => this.#inFlight.delete(name);
  }

  clear(): void {
    this.#inFlight.clear();
  }
}
