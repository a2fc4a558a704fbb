/** The calls of BPOINT's sandbox: auth keys, payments, follow-ups and tokens. */
import { randomInt } from 'node:crypto';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { random } from '@counterfoil/sandbox/ids.ts';
import { planOf, recordCharge, recordRefund } from '@counterfoil/sandbox/money/movements.ts';
import type { Answer } from '@counterfoil/sandbox/requests/exchange.ts';
import { queueEvent, searchOf } from '@counterfoil/sandbox/turn.ts';
import { groupOf, textOf } from './sandbox-data.ts';
import {
  type AuthKey,
  type Call,
  gateway,
  invalidField,
  invalidFlow,
  type Json,
  json,
  type Method,
  need,
  notFound,
  object,
  Refusal,
  type Route,
  readMethod,
  shown,
  type Token,
  type Txn,
  textIn,
} from './sandbox-protocol.ts';

/** Random digits. */
const digits = (length: number): string => Array.from({ length }, () => String(randomInt(10))).join('');

const keyLifeMs = 60 * 60_000;

export function routesOf(host: SandboxHost) {
  const keys = host.store.collection<AuthKey>('bpoint/authkey');
  const tokens = host.store.collection<Token>('bpoint/token');
  const txns = host.store.collection<Txn>('bpoint/txn');

  const openKey = (of: AuthKey['of'], id: string): AuthKey => {
    const key = keys.get(id);
    if (key === undefined || key.of !== of || key.until < host.clock.now()) throw notFound();
    if (key.used) throw invalidFlow('The auth key was processed already');
    return key;
  };
  const newKey =
    (of: AuthKey['of']) =>
    ({ turn, account, body }: Call): Answer => {
      const token = textIn(body, 'token');
      if (token !== undefined && tokens.get(token)?.account !== account) throw notFound();
      const authkey = `ak-${random(32)}`;
      const until = host.clock.now() + keyLifeMs;
      turn.tx.put(keys, authkey, { of, account, until, ...(token === undefined ? {} : { token }) });
      return json(201, { authkey });
    };
  const attach =
    (of: AuthKey['of']) =>
    ({ turn, body, variables: [id = ''] }: Call): Answer => {
      const key = openKey(of, id);
      const token = textIn(body, 'token');
      const known = token === undefined ? undefined : tokens.get(token);
      if (token !== undefined && known?.account !== key.account) throw notFound();
      const method = known === undefined ? readMethod(body) : { ...known.method, token: known.token };
      turn.tx.put(keys, id, { ...key, method });
      return json(200, { ...shown(method), accepted: true, surcharge: 0 });
    };

  /** The cents are the answer, as in the provider's test mode; bills of the demo world are for any cents, and are paid. */
  function bankSays(account: string, method: Method, amount: number): string {
    return method.bankCode ?? (account.startsWith('demo') ? '00' : String(amount % 100).padStart(2, '0'));
  }

  function settleTxn(call: Call, details: Json, method: Method): Txn {
    const { turn, account } = call;
    const amount = Number(details['amount']);
    const bank = bankSays(account, method, amount);
    const code = groupOf(bank);
    const txnNumber = `10${digits(12)}`;
    const plan = planOf(turn, {}, amount);
    const taken = code === '0' ? (plan.captures ?? amount) : amount;
    const txn: Txn = {
      txnNumber,
      account,
      receiptNumber: txnNumber,
      action: 'Payment',
      merchantReference: textIn(details, 'merchantReference') ?? null,
      crn1: String(details['crn1']),
      crn2: textIn(details, 'crn2') ?? null,
      currency: String(details['currency']),
      amount: taken,
      amountOriginal: taken,
      amountSurcharge: 0,
      responseCode: code,
      responseText: textOf(code),
      bankResponseCode: bank,
      processedDateTime: new Date(host.clock.now()).toISOString(),
      paymentMethod: shown(method),
      cvnResult: { code: method.cvn ?? 'S' },
      isTestTxn: true,
      refunded: 0,
      at: host.clock.now(),
    };
    turn.tx.put(txns, txnNumber, txn);
    if (code === '0') {
      const movement = {
        gateway,
        reference: txn.merchantReference,
        idempotencyKey: null,
        metadata: {},
        remote: txnNumber,
        movement: txnNumber,
        account,
        minor: taken,
        currency: txn.currency,
      };
      for (const later of recordCharge(turn, movement, { plan, disputed: undefined }))
        if (later.task === 'dispute')
          host.scheduler.schedule(turn.tx, gateway, later.afterMs, 'return', { txn: txnNumber });
    }
    queueEvent(turn, { gateway, account, id: txnNumber, type: 'transaction' });
    return txn;
  }

  const processTxn = (call: Call): Answer => {
    const [id = ''] = call.variables;
    const key = openKey('txns', id);
    if (key.method === undefined) throw invalidFlow('No payment method is attached');
    if (key.details === undefined) throw invalidFlow('The transaction has no details');
    if ('surcharge' in call.body) throw invalidField('surcharge', 'surcharge is not expected here');
    const hook = textIn(object(call.body['webhook']), 'url');
    if (hook !== undefined && !hook.startsWith('https://'))
      throw invalidField('webhook.url', 'must be https');
    call.turn.tx.put(keys, id, { ...key, used: true });
    return json(200, { txn: publicTxn(settleTxn(call, key.details, key.method)) });
  };

  const publicTxn = ({ account: _account, refunded: _refunded, at: _at, ...txn }: Txn) => txn;

  const putDetails = ({ turn, body, variables: [id = ''] }: Call): Answer => {
    const key = openKey('txns', id);
    for (const name of ['action', 'type', 'subType', 'currency', 'crn1']) need(body, name);
    const amount = body['amount'];
    if (!Number.isInteger(amount) || Number(amount) <= 0)
      throw invalidField('amount', 'amount must be a whole number of the lowest denomination');
    if (body['testMode'] !== true)
      throw new Refusal(403, 'InvalidPermissions', 'Only test transactions here');
    turn.tx.put(keys, id, { ...key, details: body });
    return json(201, undefined);
  };

  const followUp = (call: Call): Answer => {
    const { turn, account, body } = call;
    const original = txns.get(need(body, 'originalTxnNumber'));
    const amount = Number(body['amount']);
    const isReversal = body['action'] === 'Reversal';
    const left = original === undefined ? 0 : original.amount - original.refunded;
    const code =
      original === undefined || original.account !== account
        ? 'PT_R1'
        : original.responseCode !== '0'
          ? 'PT_R2'
          : isReversal && original.refunded === original.amount
            ? 'PT_R8'
            : isReversal && amount !== original.amount
              ? 'PT_R15'
              : left === 0
                ? 'PT_R4'
                : amount > left
                  ? 'PT_R5'
                  : '0';
    const txnNumber = `20${digits(12)}`;
    const txn: Txn = {
      txnNumber,
      account,
      action: String(body['action']),
      merchantReference: textIn(body, 'merchantReference') ?? null,
      originalTxnNumber: textIn(body, 'originalTxnNumber'),
      crn1: need(body, 'crn1'),
      currency: need(body, 'currency'),
      amount,
      amountSurcharge: 0,
      responseCode: code,
      responseText: code === '0' ? 'Approved' : 'Refused',
      bankResponseCode: code === '0' ? '00' : null,
      processedDateTime: new Date(host.clock.now()).toISOString(),
      paymentMethod: null,
      refunded: 0,
      at: host.clock.now(),
    };
    turn.tx.put(txns, txnNumber, txn);
    if (code === '0' && original !== undefined) {
      const of = { movement: original.txnNumber, taken: original.amount, refunded: original.refunded };
      const refund = {
        gateway,
        reference: txn.merchantReference,
        idempotencyKey: null,
        metadata: {},
        remote: original.txnNumber,
        movement: txnNumber,
        account,
        minor: amount,
        currency: txn.currency,
      };
      const refunded = recordRefund(turn, of, refund, false);
      turn.tx.put(txns, original.txnNumber, { ...original, refunded });
    }
    return json(200, publicTxn(txn));
  };

  const tokenBody = ({ token, crn1, emailAddress, method }: Token) => ({
    token,
    crn1,
    emailAddress,
    paymentMethod: shown({ ...method, token }),
  });
  const tokenOf = (account: string, id: string): Token => {
    const token = tokens.get(id);
    if (token === undefined || token.account !== account) throw notFound();
    return token;
  };
  const processToken = ({ turn, account, variables: [id = ''] }: Call): Answer => {
    const key = openKey('tokens', id);
    if (key.method === undefined) throw invalidFlow('No payment method is attached');
    if (key.details === undefined) throw invalidFlow('The token has no details');
    const token = key.token ?? `5999999${digits(9)}`;
    const made: Token = {
      token,
      account,
      crn1: String(key.details['crn1']),
      emailAddress: textIn(key.details, 'emailAddress') ?? null,
      method: key.method,
    };
    turn.tx.put(tokens, token, made);
    turn.tx.put(keys, id, { ...key, used: true });
    queueEvent(turn, { gateway, account, id: token, type: 'token' });
    return json(200, { token: tokenBody(made) });
  };

  const page = <T>(
    all: readonly T[],
    body: Json,
    atMost = Number.POSITIVE_INFINITY,
  ): { rows: T[]; continueFrom: string | null } => {
    const from = Number(body['continueFrom'] ?? 0);
    const most = Math.min(Number(body['numberOfRecords'] ?? 50), atMost);
    const rows = all.slice(from, from + most);
    return { rows, continueFrom: from + most < all.length ? String(from + most) : null };
  };

  const routes: readonly Route[] = [
    { method: 'POST', path: '/txns/authkeys', run: newKey('txns') },
    { method: 'PUT', path: '/txns/authkeys/:key/txn-details', run: putDetails },
    { method: 'PUT', path: '/txns/authkeys/:key/payment-method', browser: true, run: attach('txns') },
    { method: 'POST', path: '/txns/authkeys/:key/process', operation: 'charge', run: processTxn },
    { method: 'POST', path: '/txns', operation: 'refund', run: followUp },
    {
      method: 'POST',
      path: '/txns/search',
      operation: 'find',
      run({ turn, account, body }) {
        const search = searchOf(turn, textIn(body, 'merchantReference'));
        const [from = '', to = '9999'] = [textIn(body, 'fromDate'), textIn(body, 'toDate')];
        const all = [...txns.newest()].filter((txn) => {
          const day = new Date(txn.at).toISOString().slice(0, 10);
          return txn.account === account && search.fits(txn.merchantReference) && day >= from && day <= to;
        });
        const { rows, continueFrom } = page(all.map(publicTxn), body, search.most);
        return json(200, { resultCount: all.length, continueFrom, transactions: rows });
      },
    },
    {
      method: 'GET',
      path: '/txns/:number',
      operation: 'find',
      run({ account, variables: [number = ''] }) {
        const txn = txns.get(number);
        if (txn === undefined || txn.account !== account) throw notFound();
        return json(200, publicTxn(txn));
      },
    },
    { method: 'POST', path: '/tokens/authkeys', run: newKey('tokens') },
    {
      method: 'PUT',
      path: '/tokens/authkeys/:key/token-details',
      run({ turn, body, variables: [id = ''] }) {
        const key = openKey('tokens', id);
        need(body, 'crn1');
        turn.tx.put(keys, id, { ...key, details: body });
        return json(201, undefined);
      },
    },
    { method: 'PUT', path: '/tokens/authkeys/:key/payment-method', browser: true, run: attach('tokens') },
    { method: 'POST', path: '/tokens/authkeys/:key/process', operation: 'save', run: processToken },
    {
      method: 'POST',
      path: '/tokens/search',
      run({ account, body }) {
        const all = [...tokens.newest()].filter(
          (one) => one.account === account && one.crn1 === body['crn1'],
        );
        const { rows, continueFrom } = page(all.map(tokenBody), body);
        return json(200, { resultCount: all.length, continueFrom, tokens: rows });
      },
    },
    {
      method: 'GET',
      path: '/tokens/:token',
      run: ({ account, variables: [id = ''] }) => json(200, tokenBody(tokenOf(account, id))),
    },
    {
      method: 'PUT',
      path: '/tokens/:token',
      run({ turn, account, body, variables: [id = ''] }) {
        const token = tokenOf(account, id);
        const { card } = token.method;
        if (card === undefined) throw invalidField('card', 'the token is of no card');
        const { expiry, name } = object(body['card']);
        const changed = { ...card, ...object({ expiry: expiry ?? card.expiry, name: name ?? card.name }) };
        const next: Token = {
          ...token,
          method: { ...token.method, card: changed as NonNullable<Method['card']> },
        };
        turn.tx.put(tokens, id, next);
        return json(200, tokenBody(next));
      },
    },
    {
      method: 'DELETE',
      path: '/tokens/:token',
      run({ turn, account, variables: [id = ''] }) {
        tokenOf(account, id);
        turn.tx.remove(tokens, id);
        return json(200, undefined);
      },
    },
  ];
  return { routes, keys, txns, publicTxn, tokens, tokenBody };
}
