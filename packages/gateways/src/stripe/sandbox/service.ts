/** The API: from an HTTP request to an answer, with keys, versions, idempotency and ordered faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import { effectModes, type Fault, transportModes } from '@counterfoil/sandbox/faults.ts';
import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { type Account, type Call, gateway, openAccount } from './account.ts';
import { type Answer, blind, failure, internal, limited, readForm } from './answers.ts';
import { authenticate, type Caller } from './auth.ts';
import { StripeFault } from './errors.ts';
import { canonical, type FormMap } from './form.ts';
import { InFlight, keptAnswer, keyOf } from './idempotency.ts';
import { digest, newId } from './ids.ts';
import { LateRequests } from './late.ts';
import { matchRoute, type Route } from './route.ts';
import { pinnedVersion, readVersion } from './version.ts';

const slowMs = 3000;

/** A request on its way through; what is learned on the way is noted in the journal. */
interface Passage {
  readonly request: SandboxRequest;
  readonly requestId: string;
  readonly faults: Fault[];
  account?: string;
  publishable?: boolean;
  key?: string | null;
  route?: Route;
  version: string;
  replayed?: boolean;
}

export class StripeApi {
  readonly #host: SandboxHost;
  readonly #routes: readonly Route[];
  readonly #inFlight = new InFlight();
  readonly #late = new LateRequests();

  constructor(host: SandboxHost, routes: readonly Route[]) {
    this.#host = host;
    this.#routes = routes;
  }

  reset(): void {
    this.#inFlight.clear();
    this.#late.clear();
  }

  async handle(request: SandboxRequest): Promise<SandboxReply> {
    const passage: Passage = { request, requestId: newId('req'), faults: [], version: pinnedVersion };
    let reply: SandboxReply;
    try {
      reply = await this.#pass(passage);
    } catch (cause) {
      if (!(cause instanceof StripeFault)) throw cause;
      reply = this.#reply(passage, failure(cause, passage.requestId));
    }
    this.#note(passage, reply);
    return reply;
  }

