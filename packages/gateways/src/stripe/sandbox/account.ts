/** One account's objects and events, and how an endpoint is declared. */

import { createHmac } from 'node:crypto';
import type { Operation } from '@counterfoil/sandbox/faults.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { newId } from '@counterfoil/sandbox/ids.ts';
import type { FormMap } from '@counterfoil/sandbox/requests/form.ts';
import { type ReadFields, type Rule, readParams } from '@counterfoil/sandbox/requests/params.ts';
import type { Collection, Transaction } from '@counterfoil/sandbox/store.ts';
import { ownTurn, queueEvent, type Turn } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import type {
  Charge,
  CheckoutSession,
  Customer,
  Dispute,
  Mandate,
  PaymentIntent,
  PaymentMethod,
  Refund,
  SetupIntent,
  StoredEvent,
  Token,
} from './objects.ts';
import { invalid, pinnedVersion, visible } from './wire.ts';

export const gateway = 'stripe';

export interface Account {
  readonly id: string;
  readonly customers: Collection<Customer>;
  readonly methods: Collection<PaymentMethod>;
  readonly payments: Collection<PaymentIntent>;
  readonly setups: Collection<SetupIntent>;
  readonly charges: Collection<Charge>;
  readonly refunds: Collection<Refund>;
  readonly mandates: Collection<Mandate>;
  readonly disputes: Collection<Dispute>;
  readonly sessions: Collection<CheckoutSession>;
  readonly tokens: Collection<Token>;
  readonly events: Collection<StoredEvent>;
}

const opened = new WeakMap<object, Map<string, Account>>();

/** The account's collections; the same object for the same host and account. */
export function openAccount(host: SandboxHost, id: string): Account {
  let accounts = opened.get(host.store);
  if (accounts === undefined) {
    accounts = new Map();
    opened.set(host.store, accounts);
  }
  let account = accounts.get(id);
  if (account === undefined) {
    const of = <T>(name: string): Collection<T> => host.store.collection<T>(`${gateway}/${id}/${name}`);
    account = {
      id,
      customers: of('customer'),
      methods: of('payment_method'),
      payments: of('payment_intent'),
      setups: of('setup_intent'),
      charges: of('charge'),
      refunds: of('refund'),
      mandates: of('mandate'),
      disputes: of('dispute'),
      sessions: of('checkout_session'),
      tokens: of('token'),
      events: of('event'),
    };
    accounts.set(id, account);
  }
  return account;
}

/** A piece of work in one account: a request being served, or a task whose time has come. */
export interface Work extends Turn {
  readonly account: Account;
}

/** A request being served. */
export interface Call extends Work {
  readonly version: string;
  readonly publishable: boolean;
  readonly clientIp: string | null;
}

export function taskWork(host: SandboxHost, account: Account, tx: Transaction): Work {
  return { ...ownTurn(host, tx), account };
}

/** Schedules a task of this gateway for this account. */
export function later(
  work: Work,
  afterMs: number,
  task: string,
  payload: Readonly<Record<string, string>>,
): void {
  work.host.scheduler.schedule(work.tx, gateway, afterMs, task, { ...payload, account: work.account.id });
}

/**
 * Writes an event about an object as it is now.
 * @param previous the changed fields with their former values, for `….updated` events
 */
export function emit(work: Work, type: string, object: object, previous?: object): void {
  const { account, host, tx } = work;
  const id = newId('evt');
  const created = host.clock.seconds();
  const json = JSON.stringify({
    id,
    object: 'event',
    api_version: pinnedVersion,
    created,
    data: { object: visible(object), ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: host.webhooks.endpoints(gateway).length,
    request: { id: work.requestId, idempotency_key: work.idempotencyKey },
    type,
  });
  tx.put(account.events, id, { id, type, created, json });
  queueEvent(work, { gateway, account: account.id, id, type });
}

/**
 * The request that delivers an event, signed with the endpoint's secret at this moment (real time: the
 * receiver compares with its own clock). https://docs.stripe.com/webhooks#verify-manually
 */
export function signedDelivery(
  account: Account,
  endpoint: Endpoint,
  event: string,
): { body: string; headers: Record<string, string> } | undefined {
  const stored = account.events.get(event);
  if (stored === undefined) return undefined;
  const at = Math.floor(Date.now() / 1000);
  const sign = (key: string) => createHmac('sha256', key).update(`${at}.${stored.json}`).digest('hex');
  return {
    body: stored.json,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': `t=${at},v1=${sign(endpoint.secret)},v0=${sign(`v0:${endpoint.id}`)}`,
    },
  };
}

