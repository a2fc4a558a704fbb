/** One account's objects, and the call being served. */

import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import type { Collection, Transaction } from '@counterfoil/sandbox/store.ts';
import { ownTurn, type Turn } from '@counterfoil/sandbox/turn.ts';
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
