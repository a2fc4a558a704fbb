/** Charges, voids and refunds in the sandbox. */
import { faultOf } from '@counterfoil/sandbox/turn.ts';
import {
  avsByZip,
  declinedZip,
  declineReasons,
  mostDebit,
  mostDebitsOfMonth,
  partialMinor,
  partialZip,
  reviewReasons,
  words,
} from './data.ts';
import {
  AnetFault,
  type Body,
  bodyAt,
  type Call,
  contentsOf,
  decimal,
  gateway,
  has,
  iso,
  type Method,
  methodOf,
  minorOf,
  movementOf,
  nextId,
  now,
  planSettlement,
  Refused,
  recordCapture,
  type Txn,
  tell,
  textAt,
  voidTxn,
  type Work,
} from './work.ts';

interface Paying {
  readonly method: Method;
  readonly billTo: Body;
  readonly profile: Body;
}

/** @throws {AnetFault} */
function paying(work: Work, request: Body): Paying {
  if (!has(request, 'profile')) {
    const method = methodOf(work, bodyAt(request, 'payment'));
    return { method, billTo: bodyAt(request, 'billTo'), profile: {} };
  }
  if (has(request, 'payment'))
    throw new AnetFault('E00090', 'PaymentProfile cannot be sent with payment data.');
  if (has(request, 'billTo'))
    throw new AnetFault('E00093', 'PaymentProfile cannot be sent with billing data.');
  const wanted = bodyAt(request, 'profile');
  const profile = work.account.profiles.get(textAt(wanted, 'customerProfileId'));
  const id = textAt(bodyAt(wanted, 'paymentProfile'), 'paymentProfileId');
  const method = profile?.methods.find((one) => (id === '' ? one.isDefault : one.id === id));
  if (profile !== undefined && id === '' && method === undefined)
    throw new AnetFault('E00121', 'No default payment/shipping profile found.');
  if (profile === undefined || method === undefined)
    throw new AnetFault('E00040', 'Customer Profile ID or Customer Payment Profile ID not found.');
  return {
    method: method.method,
    billTo: method.billTo,
    profile: { customerProfileId: profile.id, customerPaymentProfileId: method.id },
  };
}

const settingOf = (request: Body, name: string): string | undefined => {
  const list = bodyAt(request, 'transactionSettings')['setting'];
  const found = (Array.isArray(list) ? (list as Body[]) : []).find((one) => one['settingName'] === name);
  return found === undefined ? undefined : textAt(found, 'settingValue');
};

/** @throws {Refused} 11; names the original where the request gives a window */
function refuseDuplicate(work: Work, request: Body, contents: string): void {
  const given = settingOf(request, 'duplicateWindow');
  const seconds = Math.min(Number(given ?? 120), 28_800);
  const same = [...work.account.txns.newest()].find(
    (one) => one.contents === contents && one.responseCode !== '2' && now(work) - one.at < seconds * 1000,
  );
  if (same !== undefined && seconds > 0) throw new Refused(11, given === undefined ? undefined : same.id);
}

/** Response code and reason of a charge, by its test data. */
function verdict(
  work: Work,
  { method, billTo }: Paying,
  minor: number,
): readonly [code: string, reason: number] {
  if (method.kind === 'bank') {
    const month = iso(now(work)).slice(0, 7);
    const sum = [...work.account.txns.newest()]
      .filter(
        (one) => one.method.kind === 'bank' && iso(one.at).startsWith(month) && one.responseCode === '1',
      )
      .reduce((total, one) => total + one.minor, minor);
    return minor > mostDebit || sum > mostDebitsOfMonth ? ['2', 2] : ['1', 1];
  }
  if (textAt(billTo, 'zip') === declinedZip) return ['2', 2];
  if (method.byAmount !== true || minor % 100 !== 0) return ['1', 1];
  const reason = minor / 100;
  if (reason === 1) return ['1', 1];
  if (reviewReasons.has(reason)) return ['4', reason];
  return [declineReasons.has(reason) ? '2' : '3', reason];
}

