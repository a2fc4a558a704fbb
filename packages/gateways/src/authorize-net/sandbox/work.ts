/** An account of the sandbox: profiles, nonces, transactions and their settlement. Numbers are used once; digests and masks are kept. */
import { formatDecimal, money, parseMoney } from '@counterfoil/domain/money/money.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { digest, newId, random } from '@counterfoil/sandbox/ids.ts';
import { isRoutingNumber } from '@counterfoil/sandbox/money/bank-account.ts';
import { cardProblem } from '@counterfoil/sandbox/money/card.ts';
import type { Collection, Transaction as Tx } from '@counterfoil/sandbox/store.ts';
import { ownTurn, queueEvent, type Turn } from '@counterfoil/sandbox/turn.ts';
import { brandOf, codeCard, cvvByCode, lateAccounts, returnedAccounts } from './data.ts';

export const gateway = 'authorize-net';

/** A request's members; what is not there reads as `''` or `{}`. */
export type Body = Readonly<Record<string, unknown>>;
export const textAt = (body: Body, name: string): string => {
  const value = body[name];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
};
export const bodyAt = (body: Body, name: string): Body => {
  const value = body[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
};
export const has = (body: Body, name: string): boolean => body[name] !== undefined;

/** A refusal before anything became a transaction. */
export class AnetFault extends Error {
  readonly code: string;
  readonly more: Body;
  constructor(code: string, text: string, more: Body = {}) {
    super(text);
    this.code = code;
    this.more = more;
  }
}

/** A transaction that came to nothing: response code 3, no id, and an original where one is named. */
export class Refused extends Error {
  readonly reason: number;
  readonly named: string | undefined;
  constructor(reason: number, named?: string) {
    super(`reason ${reason}`);
    this.reason = reason;
    this.named = named;
  }
}

/** A card or account as it is kept: what it shows, and a digest to compare it by. */
export interface Method {
  readonly kind: 'card' | 'bank';
  readonly print: string;
  readonly last4: string;
  readonly brand: string;
  /** 'YYYY-MM' of a card. */
  readonly expires: string;
  readonly bank: Body;
  /** Its amounts order reason codes. */
  readonly byAmount?: true;
  /** What came of the check of its code. The code itself is not kept, not even until the token is used. */
  readonly cvvResult?: string;
  /** Its bank returns debits with this code: at settlement, or long after it. */
  readonly returns?: string;
  readonly returnsLate?: string;
}

export interface PaymentProfile {
  readonly id: string;
  readonly isDefault: boolean;
  readonly customerType: string;
  readonly billTo: Body;
  readonly method: Method;
}
export interface Profile {
  readonly id: string;
  readonly merchantCustomerId: string;
  readonly description: string;
  readonly email: string;
  readonly methods: readonly PaymentProfile[];
}
export interface Nonce {
  readonly account: string;
  readonly at: number;
  readonly isUsed: boolean;
  readonly method: Method;
}
export interface Txn {
  readonly id: string;
  readonly type: 'authCaptureTransaction' | 'refundTransaction' | 'returnedItem';
  readonly status: string;
  readonly at: number;
  readonly refId: string;
  readonly invoice: string;
  readonly description: string;
  readonly minor: number;
  readonly responseCode: string;
  readonly reason: number;
  readonly method: Method;
  readonly customerId: string;
  readonly profile: Body;
  readonly refTransId: string;
  readonly refundedMinor: number;
  readonly contents: string;
  readonly batch: string;
  readonly returned: readonly Body[];
}
export interface Batch {
  readonly id: string;
  readonly at: number;
}
interface Note {
  readonly id: string;
  readonly type: string;
  readonly json: string;
}

export interface Account {
  readonly id: string;
  readonly currency: string;
  readonly profiles: Collection<Profile>;
  readonly txns: Collection<Txn>;
  readonly batches: Collection<Batch>;
  readonly events: Collection<Note>;
}

/** Accounts come to be by their names; `-aud` at the end gives its currency. */
export const openAccount = ({ store }: SandboxHost, id: string): Account => ({
  id,
  currency: /-([a-z]{3})$/.exec(id)?.[1]?.toUpperCase() ?? 'USD',
  profiles: store.collection(`${gateway}/${id}/profile`),
  txns: store.collection(`${gateway}/${id}/transaction`),
  batches: store.collection(`${gateway}/${id}/batch`),
  events: store.collection(`${gateway}/${id}/event`),
});
export const nonces = ({ store }: SandboxHost): Collection<Nonce> => store.collection(`${gateway}/nonce`);

/** A piece of work in one account. */
export interface Work {
  readonly turn: Turn;
  readonly account: Account;
}
export const now = ({ turn }: Work): number => turn.host.clock.now();
export const iso = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '');
/** Numeric ids, each once in its collection and different between kinds. */
export const nextId = (collection: Collection<unknown>, from: number): string =>
  String(from + collection.size + 1);

