/** One account's objects and events, and how an endpoint is declared. */
import { createHmac } from 'node:crypto';
import type { Operation } from '@counterfoil/sandbox/faults.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { newId } from '@counterfoil/sandbox/ids.ts';
import type { ChargePlan } from '@counterfoil/sandbox/money/movements.ts';
import type { FormMap } from '@counterfoil/sandbox/requests/form.ts';
import { pageOf } from '@counterfoil/sandbox/requests/paging.ts';
import { type ReadFields, type Rule, readParams } from '@counterfoil/sandbox/requests/params.ts';
import type { Collection, Transaction } from '@counterfoil/sandbox/store.ts';
import { ownTurn, queueEvent, type Turn } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import { invalid, missing, pinnedVersion } from './protocol.ts';

export const gateway = 'stripe';

// ---- The objects: field names as Stripe's; one that begins with an underscore is the sandbox's own and never leaves it ----

type Metadata = Readonly<Record<string, string>>;
type Hash = Readonly<Record<string, unknown>>;

export interface Billing {
  readonly address: Readonly<Record<string, string | null>>;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
}

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly email: string | null;
  readonly name: string | null;
  readonly invoice_settings: { readonly default_payment_method: string | null };
  readonly metadata: Metadata;
  readonly _deleted?: boolean;
}

export type DebitType = 'au_becs_debit' | 'us_bank_account' | 'bacs_debit' | 'sepa_debit';
export type MethodType = DebitType | 'card';

/** Under its type: brand, last4 and so on, never the whole number. */
export interface Method extends Readonly<Partial<Record<MethodType, Hash>>> {
  readonly id: string;
  readonly object: 'payment_method';
  readonly billing_details: Billing;
  readonly customer: string | null;
  readonly type: MethodType;
  /** Name of the behaviour in the card or bank table. */
  readonly _behaviour: string;
  /** Used without a customer or detached: good for nothing any more. */
  readonly _spent: boolean;
  /** Authenticated once for payments without the customer. */
  readonly _authenticated: boolean;
  /** The bank account was verified (US) or needs no verification. */
  readonly _verified: boolean;
  readonly _mandate: string | null;
}

export interface Acceptance {
  readonly type: 'online';
  readonly online: { readonly ip_address: string | null; readonly user_agent: string | null };
}

export interface Mandate {
  readonly id: string;
  readonly object: 'mandate';
  readonly customer_acceptance: Acceptance;
  readonly payment_method: string;
  readonly payment_method_details: Hash & { readonly type: MethodType };
  readonly status: 'active' | 'inactive';
  readonly type: 'multi_use';
}

interface IntentBase {
  readonly id: string;
  readonly allowed_payment_method_types: readonly string[] | null;
  readonly cancellation_reason: string | null;
  readonly client_secret: string;
  readonly created: number;
  readonly customer: string | null;
  readonly metadata: Metadata;
  readonly next_action: Hash | null;
  readonly payment_method: string | null;
  readonly payment_method_types: readonly string[];
  readonly status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
  /** Where the browser goes after the challenge. */
  readonly _return_url: string | null;
  /** The open challenge; finishing an older one changes nothing. */
  readonly _challenge: string | null;
  readonly _session: string | null;
  /** Given with the confirmation, used when the small deposits are verified. */
  readonly _acceptance: Acceptance | null;
}

export interface Payment extends IntentBase {
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_received: number;
  readonly capture_method: 'automatic' | 'manual';
  readonly currency: string;
  readonly description: string | null;
  readonly last_payment_error: Hash | null;
  readonly latest_charge: string | null;
  /** Idempotency key of the request that created it. */
  readonly _key: string | null;
  /** Faults that wait until the money moves. */
  readonly _plan: ChargePlan;
}

export interface Setup extends IntentBase {
  readonly object: 'setup_intent';
  readonly last_setup_error: Hash | null;
  readonly mandate: string | null;
  readonly usage: 'off_session' | 'on_session';
}

export type Intent = Payment | Setup;

/** A one-time token; it holds what a payment method is made of. */
export interface Token {
  readonly id: string;
  readonly object: 'token';
  readonly card: Hash;
  readonly type: 'card';
  readonly used: boolean;
  readonly _behaviour: string;
  readonly _billing: Billing;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly captured: boolean;
  readonly currency: string;
  readonly disputed: boolean;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly metadata: Metadata;
  readonly paid: boolean;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly payment_method_details: Hash;
  readonly refunded: boolean;
  readonly status: 'succeeded' | 'pending' | 'failed';
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string | null;
  readonly status: 'pending' | 'succeeded';
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly payment_intent: string;
  readonly reason: string;
  readonly status: 'needs_response' | 'lost' | 'won';
}

export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_total: number | null;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly currency: string | null;
  readonly metadata: Metadata;
  readonly mode: 'payment' | 'setup';
  readonly payment_intent: string | null;
  readonly payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  readonly setup_intent: string | null;
  readonly status: 'open' | 'complete' | 'expired';
  readonly success_url: string;
  readonly url: string | null;
  readonly _label: string;
}

interface StoredEvent {
  readonly id: string;
  readonly object: 'event';
  /** As sent: it never changes, whatever becomes of the object. */
  readonly json: string;
}

interface Things {
  readonly customer: Customer;
  readonly payment_method: Method;
  readonly mandate: Mandate;
  readonly payment_intent: Payment;
  readonly setup_intent: Setup;
  readonly token: Token;
  readonly charge: Charge;
  readonly refund: Refund;
  readonly dispute: Dispute;
  readonly 'checkout.session': Session;
  readonly event: StoredEvent;
}

// ---- Work with them ----

