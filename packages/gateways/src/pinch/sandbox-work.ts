/** What the requests of a sandbox's merchant do: payers, cards, payments, refunds, events. */
import { newId } from '@counterfoil/sandbox/ids.ts';
import { cardProblem, isExpired } from '@counterfoil/sandbox/money/card.ts';
import {
  endRefund,
  markCharge,
  planOf,
  recordCharge,
  recordRefund,
} from '@counterfoil/sandbox/money/movements.ts';
import type { Collection } from '@counterfoil/sandbox/store.ts';
import { queueEvent, type Turn } from '@counterfoil/sandbox/turn.ts';
import {
  type Body,
  type Card,
  currencyOf,
  eventsOf,
  type First,
  gateway,
  noncesOf,
  ordered,
  originOf,
  type Payer,
  type Payment,
  type Refund,
  Refusal,
  type Source,
  schemeOf,
  shownPayment,
  shownRefund,
  shownSource,
  text,
  wholePositive,
} from './sandbox-data.ts';

const dayMs = 24 * 60 * 60_000;

export class MerchantWork {
  readonly #turn: Turn;
  readonly #name: string;

  constructor(turn: Turn, name: string) {
    this.#turn = turn;
    this.#name = name;
  }

  #all<Value>(kind: string): Collection<Value> {
    return this.#turn.host.store.collection<Value>(`pinch/${this.#name}/${kind}`);
  }
  get #payers() {
    return this.#all<Payer>('payer');
  }
  get #payments() {
    return this.#all<Payment>('payment');
  }
  get #refunds() {
    return this.#all<Refund>('refund');
  }
  #put<Value>(kind: string, id: string, value: Value): void {
    this.#turn.tx.put(this.#all<Value>(kind), id, value);
  }
  get #now(): string {
    return new Date(this.#turn.host.clock.now()).toISOString();
  }

  // ---- Cards and payers ----

  createToken(body: Body): object {
    if (text(body['sourcetype']) === 'bank-account')
      throw Refusal.of(['SourceType', 'This sandbox takes cards only.']);
    const number = text(body['cardnumber']).replaceAll(' ', '');
    const [month, year] = [Number(body['expirymonth']), Number(body['expiryyear'])];
    const holder = text(body['cardholdername']);
    const problem = cardProblem(number, month, year, new Date(this.#turn.host.clock.now()));
    if (problem === 'number')
      throw Refusal.of(['CardNumber', 'The card number is not a valid credit card number.']);
    if (problem !== undefined) throw Refusal.of(['ExpiryMonth', 'The card has expired.']);
    if (!(number.length === 15 ? /^\d{4}$/ : /^\d{3}$/).test(text(body['cvc'])))
      throw Refusal.of(['Cvc', 'The security code is not valid.']);
    if (holder === '') throw Refusal.of(['CardHolderName', "'Card Holder Name' must not be empty."]);
    const card: Card = {
      cardHolderName: holder,
      displayCardNumber: number.slice(-4),
      expiryDate: `${year}-${String(month).padStart(2, '0')}-01T00:00:00Z`,
      cardScheme: schemeOf(number),
      origin: originOf(number),
    };
    const token = newId('tkn');
    this.#put('token', token, card);
    return { token, ...card };
  }

  putPayer(body: Body): readonly [status: number, body: object] {
    const id = text(body['id']);
    const before = this.#payers.get(id);
    if (id !== '' && before === undefined) throw Refusal.of(['Id', `Payer with id ${id} not found`]);
    const [first, ...rest] = text(body['fullname']).split(/\s+/);
    const firstName = text(body['firstname']) || first || before?.firstName || '';
    const emailAddress = text(body['emailaddress']) || before?.emailAddress || '';
    const mobile = text(body['mobilenumber']);
    if (firstName === '') throw Refusal.of(['FirstName', "'First Name' must not be empty."]);
    if (!/^[^\s@]+@[^\s@]+$/.test(emailAddress))
      throw Refusal.of(['EmailAddress', "'Email Address' is not a valid email address."]);
    if (mobile !== '' && !/^\d{10}$/.test(mobile))
      throw Refusal.of(['MobileNumber', 'The mobile number must have 10 digits.']);
    const payer: Payer = {
      id: before?.id ?? newId('pyr'),
      firstName,
      lastName: text(body['lastname']) || rest.join(' ') || before?.lastName || '',
      emailAddress,
      sources: before?.sources ?? [],
    };
    this.#put('payer', payer.id, payer);
    return [before === undefined ? 201 : 200, this.payer(payer.id) ?? {}];
  }

  payer(id: string): object | undefined {
    const payer = this.#payers.get(id);
    if (payer === undefined) return undefined;
    const fullName = `${payer.firstName} ${payer.lastName}`.trim();
    return { ...payer, fullName, sources: payer.sources.map(shownSource), agreements: [] };
  }

  addSource(id: string, body: Body): object {
    const payer = this.#payers.get(id);
    if (payer === undefined) throw Refusal.of(['PayerId', `Payer with id ${id} not found`]);
    return shownSource(this.#attach(payer, text(body['token']) || text(body['creditcardtoken'])));
  }

  /** A token is good for one use. */
  #attach(payer: Payer, token: string): Source {
    const tokens = this.#all<Card>('token');
    const card = tokens.get(token);
    if (card === undefined) throw Refusal.of(['Token', 'The token is not valid, or has been used before.']);
    this.#turn.tx.remove(tokens, token);
    const source: Source = { id: newId('src'), creditCardToken: token, ...card };
    this.#put('payer', payer.id, { ...payer, sources: [...payer.sources, source] });
    return source;
  }

  removeSource(id: string, source: string): void {
    const payer = this.#payers.get(id);
    if (payer?.sources.every((one) => one.id !== source) !== false)
      throw Refusal.of(['SourceId', `Source with id ${source} not found`]);
    this.#put('payer', id, { ...payer, sources: payer.sources.filter((one) => one.id !== source) });
  }

  // ---- Payments ----

  pay(body: Body): readonly [status: number, body: object] {
    const nonces = noncesOf(body['nonce']);
    const replay = this.#replay('payment', nonces);
    if (replay !== undefined) return [403, replay];
    const { amount } = body;
    if (!wholePositive(amount)) throw Refusal.of(['Amount', "'Amount' must be greater than '0'."]);
    const description = text(body['description']);
    if (description.length > 1_000) throw Refusal.of(['Description', 'The description is too long.']);
    const payer = this.#payerOf(body);
    const [sourceId, token] = [text(body['sourceid']), text(body['token']) || text(body['creditcardtoken'])];
    if ((sourceId === '') === (token === ''))
      throw Refusal.of(['SourceId', 'Either a source or a token must be given.']);
    const source =
      token === '' ? payer.sources.find((one) => one.id === sourceId) : this.#attach(payer, token);
    if (source === undefined) throw Refusal.of(['SourceId', `Source with id ${sourceId} not found`]);
    const now = new Date(this.#turn.host.clock.now());
    const [year = 0, month = 0] = source.expiryDate.split('-').map(Number);
    const refusal =
      ordered(description, payer.firstName) ?? (isExpired(month, year, now) ? 'invalid-card' : undefined);
    const plan = planOf(this.#turn, {}, amount);
    const surcharge = [body['surcharge']].flat().includes('credit-card');
    const { id: payerId, firstName, lastName, emailAddress } = payer;
    const payment: Payment = {
      id: newId('pmt'),
      attemptId: newId('att'),
      amount: surcharge ? Math.ceil((amount + 30) / (1 - 0.0195)) : (plan.captures ?? amount),
      currency: currencyOf(this.#name),
      description,
      status: refusal === undefined ? 'approved' : 'dishonoured',
      isSurcharged: surcharge,
      dishonourType: refusal ?? null,
      payer: { id: payerId, firstName, lastName, emailAddress },
      source,
      metadata: typeof body['metadata'] === 'string' ? body['metadata'] : null,
      nonce: nonces,
      transactionDate: this.#now,
      refunded: 0,
    };
    this.#put('payment', payment.id, payment);
    const shown = shownPayment(payment);
    for (const nonce of nonces) this.#put<First>('payment-nonce', nonce, shown);
    if (refusal === undefined) {
      const taken = this.#movement(payment.nonce[0] ?? null, payment.id, payment.id, payment.amount);
      for (const next of recordCharge(this.#turn, taken, { plan, disputed: undefined }))
        if (next.task === 'dispute') this.#schedule(next.afterMs, 'dispute', payment.id);
      this.#schedule(dayMs, 'settle', payment.id);
    }
    this.#emitPayment('realtime-payment', payment);
    return [201, shown];
  }

  /** One of an id, a full name or a first name: neither none nor several. */
  #payerOf(body: Body): Payer {
    const names = ['payerid', 'fullname', 'firstname'].filter((name) => text(body[name]) !== '');
    if (names.length !== 1) {
      const message = "Exactly one of 'Payer Id', 'Full Name' and 'First Name' must be given.";
      throw Refusal.of(['PayerId', message], ['FullName', message], ['FirstName', message]);
    }
    const id = text(body['payerid']);
    if (id === '') {
      const [, made] = this.putPayer({ ...body, id: '', emailaddress: body['email'] });
      return made as Payer;
    }
    const payer = this.#payers.get(id);
    if (payer === undefined) throw Refusal.of(['PayerId', `Payer with id ${id} not found`]);
    return payer;
  }

  #replay(kind: 'payment' | 'refund', nonces: readonly string[]): object | undefined {
    for (const nonce of nonces) {
      const data = this.#all<First>(`${kind}-nonce`).get(nonce);
      if (data !== undefined) return { isNonceReplay: true, nonce, data };
    }
    return undefined;
  }

  byNonce(kind: 'payment' | 'refund', { nonce }: Body): object {
    return this.#replay(kind, noncesOf(nonce)) ?? { isNonceReplay: false, nonce, data: null };
  }

  payment(id: string): object | undefined {
    const payment = this.#payments.get(id);
    return payment && shownPayment(payment);
  }

  paymentsOf(payer: string): readonly object[] {
    return [...this.#payments.newest()].filter((one) => one.payer.id === payer).map(shownPayment);
  }

  #movement(reference: string | null, remote: string, movement: string, minor: number) {
    return {
      gateway,
      reference,
      idempotencyKey: reference,
      metadata: {},
      remote,
      movement: `${this.#name}/${movement}`,
      account: this.#name,
      minor,
      currency: currencyOf(this.#name),
    };
  }

  // ---- Refunds ----

  refund(body: Body): readonly [status: number, body: object] {
    const nonces = noncesOf(body['nonce']);
    const replay = this.#replay('refund', nonces);
    if (replay !== undefined) return [403, replay];
    const payment = this.#payments.get(text(body['paymentid']));
    const { amount } = body;
    if (payment === undefined || payment.status === 'dishonoured')
      throw Refusal.of(['PaymentId', `Payment with id ${text(body['paymentid'])} not found`]);
    if (!wholePositive(amount)) throw Refusal.of(['Amount', "'Amount' must be greater than '0'."]);
    if (amount > payment.amount - payment.refunded)
      throw Refusal.of(['Amount', 'The refund is more than what is left of the payment.']);
    const refund: Refund = {
      id: newId('ref'),
      paymentId: payment.id,
      amount,
      currency: payment.currency,
      status: 'requested',
      reasonForRefund: text(body['reason']) || null,
      requestedDate: this.#now,
      completedDate: null,
      nonce: nonces[0] ?? null,
    };
    const movement = this.#movement(refund.nonce, payment.id, refund.id, amount);
    const refunded = recordRefund(this.#turn, this.#sums(payment), movement, true);
    this.#put('payment', payment.id, { ...payment, refunded });
    this.#put('refund', refund.id, refund);
    for (const nonce of nonces) this.#put<First>('refund-nonce', nonce, shownRefund(refund));
    this.#emit('refund-created', { status: refund.status, amount }, { refund: shownRefund(refund) });
    this.#schedule(this.#turn.host.settings.debitMs, 'refunded', refund.id);
    return [201, shownRefund(refund)];
  }

  refundOf(id: string): object | undefined {
    const refund = this.#refunds.get(id);
    return refund && shownRefund(refund);
  }

  #sums({ id, amount, refunded }: Payment) {
    return { movement: `${this.#name}/${id}`, taken: amount, refunded };
  }

  // ---- What happens by itself ----

  #schedule(afterMs: number, task: string, id: string): void {
    const { host, tx } = this.#turn;
    host.scheduler.schedule(tx, gateway, afterMs, task, { merchant: this.#name, id });
  }

  /** @throws {Error} for a task that this sandbox never ordered */
  later(task: string, id: string): void {
    switch (task) {
      case 'settle':
        this.#settle(id);
        break;
      case 'dispute':
        this.#dispute(id);
        break;
      case 'refunded':
        this.#completeRefund(id);
        break;
      default:
        throw new Error(`there is no task ${task}`);
    }
  }

  #settle(id: string): void {
    const payment = this.#payments.get(id);
    if (payment?.status === 'approved') this.#put('payment', id, { ...payment, status: 'settled' });
  }

  /** The payer's bank takes the money back. */
  #dispute(id: string): void {
    const payment = this.#payments.get(id);
    if (payment === undefined) return;
    const lost = { ...payment, status: 'dishonoured', dishonourType: 'insufficient-funds' };
    this.#put('payment', id, lost);
    markCharge(this.#turn, `${this.#name}/${id}`, 'charged-back');
    this.#emitPayment('dispute-created', lost);
  }

  #completeRefund(id: string): void {
    const refund = this.#refunds.get(id);
    const payment = this.#payments.get(refund?.paymentId ?? '');
    if (refund === undefined || payment === undefined) return;
    const done: Refund = { ...refund, status: 'completed', completedDate: this.#now };
    this.#put('refund', id, done);
    const { amount } = refund;
    endRefund(this.#turn, this.#sums(payment), { movement: `${this.#name}/${id}`, minor: amount }, false);
    const isWhole = payment.refunded === payment.amount && payment.status === 'approved';
    if (isWhole) this.#put('payment', payment.id, { ...payment, status: 'returned-without-settlement' });
    this.#emit('refund-updated', { status: done.status, amount }, { refund: shownRefund(done) });
  }

  // ---- Events ----

  #emitPayment(type: string, payment: Payment): void {
    const { status, amount } = payment;
    this.#emit(type, { status, amount }, { payment: shownPayment(payment) });
  }

  #emit(type: string, metadata: object, about: object): void {
    const id = newId('evt');
    const { tx, host } = this.#turn;
    const event = {
      account: this.#name,
      id,
      type,
      eventDate: this.#now,
      metadata,
      data: { ...about, eventId: id },
    };
    tx.put(eventsOf(host.store), id, event);
    queueEvent(this.#turn, { gateway, account: this.#name, id, type });
  }

  /** A page of events, newest first and without what they are about. */
  events(query: URLSearchParams): object {
    const [page, pageSize] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 50)];
    const since = query.get('startDate') ?? '';
    if (!(page >= 1 && pageSize >= 1 && pageSize <= 500))
      throw Refusal.of(['PageSize', "'Page Size' must be between 1 and 500."]);
    const all = [...eventsOf(this.#turn.host.store).newest()].filter(
      ({ account, eventDate }) => account === this.#name && eventDate >= since,
    );
    const data = all
      .slice((page - 1) * pageSize, page * pageSize)
      .map(({ id, type, eventDate, metadata }) => ({ id, type, eventDate, metadata }));
    return { page, pageSize, totalPages: Math.ceil(all.length / pageSize), totalItems: all.length, data };
  }

  event(id: string): object | undefined {
    const found = eventsOf(this.#turn.host.store).get(id);
    if (found === undefined || found.account !== this.#name) return undefined;
    const { account: _account, ...event } = found;
    return event;
  }
}