// ---- Cards and accounts ----

/** 'YYYY-MM', 'MMYY' or 'MM/YYYY' as 'YYYY-MM'. */
function expiryOf(text: string): string | undefined {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, first, last] = /^(\d{2})\/?(\d{4}|\d{2})$/.exec(text) ?? [];
  return first === undefined || last === undefined
    ? undefined
    : `${last.slice(-2).padStart(4, '20')}-${first}`;
}

/** A typed card. @throws {Refused} 6, 7 or 8 */
export function cardOf(work: Work, card: Body): Method {
  const number = textAt(card, 'cardNumber');
  const expires = expiryOf(textAt(card, 'expirationDate'));
  if (expires === undefined) throw new Refused(7);
  const [year, month] = expires.split('-').map(Number);
  const problem = cardProblem(number, month ?? 0, year ?? 0, new Date(now(work)));
  if (problem === 'number') throw new Refused(6);
  if (problem !== undefined) throw new Refused((month ?? 0) < 1 || (month ?? 0) > 12 ? 7 : 8);
  return {
    kind: 'card',
    print: digest(number),
    last4: number.slice(-4),
    brand: brandOf(number),
    expires,
    bank: {},
    ...(number === codeCard ? { byAmount: true } : {}),
    ...(has(card, 'cardCode') ? { cvvResult: cvvByCode[textAt(card, 'cardCode')] ?? 'P' } : {}),
  };
}

/** A typed account. @throws {Refused} 9 */
export function bankOf(bank: Body): Method {
  const [routing, account] = [textAt(bank, 'routingNumber'), textAt(bank, 'accountNumber')];
  if (!isRoutingNumber(routing)) throw new Refused(9);
  const [returns, late] = [returnedAccounts[account], lateAccounts[account]];
  return {
    kind: 'bank',
    print: digest(routing, account),
    last4: account.slice(-4),
    brand: 'eCheck',
    expires: '',
    bank: {
      accountType: textAt(bank, 'accountType') || 'checking',
      routingNumber: `XXXX${routing.slice(-4)}`,
      accountNumber: `XXXX${account.slice(-4)}`,
      nameOnAccount: textAt(bank, 'nameOnAccount'),
      echeckType: textAt(bank, 'echeckType') || 'WEB',
      ...(textAt(bank, 'bankName') === '' ? {} : { bankName: textAt(bank, 'bankName') }),
    },
    ...(returns === undefined ? {} : { returns }),
    ...(late === undefined ? {} : { returnsLate: late }),
  };
}

/** What Accept.js has tokenised: once, within 15 minutes. @throws {AnetFault} */
export function takeNonce(work: Work, dataValue: string): Method {
  const known = nonces(work.turn.host).get(digest(dataValue));
  if (known === undefined || known.isUsed) throw new AnetFault('E00114', 'Invalid OTS Token.');
  if (known.account !== work.account.id)
    throw new AnetFault('E00116', 'Invalid OTS Token: it belongs to another merchant.');
  if (now(work) - known.at > 15 * 60_000) throw new AnetFault('E00115', 'Expired OTS Token.');
  work.turn.tx.put(nonces(work.turn.host), digest(dataValue), { ...known, isUsed: true });
  return known.method;
}