/** A piece of work in one account: a request being served, or a task whose time has come. */
export interface Work extends Turn {
  readonly account: string;
}

/** A request being served. */
export interface Call extends Work {
  readonly version: string;
  readonly publishable: boolean;
  readonly clientIp: string | null;
}

export const taskWork = (host: SandboxHost, account: string, tx: Transaction): Work => ({
  ...ownTurn(host, tx),
  account,
});

/** All of one kind in the account. */
export const all = <K extends keyof Things>(
  { host, account }: Pick<Work, 'host' | 'account'>,
  kind: K,
): Collection<Things[K]> =>
  host.store.collection<Things[K]>(`${gateway}/${account}/${kind.replace('.', '_')}`);

export const get = <K extends keyof Things>(work: Work, kind: K, id: string | null | undefined) =>
  all(work, kind).get(id ?? '');

/** @throws {StripeFault} resource_missing: 404 for an id of the path, which `param` is not given for; else 400 */
export function find<K extends keyof Things>(work: Work, kind: K, id: string, param?: string): Things[K] {
  const found = get(work, kind, id);
  const isDeleted = found !== undefined && '_deleted' in found;
  if (found === undefined || isDeleted) throw missing(kind, id, param ?? 'id', param === undefined);
  return found;
}

export function put<T extends Things[keyof Things]>(work: Work, thing: T): T {
  work.tx.put(all(work, thing.object) as Collection<Things[keyof Things]>, thing.id, thing);
  return thing;
}

/** Stores a thing with what has changed. */
export const change = <T extends Things[keyof Things]>(work: Work, thing: T, more: Partial<T>): T =>
  put(work, { ...thing, ...more });

/** The same of an intent of either kind. */
export const changeIntent = <T extends Intent>(
  work: Work,
  intent: T,
  more: Partial<Omit<Payment, 'object'> & Omit<Setup, 'object'>>,
): T => put(work, { ...intent, ...more });

/** Schedules a task of this gateway for this account. */
export function later(work: Work, afterMs: number, task: string, payload: Metadata): void {
  work.host.scheduler.schedule(work.tx, gateway, afterMs, task, { ...payload, account: work.account });
}

/** A copy without the sandbox's own fields. */
export const visible = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !name.startsWith('_')));

/**
 * Writes an event about an object as it is now.
 * @param previous the changed fields with their former values
 */
export function emit(work: Work, type: string, object: object, previous?: object): void {
  const { account, host } = work;
  const id = newId('evt');
  const json = JSON.stringify({
    id,
    object: 'event',
    api_version: pinnedVersion,
    created: host.clock.seconds(),
    data: { object: visible(object), previous_attributes: previous },
    livemode: false,
    request: { id: work.requestId, idempotency_key: work.idempotencyKey },
    type,
  });
  put(work, { id, object: 'event', json });
  queueEvent(work, { gateway, account, id, type });
}

/**
 * The request that delivers an event, signed with the endpoint's secret at this moment (real time: the
 * receiver compares with its own clock). https://docs.stripe.com/webhooks#verify-manually
 */
export function signedDelivery(host: SandboxHost, account: string, { secret }: Endpoint, event: string) {
  const stored = all({ host, account }, 'event').get(event);
  if (stored === undefined) return undefined;
  const at = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${at}.${stored.json}`).digest('hex');
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${at},v1=${v1}`,
  };
  return { body: stored.json, headers };
}

/** One page of a kind's values that fit. */
export function listOf<K extends keyof Things>(
  call: Call,
  kind: K,
  params: { readonly limit: number | undefined; readonly starting_after: string | undefined },
  fits: (value: Things[K]) => boolean = () => true,
): Record<string, unknown> {
  const { limit = 10, starting_after: after } = params;
  if (after !== undefined) find(call, kind, after, 'starting_after');
  const { items, hasMore } = pageOf(all(call, kind), { limit, after }, fits);
  return { object: 'list', data: items.map((value) => visible(value)), has_more: hasMore, url: '/v1' };
}

// ---- Endpoints ----

/** What of an intent a publishable key may read. */
const publicFields = new Set(
  'id object amount cancellation_reason client_secret created currency description last_payment_error last_setup_error next_action payment_method payment_method_types status usage'.split(
    ' ',
  ),
);

const kindsById: Readonly<Record<string, keyof Things>> = {
  ch: 'charge',
  py: 'charge',
  pi: 'payment_intent',
  cus: 'customer',
};

/** Replaces ids by their objects, such as that of `latest_charge`. @throws {StripeFault} 400 for what is no id */
function expand(work: Work, shown: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    const id = Object.hasOwn(shown, name) ? shown[name] : undefined;
    if (id === null) continue;
    const kind = kindsById[String(id).split('_', 1)[0] ?? ''];
    const found = kind && get(work, kind, String(id));
    if (found === undefined) throw invalid(`This property cannot be expanded (${name}).`, 'expand');
    shown[name] = visible(found);
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
 * @param path with `:id` for a variable step
 */
export function route<F extends Fields>(
  method: Route['method'],
  path: string,
  fields: F,
  run: (call: Call, params: ReadFields<F>, id: string) => object,
  options: { readonly operation?: Operation; readonly browser?: boolean } = {},
): Route {
  return {
    method,
    path,
    browser: options.browser ?? false,
    operation: options.operation,
    run(call, [id = ''], form) {
      const params = readParams(fields, form);
      const shown = visible(run(call, params, id));
      if (Array.isArray(params['expand'])) expand(call, shown, params['expand'].map(String));
      if (!call.publishable || !/_intent$/.test(String(shown['object']))) return shown;
      return Object.fromEntries(Object.entries(shown).filter(([name]) => publicFields.has(name)));
    },
  };
}
