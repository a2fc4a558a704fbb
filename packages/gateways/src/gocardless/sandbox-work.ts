/** What happens to the sandbox's resources: mandates are given, debits go to the bank and come back, events tell of it. */
import { createHmac } from 'node:crypto';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { digest } from '@counterfoil/sandbox/ids.ts';
import { queueEvent, type Turn } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint, WebhookMessage } from '@counterfoil/sandbox/webhooks.ts';
import { Refusal } from './sandbox-body.ts';
import {
  type BankAccount,
  type Batch,
  type Behaviour,
  type BillingRequest,
  chargeDay,
  detailsOf,
  endingOf,
  type Flow,
  gateway,
  idOf,
  type Json,
  type Mandate,
  type Payment,
  type Records,
  recordsOf,
  schemes,
  shown,
  type Texts,
  typed,
} from './sandbox-data.ts';

export const chargeable = new Set(['pending_submission', 'submitted', 'active']);
export const batchesOf = ({ store }: SandboxHost) => store.collection<Batch>(`${gateway}/batch`);

export class MandateWork {
  readonly records: Records;
  /** Of the account. */
  readonly name: string;
  protected readonly turn: Turn;
  readonly #emitted: string[] = [];

  constructor(turn: Turn, account: string) {
    this.turn = turn;
    this.name = account;
    this.records = recordsOf(turn.host.store, account);
  }

  get now(): number {
    return this.turn.host.clock.now();
  }
  protected get at(): string {
    return new Date(this.now).toISOString();
  }