  async #pass(passage: Passage): Promise<SandboxReply> {
    const { request } = passage;
    const form = readForm(request);
    const { key: keyParam, ...params } = form;
    const caller = authenticate(
      request.headers['authorization'],
      typeof keyParam === 'string' ? keyParam : undefined,
    );
    passage.account = caller.account;
    passage.publishable = caller.publishable;
    passage.version = readVersion(request.headers['stripe-version']);
    const found = matchRoute(this.#routes, request.method, request.path);
    if (found === undefined) {
      throw new StripeFault(
        404,
        'invalid_request_error',
        `Unrecognized request URL (${request.method}: ${request.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
      );
    }
    passage.route = found.route;
    passage.key = keyOf(request.method, request.headers);
    if (caller.publishable && !found.route.browser) {
      throw new StripeFault(
        403,
        'invalid_request_error',
        'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
        { code: 'secret_key_required' },
      );
    }
    const fault = this.#take(passage, transportModes);
    switch (fault?.mode) {
      case 'timeout-before':
        return { kind: 'hang' };
      case 'rate-limit':
        throw limited('rate_limit', 'Request rate limit exceeded.');
      case 'lock-timeout':
        throw limited(
          'lock_timeout',
          'This object cannot be accessed right now because another API request is currently accessing it.',
        );
      case 'lookup-down':
        throw new StripeFault(503, 'api_error', 'The service is temporarily unavailable.');
      case 'lookup-blind':
        return this.#reply(passage, blind(found.route, request.path, passage.requestId));
      case 'slow':
        return this.#reply(passage, await this.#answer(passage, caller, found, params, fault.ms ?? slowMs));
    }
    const answer = await this.#answer(passage, caller, found, params, 0);
    if (answer === 'late') return { kind: 'reset' };
    switch (fault?.mode) {
      case 'timeout-after':
        return { kind: 'hang' };
      case 'reset-after':
        return { kind: 'reset' };
      case 'error-500-after':
        throw internal();
      case 'malformed':
        return this.#reply(passage, {
          ...answer,
          body: answer.body.slice(0, Math.floor(answer.body.length / 2)),
        });
      default:
        return this.#reply(passage, answer);
    }
  }

  #take(passage: Passage, modes: Parameters<SandboxHost['faults']['take']>[3]): Fault | undefined {
    const operation = passage.route?.operation;
    // What a browser looks up must not use up what was ordered for the caller's own look-ups.
    if (operation === undefined || passage.account === undefined) return undefined;
    if (operation === 'find' && passage.publishable) return undefined;
    const fault = this.#host.faults.take(gateway, operation, passage.account, modes);
    if (fault !== undefined) passage.faults.push(fault);
    return fault;
  }

  /** Answers from what is kept for the key, or carries the request out. */
  async #answer(
    passage: Passage,
    caller: Caller,
    found: { readonly route: Route; readonly variables: readonly string[] },
    params: FormMap,
    waitMs: number,
  ): Promise<Answer | 'late'> {
    const { request, key = null } = passage;
    const account = openAccount(this.#host, caller.account);
    const endpoint = request.path;
    const asked = key === null ? '' : digest(canonical(params), passage.version);
    if (key !== null) {
      const kept = keptAnswer(account, key, endpoint, asked, this.#host.clock.now());
      if (kept !== undefined) {
        passage.replayed = true;
        return { status: kept.status, body: kept.body, original: kept.requestId };
      }
    }
    const writes = request.method !== 'GET';
    // A look-up, or the same request again, is what a late request waits for.
    if (found.route.operation === 'find') queueMicrotask(() => this.#late.lookedUp(caller.account));
    let done: () => void = () => undefined;
    try {
      if (key !== null) done = this.#inFlight.begin(caller.account, key);
    } catch (cause) {
      this.#late.lookedUp(caller.account);
      throw cause;
    }
    const carryOut = async (): Promise<Answer> => {
      try {
        const delayMs = writes ? this.#host.settings.delayMs / 2 : 0;
        if (waitMs + delayMs > 0) await sleep(waitMs + delayMs);
        const answer = await this.#execute(passage, account, caller, found, params, { endpoint, asked });
        if (delayMs > 0) await sleep(delayMs);
        return answer;
      } finally {
        done();
      }
    };
    if (writes) {
      const late = this.#take(passage, ['late']);
      if (late !== undefined) {
        this.#late.add(caller.account, late.ms ?? 50, carryOut);
        return 'late';
      }
    }
    return await carryOut();
  }

  async #execute(
    passage: Passage,
    account: Account,
    caller: Caller,
    found: { readonly route: Route; readonly variables: readonly string[] },
    params: FormMap,
    kept: { readonly endpoint: string; readonly asked: string },
  ): Promise<Answer> {
    const { request, requestId, key = null } = passage;
    const faults: Fault[] = [];
    for (const mode of effectModes) {
      const fault = mode === 'late' ? undefined : this.#take(passage, [mode]);
      if (fault !== undefined) faults.push(fault);
    }
    const call: Call = {
      host: this.#host,
      account,
      tx: this.#host.store.begin(),
      requestId,
      idempotencyKey: key,
      faults,
      deliveries: [],
      emitted: { count: 0 },
      version: passage.version,
      publishable: caller.publishable,
      clientIp: request.headers['x-forwarded-for'] ?? '127.0.0.1',
    };
    let answer: Answer;
    let begun = true;
    const saved500 = faults.find((fault) => fault.mode === 'replay-500');
    try {
      answer = { status: 200, body: JSON.stringify(found.route.run(call, found.variables, params)) };
    } catch (cause) {
      if (!(cause instanceof StripeFault) || !cause.begun) {
        call.tx.rollback();
        call.deliveries.length = 0;
      }
      if (!(cause instanceof StripeFault)) throw cause;
      begun = cause.begun;
      answer = failure(cause, requestId);
    }
    if (saved500 !== undefined && begun) {
      if (saved500.executed === false) {
        call.tx.rollback();
        call.deliveries.length = 0;
      }
      answer = failure(internal(), requestId);
    }
    if (key !== null && begun) {
      const { endpoint, asked } = kept;
      call.tx.put(account.keys, key, {
        ...answer,
        endpoint,
        digest: asked,
        requestId,
        at: this.#host.clock.now(),
      });
    }
    await call.tx.commit();
    if (faults.some((fault) => fault.mode === 'webhook-first'))
      await this.#host.webhooks.delivered(call.deliveries);
    else if (call.deliveries.length > 0) setImmediate(() => this.#host.webhooks.pump());
    return answer;
  }

  #reply(passage: Passage, answer: Answer | 'late'): SandboxReply {
    if (answer === 'late') return { kind: 'reset' };
    const { key } = passage;
    return {
      kind: 'answer',
      status: answer.status,
      headers: {
        'content-type': 'application/json',
        'request-id': passage.requestId,
        'stripe-version': passage.version,
        'cache-control': 'no-cache, no-store',
        ...(key === null || key === undefined ? {} : { 'idempotency-key': key }),
        ...(answer.original === undefined
          ? {}
          : { 'idempotent-replayed': 'true', 'original-request': answer.original }),
      },
      body: answer.body,
    };
  }

  #note(passage: Passage, reply: SandboxReply): void {
    const { request, account, key, route, faults, replayed } = passage;
    this.#host.store.note({
      at: new Date(this.#host.clock.now()).toISOString(),
      gateway,
      method: request.method,
      path: request.path,
      status: reply.kind === 'answer' ? reply.status : 'no answer',
      requestId: passage.requestId,
      ...(route?.operation === undefined ? {} : { operation: route.operation }),
      ...(account === undefined ? {} : { account }),
      ...(key === null || key === undefined ? {} : { idempotencyKey: key }),
      ...(replayed ? { replayed } : {}),
      ...(faults.length === 0 ? {} : { faults: faults.map((fault) => fault.mode) }),
    });
  }
}
