/** One account's objects, and the call being served. */

import type { Fault } from '@counterfoil/sandbox/faults.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import type { Collection, Transaction } from '@counterfoil/sandbox/store.ts';
import type { CheckoutSession } from './checkout-object.ts';
import type { Charge, Dispute, Refund } from './money-objects.ts';
import type {
  Customer,
  Mandate,
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
  StoredEvent,
  Token,
} from './objects.ts';

export const gateway = 'stripe';

export interface Kept {
  readonly endpoint: string;
  readonly digest: string;
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
  readonly at: number;
}

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
  readonly keys: Collection<Kept>;
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
      keys: of('idempotency_key'),
    };
    accounts.set(id, account);
  }
  return account;
}

/** What a piece of work may read and write: a request being served, or a task whose time has come. */
export interface Work {
  readonly host: SandboxHost;
  readonly account: Account;
  readonly tx: Transaction;
  /** Set while a request is served. */
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** Faults that change what this work does. */
  readonly faults: readonly Fault[];
  /** Ids of the webhook deliveries this work has put into the queue. */
  readonly deliveries: string[];
  readonly emitted: { count: number };
}

/** A request being served. */
export interface Call extends Work {
  readonly version: string;
  readonly publishable: boolean;
  readonly clientIp: string | null;
}

export function taskWork(host: SandboxHost, account: Account, tx: Transaction): Work {
  return {
    host,
    account,
    tx,
    requestId: null,
    idempotencyKey: null,
    faults: [],
    deliveries: [],
    emitted: { count: 0 },
  };
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

export function faultOf(work: Work, mode: Fault['mode']): Fault | undefined {
  return work.faults.find((fault) => fault.mode === mode);
}