/** Fields of an intent that a publishable key may read. */
const publicIntentFields = new Set([
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
  'usage',
]);

export function forBrowser(intent: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(visible(intent)).filter(([name]) => publicIntentFields.has(name)));
}

/**
 * Replaces the id at each path by the object.
 * @param paths such as `latest_charge`, `data.customer`, `latest_charge.payment_intent`
 */
export function expand(account: Account, object: Record<string, unknown>, paths: readonly string[]): void {
  for (const path of paths) expandPath(account, object, path.split('.'), path);
}

function expandPath(
  account: Account,
  object: Record<string, unknown>,
  steps: readonly string[],
  path: string,
): void {
  const [step = '', ...rest] = steps;
  const value = object[step];
  if (value === undefined) {
    throw invalid(
      `This property cannot be expanded (${step}). You may want to try expanding a different property.`,
      `expand`,
    );
  }
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const entry of value) {
      if (isObject(entry) && rest.length > 0) expandPath(account, entry, rest, path);
    }
    return;
  }
  let found: unknown = value;
  if (typeof value === 'string') {
    const target = lookUp(account, value);
    if (target === undefined) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
    found = visible(target);
    object[step] = found;
  } else if (isObject(value)) {
    // A nested object is shared with the store: change a copy.
    found = { ...value };
    object[step] = found;
  }
  if (rest.length > 0 && isObject(found)) expandPath(account, found, rest, path);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object behind an id, told by its prefix. */
function lookUp(account: Account, id: string): object | undefined {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  switch (prefix) {
    case 'cus':
      return account.customers.get(id);
    case 'pm':
      return account.methods.get(id);
    case 'pi':
      return account.payments.get(id);
    case 'seti':
      return account.setups.get(id);
    case 'ch':
    case 'py':
      return account.charges.get(id);
    case 're':
    case 'pyr':
      return account.refunds.get(id);
    case 'mandate':
      return account.mandates.get(id);
    case 'du':
      return account.disputes.get(id);
    default:
      return undefined;
  }
}

type Fields = Readonly<Record<string, Rule<unknown>>>;

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Whether a publishable key may call it. */
  readonly browser: boolean;
  /** Which faults hit it. */
  readonly operation: Operation | undefined;
  /** Runs the call; the answer is what the caller sees. */
  run(call: Call, path: readonly string[], form: FormMap): Record<string, unknown>;
}

/**
 * Declares an endpoint.
 * @param path with `:id` for a variable step; the variables arrive in order
 */
export function route<F extends Fields>(
  method: Route['method'],
  path: string,
  fields: F,
  run: (call: Call, params: ReadFields<F>, ...variables: readonly string[]) => object,
  options: { readonly operation?: Operation; readonly browser?: boolean } = {},
): Route {
  return {
    method,
    path,
    browser: options.browser ?? false,
    operation: options.operation,
    run(call, variables, form) {
      const params = readParams(fields, form);
      const result = run(call, params, ...variables);
      const isIntent = 'object' in result && /^(payment|setup)_intent$/.test(String(result.object));
      const shown = call.publishable && isIntent ? forBrowser(result) : visible(result);
      const paths: unknown = (params as { readonly expand?: unknown }).expand;
      if (Array.isArray(paths)) expand(call.account, shown, paths.map(String));
      return shown;
    },
  };
}
