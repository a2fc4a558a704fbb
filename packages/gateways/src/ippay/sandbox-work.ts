/** What IPpay's sandbox does with a message that it understands: tokens, sales, checks, and what is reported of them later. */
import { createHash } from 'node:crypto';
import { markCharge, planOf, recordCharge, recordRefund } from '@counterfoil/sandbox/money/movements.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import type { Collection, Store } from '@counterfoil/sandbox/store.ts';
import type { Turn } from '@counterfoil/sandbox/turn.ts';
import { escapeXml } from '../kit/xml.ts';

export const gateway = 'ippay';
export type Fields = Readonly<Record<string, string | undefined>>;

// ---- What is remembered; never a number ----

interface KeptToken {
  readonly kind: 'card' | 'bank';
  /** YYMM, of a card. */
  readonly expiry?: string;
  /** The code with which the account's bank returns debits. */
  readonly returns?: string;
}

export interface Movement {
  readonly id: string;
  readonly kind: 'card' | 'bank';
  readonly type: string;
  readonly minor: number;
  readonly token: string;
  readonly code: string;
  readonly text: string;
  readonly approval?: string;
  readonly at: number;
  readonly name: string;
  readonly order: string;
  readonly labels: readonly string[];
  readonly refunded: number;
  readonly voidedAt?: number;
  readonly settledAt?: number;
  /** A code of a return or a chargeback, and when it came. */
  readonly back?: { readonly code: string; readonly at: number };
}

/** A form that the hosted page has taken. */
export interface PageSession {
  readonly account: string;
  readonly reference: string;
  readonly callback: string;
  readonly kind: 'card' | 'bank';
  readonly isDone?: true;
}

interface Records {
  readonly tokens: Collection<KeptToken>;
  /** By terminal and id: the two terminals know nothing of each other. */
  readonly movements: Collection<Movement>;
}

export const recordsOf = (store: Store, account: string): Records => ({
  tokens: store.collection<KeptToken>(`ippay/${account}/token`),
  movements: store.collection<Movement>(`ippay/${account}/movement`),
});
export const sessionsOf = (store: Store): Collection<PageSession> =>
  store.collection<PageSession>('ippay/page-session');

// ---- Answers ----