function charge(work: Work, request: Body, refId: string): Body {
  const { turn, account } = work;
  const amount = textAt(request, 'amount');
  if (minorOf(amount) === 0) throw new Refused(5);
  const currency = textAt(request, 'currencyCode');
  if (currency !== '' && currency !== account.currency) throw new Refused(39);
  const source = paying(work, request);
  if (account.id.startsWith('testmode')) return testMode(source.method);
  const { method, billTo } = source;
  if (method.kind === 'card' && method.expires < iso(now(work)).slice(0, 7)) throw new Refused(8);
  const contents = contentsOf(method, request, billTo);
  refuseDuplicate(work, request, contents);
  const asked = minorOf(amount);
  const [given, by] = verdict(work, source, asked);
  const fault = faultOf(turn, 'partial');
  const isPartial =
    given === '1' &&
    (fault !== undefined ||
      (textAt(billTo, 'zip') === partialZip && settingOf(request, 'allowPartialAuth') !== 'false'));
  const minor = isPartial ? Math.min(fault?.minor ?? partialMinor, asked) : asked;
  const [responseCode, reason] = isPartial ? ['4', 295] : [given, by];
  const isTaken = responseCode === '1' || isPartial;
  const order = bodyAt(request, 'order');
  const txn: Txn = {
    id: nextId(account.txns, 60_000_000_000),
    type: 'authCaptureTransaction',
    status: isTaken
      ? 'capturedPendingSettlement'
      : responseCode === '4'
        ? 'FDSPendingReview'
        : responseCode === '2'
          ? 'declined'
          : 'generalError',
    at: now(work),
    refId,
    invoice: textAt(order, 'invoiceNumber'),
    description: textAt(order, 'description'),
    minor,
    responseCode,
    reason,
    method: { ...method, cvvResult: 'P' },
    customerId: textAt(bodyAt(request, 'customer'), 'id'),
    profile: source.profile,
    refTransId: '',
    refundedMinor: 0,
    contents,
    batch: '',
    returned: [],
  };
  turn.tx.put(account.txns, txn.id, txn);
  if (isTaken) {
    if (method.kind === 'card') recordCapture(work, txn, minor);
    planSettlement(work, txn);
    tell(work, 'net.authorize.payment.authcapture.created', txn, refId);
    const selfVoid = faultOf(turn, 'self-void');
    if (selfVoid !== undefined)
      turn.host.scheduler.schedule(turn.tx, gateway, selfVoid.ms ?? 2000, 'void', {
        account: account.id,
        txn: txn.id,
      });
  } else if (responseCode === '4') tell(work, 'net.authorize.payment.fraud.held', txn, refId);
  return response(txn, textAt(billTo, 'zip'), method.cvvResult ?? 'P', isPartial ? asked : undefined);
}

/** An account in Test Mode: it looks approved, and nothing is kept. */
const testMode = ({ last4, brand }: Method): Body => ({
  transactionResponse: {
    responseCode: '1',
    authCode: '000000',
    transId: '0',
    testRequest: '1',
    accountNumber: `XXXX${last4}`,
    accountType: brand,
    messages: [{ code: '1', description: words[1] }],
  },
});

/** `transactionResponse` of what became a transaction; all of it text. */
function response(txn: Txn, zip: string, cvvResult: string, partialOf?: number): Body {
  const { responseCode, reason, method } = txn;
  const isRefused = responseCode === '2' || responseCode === '3';
  const text = words[reason] ?? 'The transaction was not approved.';
  return {
    transactionResponse: {
      responseCode,
      authCode: isRefused ? '' : 'Q1W2E3',
      avsResultCode: method.kind === 'bank' ? 'P' : (avsByZip[zip] ?? 'Y'),
      cvvResultCode: cvvResult,
      cavvResultCode: '2',
      transId: txn.id,
      refTransID: txn.refTransId,
      transHash: '',
      testRequest: '0',
      accountNumber: `XXXX${method.last4}`,
      accountType: method.brand,
      ...(isRefused
        ? { errors: [{ errorCode: String(reason), errorText: text }] }
        : { messages: [{ code: String(reason), description: text }] }),
      ...(partialOf === undefined
        ? {}
        : {
            splitTenderId: '115901',
            prePaidCard: { requestedAmount: decimal(partialOf), approvedAmount: decimal(txn.minor) },
          }),
      transHashSha2: '',
      ...(has(txn.profile, 'customerProfileId') ? { profile: txn.profile } : {}),
      networkTransId: digits(txn.id),
      SupplementalDataQualificationIndicator: 0,
      SupplementalDataQualificationIndicatorSpecified: true,
    },
  };
}
const digits = (id: string): string => `N${id}`;