/** Keeps a typed method behind a nonce: a long one, for no longest one is documented. */
export function makeNonce(work: Work, data: Body): string {
  const value = Buffer.from(JSON.stringify({ code: `50_2_${random(400)}`, v: '1.1' })).toString('base64');
  const method = has(data, 'bankToken')
    ? bankOf(bodyAt(data, 'bankToken'))
    : cardOf(work, bodyAt(data, 'token'));
  const nonce = { account: work.account.id, at: now(work), isUsed: false, method };
  work.turn.tx.put(nonces(work.turn.host), digest(value), nonce);
  return value;
}

/** The method of a `payment` block. */
export function methodOf(work: Work, payment: Body): Method {
  if (has(payment, 'opaqueData')) return takeNonce(work, textAt(bodyAt(payment, 'opaqueData'), 'dataValue'));
  if (has(payment, 'creditCard')) return cardOf(work, bodyAt(payment, 'creditCard'));
  if (has(payment, 'bankAccount')) return bankOf(bodyAt(payment, 'bankAccount'));
  throw new AnetFault('E00029', 'Payment information is required.');
}

export const maskedPayment = ({ kind, last4, expires, brand, bank }: Method, unmask = false): Body =>
  kind === 'bank'
    ? { bankAccount: bank }
    : {
        creditCard: {
          cardNumber: `XXXX${last4}`,
          expirationDate: unmask ? expires : 'XXXX',
          cardType: brand,
        },
      };

/** What is compared to know a request again. */
export function contentsOf(method: Method, request: Body, billTo: Body): string {
  const order = bodyAt(request, 'order');
  const names = ['firstName', 'lastName', 'company', 'address', 'city', 'state', 'zip', 'country'];
  return JSON.stringify([
    method.print,
    method.expires,
    ...['transactionType', 'amount', 'poNumber', 'validation'].map((name) => textAt(request, name)),
    textAt(order, 'invoiceNumber'),
    textAt(bodyAt(request, 'customer'), 'id'),
    ...names.map((name) => textAt(billTo, name)),
  ]);
}

/** One call of the API: reads a request that fits the schema, and gives the members of its answer. */
export type Call = (work: Work, body: Body) => Body;
export const notFound = (): AnetFault => new AnetFault('E00040', 'The record cannot be found.');

// ---- Later ----

/** Whole seconds and seven digits behind them, as the service writes them. */
const eventDate = (at: number): string => new Date(at).toISOString().replace(/(\.\d+)Z$/, '$10000Z');
/** Minor units as the service writes them; all its currencies have two decimals. */
export const decimal = (minor: number): string => formatDecimal(money(BigInt(minor), 'USD'));
/** The same back; 0 for what is no amount. */
export const minorOf = (text: string): number =>
  /^\d{1,13}(\.\d{1,2}0*)?$/.test(text) ? Number(parseMoney(text, 'USD').minor) : 0;

/** Queues a webhook. Its amount keeps its zeros, which no JSON number does. */
export function tell(work: Work, eventType: string, txn: Txn, ref: string): void {
  const { turn, account } = work;
  const id = newId('evt');
  const payload = `"responseCode":${txn.responseCode},"authCode":"Q1W2E3","avsResponse":"Y","authAmount":${decimal(txn.minor)},${ref === '' ? '' : `"merchantReferenceId":${JSON.stringify(ref)},`}"entityName":"transaction","id":"${txn.id}"`;
  const json = `{"notificationId":"${id}","eventType":"${eventType}","eventDate":"${eventDate(now(work))}","webhookId":"${digest(account.id)}","payload":{${payload}}}`;
  turn.tx.put(account.events, id, { id, type: eventType, json });
  queueEvent(turn, { gateway, account: account.id, id, type: eventType });
}

const dayMs = 24 * 60 * 60_000;
const lateReturnMs = 3 * dayMs;

/** Plans the settlement of a transaction: a day later, of an account's debit when the sandbox's banks are done. */
export function planSettlement(work: Work, txn: Txn): void {
  const { turn, account } = work;
  const { scheduler, settings } = turn.host;
  const after =
    txn.method.kind === 'bank' && txn.type === 'authCaptureTransaction' ? settings.debitMs : dayMs;
  scheduler.schedule(turn.tx, gateway, after, 'settle', { account: account.id, txn: txn.id });
}