  /** Events of this piece of work are delivered together. Call it last. */
  deliver(): void {
    if (this.#emitted.length === 0) return;
    const id = idOf('WB');
    this.turn.tx.put(batchesOf(this.turn.host), id, { account: this.name, events: this.#emitted });
    queueEvent(this.turn, { gateway, account: this.name, id, type: 'events' });
  }

  protected tell(
    type: string,
    action: string,
    about: { links: Texts; scheme?: string; metadata: Texts; more?: Json },
  ) {
    const id = idOf('EV');
    this.turn.tx.put(this.records.events, id, {
      id,
      created_at: this.at,
      resource_type: type,
      action,
      links: about.links,
      details: Object.assign(detailsOf(type, action, about.scheme ?? ''), about.more),
      metadata: {},
      resource_metadata: about.metadata,
    });
    this.#emitted.push(id);
  }

  protected later(task: string, id: string, status: string, afterMs: number): void {
    const payload = { account: this.name, id, status };
    this.turn.host.scheduler.schedule(this.turn.tx, gateway, afterMs, task, payload);
  }
  protected get bankMs(): number {
    return this.turn.host.settings.debitMs;
  }

  /** Makes something once for a key. @throws {Refusal} naming what was made with it before */
  once<T extends { readonly id: string }>(make: () => T): T {
    const key = this.turn.idempotencyKey;
    const before = key === null ? undefined : this.records.made.get(key);
    const message = 'A resource has already been created with this idempotency key';
    if (before !== undefined)
      throw new Refusal(409, 'invalid_state', message, [
        { reason: 'idempotent_creation_conflict', message, links: { conflicting_resource_id: before } },
      ]);
    const made = make();
    if (key !== null) this.turn.tx.put(this.records.made, key, made.id);
    return made;
  }

  // ---- Billing requests ----

  request(about: Pick<BillingRequest, 'mandate_request' | 'metadata'>, customer?: string): BillingRequest {
    const id = idOf('BRQ');
    const owner = customer ?? idOf('CU');
    const { tx } = this.turn;
    if (customer === undefined) {
      const nobody = { email: null, given_name: null, family_name: null };
      tx.put(
        this.records.customers,
        owner,
        Object.assign(nobody, { id: owner, created_at: this.at, metadata: {} }),
      );
    }
    const request: BillingRequest = {
      id,
      created_at: this.at,
      status: 'pending',
      mandate_request: about.mandate_request,
      metadata: about.metadata,
      links: { customer: owner, creditor: `CR${this.name.toUpperCase()}` },
      _done: [],
    };
    tx.put(this.records.requests, id, request);
    this.#tellRequest(request, 'created');
    return request;
  }

  #tellRequest({ id, metadata, links, mandate_request }: BillingRequest, action: string): void {
    const { scheme } = mandate_request;
    const about = { links: { billing_request: id, customer: links.customer }, scheme, metadata };
    this.tell('billing_requests', action, about);
  }

  change(request: BillingRequest, change: Partial<BillingRequest>): BillingRequest {
    const changed = Object.assign({ ...request }, change);
    this.turn.tx.put(this.records.requests, request.id, changed);
    return changed;
  }

  nameCustomer(id: string, names: Texts): void {
    const customer = this.records.customers.get(id);
    if (customer !== undefined)
      this.turn.tx.put(this.records.customers, id, Object.assign({ ...customer }, names));
  }

  /** The account with these details, whose form was checked; one that the customer has is used again. */
  account(request: BillingRequest, details: Json): BankAccount {
    const { scheme: name, currency } = request.mandate_request;
    const scheme = schemes[name];
    const number = typed(details['iban'] ?? details['account_number']).toUpperCase();
    const parts = Object.keys(scheme?.fields ?? {}).map((field) => typed(details[field]).toUpperCase());
    const _print = digest(name, request.links.customer, ...parts);
    for (const known of this.records.accounts.newest())
      if (known._print === _print && known.enabled) return known;
    const country = typeof details['iban'] === 'string' ? number.slice(0, 2) : scheme?.country;
    const account: BankAccount = {
      id: idOf('BA'),
      created_at: this.at,
      account_holder_name: String(details['account_holder_name']).slice(0, 18).toUpperCase(),
      account_number_ending: endingOf(currency, number),
      bank_name: 'TEST BANK PLC',
      country_code: country ?? '',
      currency,
      enabled: true,
      metadata: {},
      links: { customer: request.links.customer },
      _print,
    };
    this.turn.tx.put(this.records.accounts, account.id, account);
    return account;
  }

  /** The mandate is given: nothing more is wanted of the payer. */
  fulfil(request: BillingRequest, account: string): BillingRequest {
    const { links, mandate_request: wanted } = request;
    const mandate = this.#giveMandate(wanted.scheme, links.customer, account);
    const done = this.change(request, {
      status: 'fulfilled',
      links: Object.assign(
        { ...links },
        { customer_bank_account: account, mandate_request_mandate: mandate.id },
      ),
    });
    this.#tellRequest(done, 'fulfilled');
    return done;
  }

  #giveMandate(scheme: string, customer: string, account: string): Mandate {
    const id = idOf('MD');
    const mandate: Mandate = {
      id,
      created_at: this.at,
      status: 'pending_submission',
      scheme,
      reference: id.slice(2, 10),
      next_possible_charge_date: chargeDay(this.now),
      metadata: {},
      links: { customer, customer_bank_account: account, creditor: `CR${this.name.toUpperCase()}` },
    };
    this.turn.tx.put(this.records.mandates, id, mandate);
    this.#tellMandate(mandate, 'created');
    this.later('mandate', id, mandate.status, this.bankMs);
    return mandate;
  }

  /** The address of a flow's page. */
  pageOf(flow: string): string {
    return `${this.turn.host.publicUrl}/gocardless/pages/${this.name}/${flow}`;
  }
  keepFlow(flow: Flow): void {
    this.turn.tx.put(this.records.flows, flow.id, flow);
  }

  // ---- Mandates ----

  /** Ends every mandate on it, too. */
  disableAccount(account: BankAccount): BankAccount {
    const disabled = { ...account, enabled: false };
    this.turn.tx.put(this.records.accounts, account.id, disabled);
    for (const mandate of this.records.mandates.newest())
      if (mandate.links.customer_bank_account === account.id && chargeable.has(mandate.status))
        this.setMandate(mandate, 'cancelled');
    return disabled;
  }

  #tellMandate({ id, metadata, scheme }: Mandate, action: string, links: Texts = {}): void {
    const all = Object.assign({ mandate: id }, links);
    this.tell('mandates', action, { links: all, scheme, metadata });
  }