const statusOf = (work: Work, request: Body): Txn => {
  const found = work.account.txns.get(textAt(request, 'refTransId'));
  if (found === undefined) throw new Refused(16);
  return found;
};

const unsettled = new Set(['capturedPendingSettlement', 'refundPendingSettlement', 'FDSPendingReview']);

function voidCall(work: Work, request: Body, refId: string): Body {
  const found = statusOf(work, request);
  if (found.status === 'voided') return response({ ...found, responseCode: '1', reason: 310 }, '', '');
  if (!unsettled.has(found.status)) throw new Refused(16);
  voidTxn(work, found, refId);
  return response({ ...found, responseCode: '1', reason: 1, refTransId: found.id }, '', '');
}

function refundCall(work: Work, request: Body, refId: string): Body {
  const { turn, account } = work;
  const original = statusOf(work, request);
  const payment = bodyAt(request, 'payment');
  const given =
    textAt(bodyAt(payment, 'creditCard'), 'cardNumber') ||
    textAt(bodyAt(payment, 'bankAccount'), 'accountNumber');
  if (original.status !== 'settledSuccessfully' || given.slice(-4) !== original.method.last4)
    throw new Refused(54);
  const contents = contentsOf(original.method, request, {});
  refuseDuplicate(work, request, contents);
  const minor = minorOf(textAt(request, 'amount'));
  if (minor === 0) throw new Refused(5);
  if (original.refundedMinor + minor > original.minor) throw new Refused(55);
  const txn: Txn = {
    ...original,
    id: nextId(account.txns, 60_000_000_000),
    type: 'refundTransaction',
    status: 'refundPendingSettlement',
    at: now(work),
    refId,
    invoice: textAt(bodyAt(request, 'order'), 'invoiceNumber'),
    minor,
    responseCode: '1',
    reason: 1,
    refTransId: original.id,
    contents,
    batch: '',
  };
  turn.tx.put(account.txns, txn.id, txn);
  const refundedMinor = original.refundedMinor + minor;
  turn.tx.put(account.txns, original.id, { ...original, refundedMinor });
  recordCapture(work, txn, minor, { ref: refId });
  turn.host.captures.change(turn.tx, movementOf(work, original), {
    refundedMinor,
    state: refundedMinor === original.minor ? 'refunded' : 'partially-refunded',
  });
  planSettlement(work, txn);
  tell(work, 'net.authorize.payment.refund.created', txn, refId);
  return response(txn, '', '');
}

export const createTransaction: Call = (work, body) => {
  const request = bodyAt(body, 'transactionRequest');
  const refId = textAt(body, 'refId');
  switch (textAt(request, 'transactionType')) {
    case 'authCaptureTransaction':
      return charge(work, request, refId);
    case 'voidTransaction':
      return voidCall(work, request, refId);
    case 'refundTransaction':
      return refundCall(work, request, refId);
    default:
      throw new AnetFault('E00013', 'The transaction type is not served by this sandbox.');
  }
};

/** A person at the merchant decides about what is held. */
export const updateHeld: Call = (work, body) => {
  const { turn, account } = work;
  const request = bodyAt(body, 'heldTransactionRequest');
  const found = statusOf(work, request);
  if (found.status !== 'FDSPendingReview') throw new Refused(16);
  const isApproved = textAt(request, 'action') === 'approve';
  const done = {
    ...found,
    status: isApproved ? 'capturedPendingSettlement' : 'declined',
    reason: isApproved ? 1 : 254,
  };
  turn.tx.put(account.txns, found.id, done);
  if (isApproved) {
    recordCapture(work, done, done.minor);
    planSettlement(work, done);
  }
  // It carries no reference of the request that was held.
  tell(work, `net.authorize.payment.fraud.${isApproved ? 'approved' : 'declined'}`, done, '');
  return response({ ...done, responseCode: '1', reason: 1 }, '', '');
};
