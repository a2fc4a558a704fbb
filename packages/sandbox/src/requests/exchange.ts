/**
 * One request on its way through a sandbox: read by the protocol, hit by ordered faults, answered from a saved
 * key or carried out in one transaction, and noted in the journal.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { effectModes, type Fault, type Mode, type Operation, transportModes } from '../faults.ts';
import type { SandboxHost, SandboxReply, SandboxRequest } from '../gateway-sandbox.ts';
import { newId } from '../ids.ts';
import { LateRequests } from '../late.ts';
import type { Turn } from '../turn.ts';
import { type KeyPolicy, Keys } from './idempotency.ts';

const slowMs = 3000;

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Set on a saved answer: the id of the request it was first given to. */
  readonly original?: string;
}

/** What is learned about a request while it is read; the journal tells it even if the request is refused. */
export interface Passage {
  readonly request: SandboxRequest;
  readonly requestId: string;
  readonly faults: Fault[];
  account?: string;
  operation?: Operation | undefined;
  /** Whether a page of the payer asks: it must not use up what was ordered for the caller's own look-ups. */
  fromBrowser?: boolean;
  key?: string | null;
  replayed?: boolean;
}

/** A request that was understood. */
export interface Understood {
  readonly account: string;
  /** What a key is bound to. */
  readonly endpoint: string;
  readonly digest: string;
  /** Carries it out. @throws the protocol's own fault */
  run(turn: Turn): Answer;
}

/** Trouble of the gateway itself, as its protocol words it. */
export type Trouble = 'rate-limit' | 'lock-timeout' | 'lookup-down' | 'failed';

/** What differs from gateway to gateway. */
export interface Protocol {
  readonly gateway: string;
  readonly keys: KeyPolicy;
  /** Authenticates and reads a request, and writes what it learns into the passage. @throws its own fault */
  read(passage: Passage): Understood;
  /** The answer to a fault that {@link Protocol} code threw; `undefined` for faults of the sandbox. */
  refusal(
    cause: unknown,
    requestId: string,
  ): { readonly answer: Answer; readonly begun: boolean } | undefined;
  trouble(kind: Trouble, requestId: string): Answer;
  /** A look-up that sees nothing: an empty list, or an object that does not exist. */
  blind(passage: Passage): Answer;
  headers(passage: Passage, answer: Answer): Record<string, string>;
}

type Outcome = Answer | 'hang' | 'reset';

export class Exchange {
  readonly #host: SandboxHost;
  readonly #protocol: Protocol;
  readonly #keys: Keys;
  readonly #late = new LateRequests();

  constructor(host: SandboxHost, protocol: Protocol) {
    this.#host = host;
    this.#protocol = protocol;
    this.#keys = new Keys(host.store, protocol.gateway, protocol.keys);
  }

  reset(): void {
    this.#keys.clear();
    this.#late.clear();
  }

  async handle(request: SandboxRequest): Promise<SandboxReply> {
    const passage: Passage = { request, requestId: newId('req'), faults: [] };
    let outcome: Outcome;
    try {
      outcome = await this.#pass(passage);
    } catch (cause) {
      const refusal = this.#protocol.refusal(cause, passage.requestId);
      if (refusal === undefined) throw cause;
      outcome = refusal.answer;
    }
    this.#note(passage, outcome);
    if (typeof outcome === 'string') return { kind: outcome };
    const { status, body } = outcome;
    return { kind: 'answer', status, headers: this.#protocol.headers(passage, outcome), body };
  }

  async #pass(passage: Passage): Promise<Outcome> {
    const understood = this.#protocol.read(passage);
    const fault = this.#take(passage, transportModes);
    switch (fault?.mode) {
      case 'timeout-before':
        return 'hang';
      case 'rate-limit':
      case 'lock-timeout':
      case 'lookup-down':
        return this.#protocol.trouble(fault.mode, passage.requestId);
      case 'lookup-blind':
        return this.#protocol.blind(passage);
      case 'slow':
        return await this.#answer(passage, understood, fault.ms ?? slowMs);
    }
    const answer = await this.#answer(passage, understood, 0);
    if (typeof answer === 'string') return answer;
    switch (fault?.mode) {
      case 'timeout-after':
        return 'hang';
      case 'reset-after':
        return 'reset';
      case 'error-500-after':
        return this.#protocol.trouble('failed', passage.requestId);
      case 'malformed':
        return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
      default:
        return answer;
    }
  }

