/** The calls of Nexio's sandbox about payments: what takes money, what follows it, and the lists. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { markCharge, planOf, recordCharge, recordRefund } from '@counterfoil/sandbox/money/movements.ts';
import type { Answer } from '@counterfoil/sandbox/requests/exchange.ts';
import { queueEvent, searchOf, type Turn } from '@counterfoil/sandbox/turn.ts';
import {
  BANK_MS,
  byCents,
  type Call,
  CHALLENGE_CENTS,
  DECLINED_POSTAL,
  GATEWAY_TIMEOUT_CENTS,
  gateway,
  type Json,
  json,
  merchantIn,
  minorOf,
  need,
  nextSettlement,
  object,
  Refusal,
  type Route,
  recordsOf,
  SHOWN_AFTER_MS,
  statusNames,
  type Txn,
  textIn,
} from './sandbox-data.ts';
import { vaultOf } from './sandbox-vault.ts';

/** In major units. */
const amountOf = ({ minor, currency }: Pick<Txn, 'minor' | 'currency'>): number =>
  moneyToNumber(money(BigInt(minor), currency));

export function routesOf(host: SandboxHost) {
  const records = recordsOf(host);
  const { txns } = records;
  const vault = vaultOf(host);
  const now = () => host.clock.now();

  // ---- Payments ----

  const movementOf = (txn: Txn, minor = txn.minor) => ({
    gateway,
    reference: textIn(txn.customer, 'orderNumber') ?? null,
    idempotencyKey: null,
    metadata: { invoices: textIn(txn.customer, 'invoice') ?? '' },
    remote: txn.id,
    movement: txn.id,
    account: txn.account,
    minor,
    currency: txn.currency,
  });

  /** Takes the money: it is on its way to be settled. */
  function take(turn: Turn, txn: Txn): Txn {
    const plan = planOf(turn, {}, txn.minor);
    const taken: Txn = { ...txn, minor: plan.captures ?? txn.minor, status: 10 };
    turn.tx.put(txns, txn.id, taken);
    for (const later of recordCharge(turn, movementOf(taken), { plan, disputed: undefined }))
      host.scheduler.schedule(turn.tx, gateway, later.afterMs, later.task, { id: txn.id });
    queueEvent(turn, { gateway, account: txn.account, id: txn.id, type: 'TRANSACTION_CAPTURED' });
    return taken;
  }

  const statusNow = (txn: Txn): number | null =>
    txn.status === 10 && !txn.isBank && txn.settlesAt <= now() ? 20 : txn.status;

  const paymentBody = (txn: Txn) => ({
    id: txn.id,
    merchantId: txn.merchantId,
    transactionDate: new Date(txn.at).toISOString(),
    authCode: '123456',
    transactionStatus: statusNames[statusNow(txn) ?? 0],
    transactionType: txn.type,
    amount: amountOf(txn),
    currency: txn.currency,
    gatewayResponse: { result: 'Approved', refNumber: String(txn.number), gatewayName: 'nexioMock' },
    data: { amount: amountOf(txn), currency: txn.currency, customer: txn.customer },
    random: randomInt(1000),
  });

  /** It is listed all the same. */
  function decline(turn: Turn, txn: Txn, message: string): never {
    const { merchantId } = txn;
    turn.tx.put(txns, txn.id, { ...txn, status: 30 });
    const gatewayResponse = { gatewayName: 'nexioMock', refNum: String(randomInt(1e9)), status: 'declined' };
    throw new Refusal(435, message, { gatewayResponse, merchantId }, true);
  }

  function newTxn(account: string, body: Json, isBank: boolean, lastFour: string): Txn {
    const data = object(body['data']);
    const options = object(body['processingOptions']);
    const isAuth = body['isAuthOnly'] === true;
    const currency = textIn(data, 'currency') ?? 'USD';
    return {
      id: randomBytes(48).toString('base64'),
      number: 700_000_000 + randomInt(99_999_999),
      account,
      merchantId: merchantIn(options),
      isBank,
      type: isAuth ? 'auth' : 'sale',
      status: isAuth ? 11 : 10,
      minor: minorOf(data['amount'], currency),
      currency,
      customer: object(data['customer']),
      at: now(),
      settlesAt: nextSettlement(now()),
      refunded: 0,
      lastFour,
    };
  }

  const tokenIn = (body: Json): string => need(object(body['tokenex']), 'token');

  function processCard({ turn, account, body }: Call): Answer {
    const card = vault.cardOf(account, tokenIn(body));
    const txn = newTxn(account, body, false, card.lastFour);
    const cents = txn.minor % 100;
    const postal = txn.customer['billToPostal'] ?? card.customer['billToPostal'];
    if (postal === DECLINED_POSTAL) decline(turn, txn, 'Declined');
    const why = byCents[cents];
    if (why !== undefined) decline(turn, txn, why);
    const options = object(body['processingOptions']);
    if (options['check3ds'] === true && cents === CHALLENGE_CENTS) {
      const redirectTo = textIn(options, 'customerRedirectUrl') ?? '';
      turn.tx.put(txns, txn.id, { ...txn, status: null, redirectTo });
      const asyncTraceId = String(txn.number);
      return json(200, { redirectUrl: `${host.publicUrl}/nexio/3ds/${asyncTraceId}`, asyncTraceId });
    }
    if (txn.status === 11) {
      turn.tx.put(txns, txn.id, txn);
      return json(200, paymentBody(txn));
    }
    const taken = take(turn, txn);
    if (cents === GATEWAY_TIMEOUT_CENTS) throw new Refusal(408, 'Payment gateway timed out', {}, true);
    return json(200, paymentBody(taken));
  }

  function processBank({ turn, account, body }: Call): Answer {
    const bank = vault.bankOf(account, tokenIn(body));
    const txn = newTxn(account, body, true, bank.lastFour);
    const why = byCents[txn.minor % 100];
    if (why !== undefined) decline(turn, txn, why);
    turn.tx.put(txns, txn.id, txn);
    host.scheduler.schedule(turn.tx, gateway, BANK_MS, 'bank', { id: txn.id });
    queueEvent(turn, { gateway, account, id: txn.id, type: 'TRANSACTION_AUTHORIZED' });
    return json(200, paymentBody(txn));
  }

  const paymentOf = (account: string, body: Json): Txn => {
    const txn = txns.get(need(body, 'id'));
    if (txn === undefined || txn.account !== account || txn.type === 'refund')
      throw new Refusal(404, 'Transaction not found');
    return txn;
  };

  function capture({ turn, account, body }: Call): Answer {
    const txn = paymentOf(account, body);
    if (txn.status !== 11) throw new Refusal(400, 'The transaction cannot be captured');
    const minor = minorOf(object(body['data'])['amount'] ?? amountOf(txn), txn.currency);
    if (minor > txn.minor) throw new Refusal(400, 'More than was authorized');
    return json(200, paymentBody(take(turn, { ...txn, minor })));
  }

  /** Our caller's own name of a refund is told by nothing but its request. */
  const refundMovement = (txn: Txn, body: Json, minor: number) => ({
    ...movementOf(txn, minor),
    reference: textIn(object(object(body['data'])['customer']), 'orderNumber') ?? null,
    movement: randomUUID(),
  });
  const sumsOf = (txn: Txn) => ({ movement: txn.id, taken: txn.minor, refunded: txn.refunded });

  function voidTxn({ turn, account, body }: Call): Answer {
    const txn = paymentOf(account, body);
    if (txn.isBank) throw new Refusal(400, 'An echeck cannot be voided');
    if (statusNow(txn) !== 10) throw new Refusal(400, 'The transaction cannot be voided');
    recordRefund(turn, sumsOf(txn), refundMovement(txn, body, txn.minor), false);
    const voided: Txn = { ...txn, status: 39, refunded: txn.minor };
    turn.tx.put(txns, txn.id, voided);
    return json(200, Object.assign(paymentBody(voided), { message: 'Voided' }));
  }

  function refund({ turn, account, body }: Call): Answer {
    const txn = paymentOf(account, body);
    if (txn.isBank) throw new Refusal(400, 'An echeck cannot be refunded');
    if (statusNow(txn) !== 20) throw new Refusal(400, 'The transaction is not settled');
    const minor = minorOf(object(body['data'])['amount'], txn.currency);
    if (minor > txn.minor - txn.refunded) throw new Refusal(400, 'More than what is left would be refunded');
    const refunded = recordRefund(turn, sumsOf(txn), refundMovement(txn, body, minor), false);
    turn.tx.put(txns, txn.id, { ...txn, status: 20, refunded });
    const { orderNumber: _notTakenOver, ...customer } = txn.customer;
    const made: Txn = {
      ...newTxn(
        account,
        { data: { amount: amountOf({ minor, currency: txn.currency }), currency: txn.currency, customer } },
        false,
        txn.lastFour,
      ),
      type: 'refund',
      merchantId: txn.merchantId,
      original: txn.number,
    };
    turn.tx.put(txns, made.id, made);
    return json(200, paymentBody(made));
  }

  // ---- Lists ----

  /** By default a row holds neither the customer nor the connected gateway. */
  const rowBody = (txn: Txn, objects: ReadonlySet<string>) => ({
    id: txn.number,
    merchantId: txn.merchantId,
    amount: amountOf(txn),
    transactionDate: new Date(txn.at).toISOString(),
    transactionStatus: statusNow(txn),
    transactionType: txn.type === 'refund' ? 40 : 10,
    cardNumber: txn.lastFour,
    processMethod: txn.isBank ? 20 : 10,
    achDetailId: txn.isBank ? txn.number : null,
    originalTransactionId: txn.original ?? null,
    ...(objects.has('customer') && { customer: Object.assign({ id: txn.number }, txn.customer) }),
    ...(objects.has('plugin') && { plugin: { originalId: txn.id, gatewayName: 'nexioMock' } }),
  });

  const isShown = (txn: Txn): boolean => txn.status !== null && txn.at + SHOWN_AFTER_MS <= now();

  function list({ turn, account, query }: Call): Answer {
    const search = searchOf(turn, query.get('customer.orderNumber') ?? undefined);
    if ([...query.keys()].length === 0) throw new Refusal(500, 'Internal Server Error');
    const objects = new Set([...query.keys()].flatMap((name) => (/^(\w+)\./.exec(name) ?? []).slice(1)));
    const [from = 0, to = Number.POSITIVE_INFINITY] = (query.get('transactionDate') ?? '')
      .split(',')
      .flatMap((date) => (date === '' ? [] : [Date.parse(date)]));
    const is = (name: string, value: unknown) =>
      query.get(name) === null || query.get(name) === String(value);
    const all = [...txns.newest()].filter(
      (txn) =>
        txn.account === account &&
        isShown(txn) &&
        txn.at >= from &&
        txn.at <= to &&
        is('id', txn.number) &&
        search.fits(txn.customer['orderNumber']) &&
        is('plugin.originalId', txn.id),
    );
    const limit = Math.min(Number(query.get('limit') ?? 10), search.most);
    const offset = Number(query.get('offset') ?? 0);
    const rows = all.slice(offset, offset + limit).map((txn) => rowBody(txn, objects));
    return json(200, { limit, offset, hasMore: offset + limit < all.length, rows });
  }

  function byPaymentId({ account, variables: [id = ''] }: Call): Answer {
    const txn = txns.get(id);
    if (txn === undefined || txn.account !== account || !isShown(txn))
      throw new Refusal(404, 'Transaction not found');
    return json(200, rowBody(txn, new Set(['customer', 'plugin'])));
  }

  const byNumber = (number: string): Txn | undefined =>
    [...txns.newest()].find((txn) => String(txn.number) === number);

  function trace({ account, variables: [asyncTraceId = ''] }: Call): Answer {
    const txn = byNumber(asyncTraceId);
    if (txn === undefined || txn.account !== account) throw new Refusal(404, 'Trace not found');
    const steps = ['processFromApi', ...(txn.status === null ? [] : ['popup', 'finale'])];
    const history = steps.map((step) => ({ step, date: new Date(txn.at).toISOString() }));
    const done = txn.status === null ? {} : { id: txn.id, transactionStatus: statusNow(txn) };
    return json(200, Object.assign({ asyncTraceId, history }, done));
  }

  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/user/v3/account/whoAmI',
      run: ({ account }) => json(200, { username: account }),
    },
    ...vault.routes,
    { method: 'POST', path: '/pay/v3/process', operation: 'charge', run: processCard },
    { method: 'POST', path: '/pay/v3/processECheck', operation: 'charge', run: processBank },
    { method: 'POST', path: '/pay/v3/capture', operation: 'charge', run: capture },
    { method: 'POST', path: '/pay/v3/void', operation: 'refund', run: voidTxn },
    { method: 'POST', path: '/pay/v3/refund', operation: 'refund', run: refund },
    { method: 'GET', path: '/transaction/v3', operation: 'find', run: list },
    { method: 'GET', path: '/transaction/v3/paymentId/:id', operation: 'find', run: byPaymentId },
    { method: 'GET', path: '/pay/v3/transactionAsyncStatus/:trace', operation: 'find', run: trace },
  ];

  return {
    routes,
    records,
    paymentBody,
    statusNow,
    byNumber,
    /** The bank has answered the payer's question, and the payment goes on or ends. */
    answered(turn: Turn, txn: Txn, isPassed: boolean): void {
      if (isPassed) take(turn, txn);
      else turn.tx.put(txns, txn.id, { ...txn, status: 30 });
    },
    /** What the service does by itself later. */
    later(turn: Turn, task: string, id: string): void {
      const txn = txns.get(id);
      if (txn === undefined) return;
      if (task === 'bank') {
        const isReturned = txn.lastFour === '0000';
        turn.tx.put(txns, id, { ...txn, status: isReturned ? 50 : 20 });
        if (!isReturned) recordCharge(turn, movementOf(txn), { plan: {}, disputed: undefined });
        queueEvent(turn, { gateway, account: txn.account, id, type: 'TRANSACTION_SETTLED' });
      }
      if (task === 'self-void') {
        turn.tx.put(txns, id, { ...txn, status: 40 });
        markCharge(turn, id, 'voided');
      }
      // Later than its settlement: the bank has taken it back.
      if (task === 'dispute') {
        turn.tx.put(txns, id, { ...txn, status: 50 });
        markCharge(turn, id, 'charged-back');
      }
    },
  };
}