/** A task whose time has come. */
export function runTask(
  host: SandboxHost,
  task: string,
  payload: Readonly<Record<string, string>>,
  tx: Tx,
): void {
  const account = openAccount(host, payload['account'] ?? '');
  const txn = account.txns.get(payload['txn'] ?? '');
  if (txn === undefined) return;
  const work: Work = { turn: ownTurn(host, tx), account };
  if (task === 'settle') settle(work, txn);
  else if (task === 'return') returnDebit(work, txn, payload['code'] ?? 'R01');
  else voidTxn(work, txn, '');
  if (work.turn.deliveries.length > 0) setImmediate(() => host.webhooks.pump());
}

function batchOf({ turn, account }: Work, at: number): string {
  const id = nextId(account.batches, 8_000_000);
  turn.tx.put(account.batches, id, { id, at });
  return id;
}

function settle(work: Work, txn: Txn): void {
  const { turn, account } = work;
  const settled: Readonly<Record<string, string>> = {
    capturedPendingSettlement: 'settledSuccessfully',
    refundPendingSettlement: 'refundSettledSuccessfully',
  };
  const status = settled[txn.status];
  if (status === undefined) return;
  const done = { ...txn, status, batch: batchOf(work, now(work)) };
  turn.tx.put(account.txns, txn.id, done);
  const { returns, returnsLate } = txn.method;
  if (txn.type !== 'authCaptureTransaction') return;
  if (txn.method.kind === 'bank' && returns === undefined) recordCapture(work, done, done.minor);
  if (returns !== undefined) returnDebit(work, done, returns);
  if (returnsLate !== undefined)
    turn.host.scheduler.schedule(turn.tx, gateway, lateReturnMs, 'return', {
      account: account.id,
      txn: txn.id,
      code: returnsLate,
    });
}

/** The bank returns a debit: a transaction of its own, and a note at the original. */
function returnDebit(work: Work, txn: Txn, code: string): void {
  const { turn, account } = work;
  const id = nextId(account.txns, 60_000_000_000);
  const item = {
    id,
    dateUTC: iso(now(work)),
    dateLocal: iso(now(work)),
    code,
    description: 'Returned by the bank',
  };
  turn.tx.put(account.txns, id, {
    ...txn,
    id,
    type: 'returnedItem',
    status: 'returnedItem',
    at: now(work),
    refId: '',
    invoice: '',
    refTransId: txn.id,
    batch: batchOf(work, now(work)),
    returned: [item],
    contents: '',
  });
  turn.tx.put(account.txns, txn.id, { ...txn, returned: [item] });
  turn.host.captures.change(turn.tx, movementOf(work, txn), { state: 'failed' });
}

/** Accounts count their transactions each for itself. */
export const movementOf = ({ account }: Work, { id }: Txn): string => `${account.id}/${id}`;

/** Writes money down as taken, or as refunded. */
export function recordCapture(work: Work, txn: Txn, minor: number, refund?: { readonly ref: string }): void {
  const { turn, account } = work;
  turn.host.captures.record(turn.tx, {
    gateway,
    operation: refund === undefined ? 'charge' : 'refund',
    reference: refund?.ref ?? txn.refId,
    idempotencyKey: null,
    metadata: {},
    remote: txn.id,
    movement: `${movementOf(work, txn)}${refund === undefined ? '' : `/${refund.ref}`}`,
    account: account.id,
    minor,
    refundedMinor: 0,
    currency: account.currency,
    state: refund === undefined ? 'captured' : 'refunded',
    at: new Date(turn.host.clock.now()).toISOString(),
  });
}

/** Takes an unsettled transaction back. */
export function voidTxn(work: Work, txn: Txn, ref: string): Txn {
  const { turn, account } = work;
  const done = { ...txn, status: 'voided' };
  turn.tx.put(account.txns, txn.id, done);
  turn.host.captures.change(turn.tx, movementOf(work, txn), { state: 'voided' });
  if (txn.type === 'authCaptureTransaction' && ref !== '') recordCapture(work, txn, txn.minor, { ref });
  tell(work, 'net.authorize.payment.void.created', done, ref);
  return done;
}