export const elements = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${escapeXml(value)}</${name}>`))
    .join('');

export const replyXml = (fields: Fields, root = 'ippayResponse'): string =>
  `<${root}>${elements(fields)}</${root}>`;

/** A message that is answered without being carried out. */
export class Refusal extends Error {
  readonly fields: Fields;
  constructor(code: string | undefined, text: string, more: Fields = {}) {
    super(text);
    this.fields = { ActionCode: code, ErrMsg: text, ...more };
  }
}

/** A letter, then the time. */
export const generatedId = (letter: string, ms: number): string =>
  `${letter}${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 17)}`;

let latestMs = 0;
/** One that no other has: of several within a millisecond each takes the next. */
export function nextId(letter: string, ms: number): string {
  latestMs = Math.max(ms, latestMs + 1);
  return generatedId(letter, latestMs);
}

// ---- Tokens ----

/** As long as the number, with its first digit and its last four; the same for the same number. */
function tokenOf(account: string, number: string): string {
  const middle = createHash('sha256').update(`${account}/${number}`).digest('hex').toUpperCase();
  const length = Math.max(number.length - 5, 1);
  return `${number.slice(0, 1)}${`X${middle}`.slice(0, length)}${number.slice(-4)}`;
}

/** Test accounts whose bank returns debits, by their last four digits. */
const returning: Readonly<Record<string, string>> = { 9901: 'R01', 9904: 'R04' };

const thisMonth = (ms: number): string => new Date(ms).toISOString().replace('-', '').slice(2, 6);

export class AccountWork {
  readonly #turn: Turn;
  readonly #account: string;
  readonly #records: Records;

  constructor(turn: Turn, account: string) {
    this.#turn = turn;
    this.#account = account;
    this.#records = recordsOf(turn.host.store, account);
  }

  get #now(): number {
    return this.#turn.host.clock.now();
  }

  /** @param fields elements of the message by name, `ACH` and its attributes among them */
  run(type: string, kind: 'card' | 'bank', fields: Fields): string {
    switch (type) {
      case 'PING':
        return replyXml({ ActionCode: '000', ResponseText: 'PING' });
      case 'TOKENIZE':
        return this.#tokenise(fields);
      case 'SALE':
      case 'CREDIT':
        return this.#move(type, kind, fields);
      case 'CHECK':
      case 'REVERSAL':
        return this.#debit(type, kind, fields);
      case 'VOID':
        return this.#void(kind, fields);
      case 'ENQ':
        return this.#enquire(kind, fields);
      case 'CAPT':
        throw new Refusal('025', 'Unable to locate previous transaction');
      case 'VOIDACH':
        throw new Refusal('058', 'VOIDACH is no longer supported');
      default:
        throw new Refusal('012', 'Invalid transaction type');
    }
  }

  #tokenise(fields: Fields): string {
    const { CardNum: number, ABA: routing, AccountNumber: account, Token: token } = fields;
    const expiry = `${fields['CardExpYear'] ?? ''}${fields['CardExpMonth'] ?? ''}`;
    if (number === undefined && routing !== undefined)
      return this.#tokenised(this.keepAccount(routing, account ?? ''));
    if (!/^\d\d(0[1-9]|1[0-2])$/.test(expiry)) throw new Refusal('013', 'Invalid expiration date');
    if (number !== undefined) return this.#tokenised(this.keepCard(number, expiry));
    const known = this.#records.tokens.get(token ?? '');
    if (token === undefined || known?.kind !== 'card') throw new Refusal('014', 'Invalid token');
    this.#turn.tx.put(this.#records.tokens, token, { ...known, expiry });
    return this.#tokenised(token);
  }

  #tokenised(token: string): string {
    const id = nextId('C', this.#now);
    const fields = { TransactionID: id, ActionCode: '000', ResponseText: 'TOKENIZED', Token: token };
    return replyXml(fields, 'IPPayResponse');
  }

  /** @throws {Refusal} for a number that cannot be one */
  keepCard(number: string, expiry: string): string {
    if (!/^\d{13,19}$/.test(number) || !passesLuhn(number))
      throw new Refusal('900', 'Invalid card number.  ');
    const token = tokenOf(this.#account, number);
    this.#turn.tx.put(this.#records.tokens, token, { kind: 'card', expiry });
    return token;
  }

  keepAccount(routing: string, number: string): string {
    if (!/^\d{9}$/.test(routing)) throw new Refusal('923', 'Invalid ABA');
    if (!/^\d{4,17}$/.test(number)) throw new Refusal('924', 'Invalid account');
    const token = tokenOf(this.#account, number);
    const returns = returning[number.slice(-4)];
    this.#turn.tx.put(this.#records.tokens, token, { kind: 'bank', ...(returns && { returns }) });
    return token;
  }

  /** The id of the caller, which is used once in 90 days, or one of the gateway's own. */
  #newId(kind: string, given: string | undefined): string {
    if (given === undefined) return nextId('A', this.#now);
    if (!/^[A-Z0-9]{1,18}$/i.test(given)) throw new Refusal('030', 'Invalid TransactionID');
    const id = given.toUpperCase();
    if (this.#records.movements.get(`${kind}/${id}`) !== undefined)
      throw new Refusal('094', 'Duplicate transmission', { TransactionID: id });
    return id;
  }

  #begin(
    type: string,
    kind: 'card' | 'bank',
    fields: Fields,
    text: string,
  ): Movement & { readonly kept: KeptToken } {
    const { Token: token = '', TotalAmount: amount = '', FeeAmount: fee = '0' } = fields;
    if (!/^\d{1,9}$/.test(amount) || Number(amount) === 0) throw new Refusal('013', 'Invalid amount');
    if (!/^\d{1,9}$/.test(fee) || Number(fee) > Number(amount)) throw new Refusal('013', 'Invalid fee');
    const id = this.#newId(kind, fields['TransactionID']);
    const kept = this.#records.tokens.get(token);
    if (kept?.kind !== kind) throw new Refusal('014', 'Invalid token', { TransactionID: id });
    return {
      id,
      kind,
      type,
      minor: Number(amount),
      token,
      code: '000',
      text,
      at: this.#now,
      name: fields['CardName'] ?? '',
      order: fields['OrderNumber'] ?? '',
      labels: [fields['UDField1'] ?? '', fields['UDField2'] ?? ''],
      refunded: 0,
      kept,
    };
  }

  #keep({ kept: _kept, ...movement }: Movement & { kept?: KeptToken }): string {
    this.#turn.tx.put(this.#records.movements, `${movement.kind}/${movement.id}`, movement);
    return answerOf(movement);
  }

  #money({ id, minor }: Movement, reference = id) {
    return {
      gateway,
      reference,
      idempotencyKey: null,
      metadata: {},
      remote: id,
      movement: `${this.#account}/${id}`,
      account: this.#account,
      minor,
      currency: 'USD',
    };
  }

  /** A sale of a card, or a credit to one, which stands alone. */
  #move(type: 'SALE' | 'CREDIT', kind: 'card' | 'bank', fields: Fields): string {
    if (kind !== 'card') throw new Refusal('003', 'Not a terminal for cards');
    const begun = this.#begin(type, kind, fields, type === 'SALE' ? 'APPROVED' : 'RETURN ACCEPTED');
    const movement = { ...begun, approval: `TEST${String(begun.minor % 100).padStart(2, '0')}` };
    if (type === 'CREDIT') {
      this.#credit(movement, false);
      return this.#keep(movement);
    }
    const isExpired = (begun.kept.expiry ?? '9912') < thisMonth(this.#now);
    const code = isExpired ? '054' : declineOf(begun.minor);
    if (code !== undefined) return this.#keep({ ...begun, code, text: 'DECLINED' });
    const plan = planOf(this.#turn, {}, movement.minor);
    // No answer would tell of a part.
    const { captures: _whole, ...whole } = plan;
    for (const next of recordCharge(this.#turn, this.#money(movement), { plan: whole, disputed: undefined }))
      this.#later(next.task, next.afterMs, movement);
    return this.#keep(movement);
  }

  /** A credit stands alone: a label alone says which sale it is for, and the gateway compares nothing with that. */
  #credit(movement: Movement, isPending: boolean): void {
    const { movements } = this.#records;
    const key = `${movement.kind}/${movement.labels[0]}`;
    const sale = movements.get(key);
    const money = this.#money(movement);
    if (sale !== undefined && sale.refunded + movement.minor <= sale.minor) {
      const sums = { movement: `${this.#account}/${sale.id}`, taken: sale.minor, refunded: sale.refunded };
      const refunded = recordRefund(this.#turn, sums, money, isPending);
      this.#turn.tx.put(movements, key, { ...sale, refunded });
      return;
    }
    const { host, tx } = this.#turn;
    const at = new Date(this.#now).toISOString();
    const state = isPending ? 'pending' : 'refunded';
    host.captures.record(tx, { ...money, operation: 'refund', refundedMinor: 0, state, at });
  }

  #later(task: string, afterMs: number, { kind, id }: Movement): void {
    const { host, tx } = this.#turn;
    host.scheduler.schedule(tx, gateway, afterMs, task, { account: this.#account, key: `${kind}/${id}` });
  }

  /** A debit of an account, or a credit to one: accepted now, settled or returned later. */
  #debit(type: 'CHECK' | 'REVERSAL', kind: 'card' | 'bank', fields: Fields): string {
    if (kind !== 'bank') throw new Refusal('003', 'Not a terminal for checks');
    const { CardName: name = '', CheckNumber: check = '', Type: account = '', SEC: entry = '' } = fields;
    if (name.trim() === '') throw new Refusal('030', 'CardName is missing');
    if (!/^(CHECKING|SAVINGS|BUSINESSCK)$/.test(account) || !/^(PPD|WEB|CCD|TEL)$/.test(entry))
      throw new Refusal('030', 'Invalid ACH type');
    if (!/^\d{1,9}$/.test(check)) throw new Refusal('030', 'Invalid check number');
    const movement = { ...this.#begin(type, kind, fields, 'CHECK ACCEPTED'), approval: '000000' };
    if (type === 'REVERSAL') this.#credit(movement, true);
    const { debitMs } = this.#turn.host.settings;
    this.#later('settle', debitMs, movement);
    const { lateFailureMs } = planOf(this.#turn, {}, movement.minor);
    if (lateFailureMs !== undefined) this.#later('dispute', debitMs + lateFailureMs, movement);
    return this.#keep(movement);
  }

  #void(kind: 'card' | 'bank', fields: Fields): string {
    const { TransactionID: id = '', Approval: approval, TotalAmount: amount, Token: token } = fields;
    const sale = this.#records.movements.get(`${kind}/${id.toUpperCase()}`);
    if (sale?.type !== 'SALE' || sale.code !== '000' || sale.token !== token)
      throw new Refusal('025', 'Unable to locate previous transaction');
    if (sale.voidedAt !== undefined) throw new Refusal('021', 'No action taken');
    if (sale.approval !== approval || String(sale.minor) !== amount)
      throw new Refusal('025', 'Unable to locate previous transaction');
    if (batchOf(sale.at) !== batchOf(this.#now)) throw new Refusal('025', 'The transaction is settled');
    const of = { movement: `${this.#account}/${sale.id}`, taken: sale.minor, refunded: 0 };
    const undo = { ...this.#money(sale, fields['UDField1'] ?? sale.id), movement: `${of.movement}/void` };
    recordRefund(this.#turn, of, undo, false);
    const { movements } = this.#records;
    this.#turn.tx.put(movements, `card/${sale.id}`, { ...sale, voidedAt: this.#now, refunded: sale.minor });
    return answerOf({ ...sale, voidedAt: this.#now });
  }

  #enquire(kind: 'card' | 'bank', { TransactionID: id = '' }: Fields): string {
    const known = this.#records.movements.get(`${kind}/${id.toUpperCase()}`);
    if (known === undefined) return notFoundXml;
    return answerOf(known);
  }

  #settle(movement: Movement, put: (change: Partial<Movement>) => void): void {
    const { host, tx } = this.#turn;
    if (movement.type === 'REVERSAL')
      host.captures.change(tx, `${this.#account}/${movement.id}`, { state: 'refunded' });
    else recordCharge(this.#turn, this.#money(movement), { plan: {}, disputed: undefined });
    put({ settledAt: this.#now });
  }

  /** What comes later: banks settle or return, the gateway voids by itself, a card is charged back. */
  follow(task: string, key: string): void {
    const movement = this.#records.movements.get(key);
    if (movement === undefined) return;
    const put = (change: Partial<Movement>) =>
      this.#turn.tx.put(this.#records.movements, key, { ...movement, ...change });
    const movementName = `${this.#account}/${movement.id}`;
    switch (task) {
      case 'settle': {
        const returns = this.#records.tokens.get(movement.token)?.returns;
        if (returns !== undefined) put({ back: { code: returns, at: this.#now } });
        else this.#settle(movement, put);
        return;
      }
      case 'self-void':
        markCharge(this.#turn, movementName, 'voided');
        put({ voidedAt: this.#now });
        return;
      case 'dispute':
        markCharge(this.#turn, movementName, 'charged-back');
        put({ back: { code: movement.kind === 'bank' ? 'R10' : '4837', at: this.#now } });
        return;
    }
  }
}

const answerOf = ({ id, code, text, approval, voidedAt }: Movement): string =>
  replyXml({
    TransactionID: id,
    ActionCode: code,
    ...(code === '000' && { Approval: approval }),
    ResponseText: voidedAt === undefined ? text : 'VOID PROCESSED',
    ...(code === '000' && approval !== '000000' && { AddressMatch: 'Y', ZipMatch: 'Y', AVS: 'Y', CVV2: 'P' }),
  });

export const notFoundXml = replyXml({ ActionCode: '025', ErrMsg: 'Unable to locate previous transaction' });

const declining = new Set(
  '01 02 03 04 05 06 07 12 13 14 15 19 30 41 43 51 54 57 58 61 62 63 65 76 78 82 91 93 94 96'.split(' '),
);
/** The last two digits of an amount are what the bank answers. */
function declineOf(minor: number): string | undefined {
  const ending = String(minor % 100).padStart(2, '0');
  return declining.has(ending) ? `0${ending}` : undefined;
}

const closingHour = 22;
/** The day whose batch a moment is in: batches close in the evening. */
const batchOf = (ms: number): string =>
  new Date(ms + (24 - closingHour) * 60 * 60_000).toISOString().slice(0, 10);