  setMandate(mandate: Mandate, status: string, action = status): Mandate {
    const isOver = !chargeable.has(status);
    const day = isOver ? { next_possible_charge_date: null } : {};
    const changed: Mandate = Object.assign({ ...mandate, status }, day);
    this.turn.tx.put(this.records.mandates, mandate.id, changed);
    this.#tellMandate(changed, action);
    // What is not with the bank yet goes no further.
    if (isOver && status !== 'suspended_by_payer')
      for (const payment of this.records.payments.newest())
        if (payment.links.mandate === mandate.id && payment.status === 'pending_submission')
          this.setPayment(payment, 'cancelled', 'cancelled', { cause: 'mandate_cancelled' });
    return changed;
  }

  /** The account is at another bank; the mandate stays. */
  transfer(mandate: Mandate): void {
    const before = this.records.accounts.get(mandate.links.customer_bank_account);
    if (before === undefined) return;
    const account: BankAccount = Object.assign(
      { ...before },
      { id: idOf('BA'), bank_name: 'OTHER BANK PLC', account_number_ending: '31' },
    );
    this.turn.tx.put(this.records.accounts, account.id, account);
    const links = Object.assign({ ...mandate.links }, { customer_bank_account: account.id });
    const changed = { ...mandate, links };
    this.turn.tx.put(this.records.mandates, mandate.id, changed);
    this.#tellMandate(changed, 'transferred', {
      previous_customer_bank_account: before.id,
      new_customer_bank_account: account.id,
    });
  }

  /** The creditor's number at the scheme has changed: another mandate takes its place. */
  replace(mandate: Mandate): void {
    const { customer, customer_bank_account: account } = mandate.links;
    const newer = this.#giveMandate(mandate.scheme, customer, account);
    const links = Object.assign({ ...mandate.links }, { new_mandate: newer.id });
    const changed: Mandate = { ...mandate, status: 'cancelled', links };
    this.turn.tx.put(this.records.mandates, mandate.id, changed);
    this.#tellMandate(changed, 'replaced', { new_mandate: newer.id });
  }

  protected nameOf(mandate: Mandate | undefined): string {
    return this.records.customers.get(mandate?.links.customer ?? '')?.given_name ?? '';
  }

  /** What a mandate does by itself next. */
  mandateTask(id: string, status: string): void {
    const mandate = this.records.mandates.get(id);
    if (mandate === undefined || mandate.status !== status) return;
    const name: Behaviour | string = this.nameOf(mandate);
    if (status === 'pending_submission') {
      this.setMandate(mandate, 'submitted');
      this.later('mandate', id, 'submitted', this.bankMs);
    } else if (status === 'submitted') {
      this.setMandate(mandate, name === 'Invalid' ? 'failed' : 'active');
      if (name === 'Expired' || name === 'Switching') this.later('mandate', id, 'active', this.bankMs);
    } else if (name === 'Switching') this.transfer(mandate);
    else this.setMandate(mandate, 'expired');
  }

  activate(mandate: Mandate): Mandate {
    const submitted =
      mandate.status === 'pending_submission' ? this.setMandate(mandate, 'submitted') : mandate;
    return submitted.status === 'submitted' ? this.setMandate(submitted, 'active') : submitted;
  }

  // ---- What payments share ----

  protected tellPayment({ id, metadata, links }: Payment, action: string, more?: Json): void {
    const scheme = this.records.mandates.get(links.mandate)?.scheme ?? '';
    const about = { links: { payment: id }, scheme, metadata };
    this.tell('payments', action, more === undefined ? about : Object.assign(about, { more }));
  }

  setPayment(
    payment: Payment,
    status: string,
    action = status,
    more?: Json,
    change: Partial<Payment> = {},
  ): Payment {
    const changed: Payment = Object.assign({ ...payment, status }, change);
    this.turn.tx.put(this.records.payments, payment.id, changed);
    this.tellPayment(changed, action, more);
    return changed;
  }
}

/** One delivery, signed now over the bytes as they are sent. */
export function signedBatch(host: SandboxHost, { secret }: Endpoint, id: string): WebhookMessage | undefined {
  const batch = batchesOf(host).get(id);
  if (batch === undefined) return undefined;
  const { events: known } = recordsOf(host.store, batch.account);
  const events = batch.events.flatMap((event) => known.get(event) ?? []);
  const body = JSON.stringify({ events: events.map(shown), meta: { webhook_id: id } });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'gocardless-webhook-service/1.1',
      'webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
  };
}