  #take(passage: Passage, among: readonly Mode[]): Fault | undefined {
    const { operation, account } = passage;
    if (operation === undefined || account === undefined) return undefined;
    if (operation === 'find' && passage.fromBrowser) return undefined;
    const fault = this.#host.faults.take(this.#protocol.gateway, operation, account, among);
    if (fault !== undefined) passage.faults.push(fault);
    return fault;
  }

  /** Answers from what is kept for the key, or carries the request out. */
  async #answer(passage: Passage, understood: Understood, waitMs: number): Promise<Outcome> {
    const { request, key = null } = passage;
    const { account, endpoint, digest } = understood;
    if (key !== null) {
      const kept = this.#keys.kept(account, { endpoint, digest, key }, this.#host.clock.now());
      if (kept !== undefined) {
        passage.replayed = true;
        return { status: kept.status, body: kept.body, original: kept.requestId };
      }
    }
    const writes = request.method !== 'GET';
    // A look-up, or the same request again, is what a late request waits for.
    if (passage.operation === 'find') queueMicrotask(() => this.#late.lookedUp(account));
    let done: () => void = () => undefined;
    try {
      if (key !== null) done = this.#keys.begin(account, key);
    } catch (cause) {
      this.#late.lookedUp(account);
      throw cause;
    }
    const carryOut = async (): Promise<Answer> => {
      try {
        const delayMs = writes ? this.#host.settings.delayMs / 2 : 0;
        if (waitMs + delayMs > 0) await sleep(waitMs + delayMs);
        const answer = await this.#execute(passage, understood);
        if (delayMs > 0) await sleep(delayMs);
        return answer;
      } finally {
        done();
      }
    };
    const late = writes ? this.#take(passage, ['late']) : undefined;
    if (late === undefined) return await carryOut();
    this.#late.add(account, late.ms ?? 50, carryOut);
    return 'reset';
  }

  async #execute(passage: Passage, understood: Understood): Promise<Answer> {
    const { requestId, key = null } = passage;
    const faults: Fault[] = [];
    for (const mode of effectModes) {
      const fault = mode === 'late' ? undefined : this.#take(passage, [mode]);
      if (fault !== undefined) faults.push(fault);
    }
    const host = this.#host;
    const tx = host.store.begin();
    const deliveries: string[] = [];
    const turn: Turn = {
      host,
      tx,
      requestId,
      idempotencyKey: key,
      faults,
      deliveries,
      emitted: { count: 0 },
    };
    const undo = () => {
      tx.rollback();
      deliveries.length = 0;
    };
    let answer: Answer;
    let begun = true;
    try {
      answer = understood.run(turn);
    } catch (cause) {
      const refusal = this.#protocol.refusal(cause, requestId);
      if (!refusal?.begun) undo();
      if (refusal === undefined) throw cause;
      begun = refusal.begun;
      answer = refusal.answer;
    }
    const saved500 = faults.find((fault) => fault.mode === 'replay-500');
    if (saved500 !== undefined && begun) {
      if (saved500.executed === false) undo();
      answer = this.#protocol.trouble('failed', requestId);
    }
    if (key !== null && begun) {
      const { account, endpoint, digest } = understood;
      const { status, body } = answer;
      tx.put(this.#keys.of(account), key, {
        status,
        body,
        endpoint,
        digest,
        requestId,
        at: host.clock.now(),
      });
    }
    await tx.commit();
    if (faults.some((fault) => fault.mode === 'webhook-first')) await host.webhooks.delivered(deliveries);
    else if (deliveries.length > 0) setImmediate(() => host.webhooks.pump());
    return answer;
  }

  #note(passage: Passage, outcome: Outcome): void {
    const { request, requestId, account, key, operation, faults, replayed } = passage;
    this.#host.store.note({
      at: new Date(this.#host.clock.now()).toISOString(),
      gateway: this.#protocol.gateway,
      method: request.method,
      path: request.path,
      status: typeof outcome === 'string' ? 'no answer' : outcome.status,
      requestId,
      ...(operation === undefined ? {} : { operation }),
      ...(account === undefined ? {} : { account }),
      ...(key === null || key === undefined ? {} : { idempotencyKey: key }),
      ...(replayed ? { replayed } : {}),
      ...(faults.length === 0 ? {} : { faults: faults.map((fault) => fault.mode) }),
    });
  }
}
