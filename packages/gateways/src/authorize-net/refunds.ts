/** Before settlement a charge can only be voided, whole; after it, it can only be refunded. The charge's state says which. */
import { compareMoney, isZero } from '@counterfoil/domain/money/money.ts';
import { outcomeOfFault } from '../kit/http.ts';
import type { LookupResult, Outcome, Refund } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import {
  type Answer,
  ask,
  type Deps,
  findByInvoice,
  isOurs,
  ListNotRead,
  moneyTimeoutMs,
  notRead,
  readDetails,
} from './client.ts';
import { chargeReply, type DetailsReply, outcomeOfCode, readCharge, reasonOf } from './replies.ts';
import {
  amountFromWire,
  type MaskedMethod,
  readChargeState,
  refundRequest,
  voidRequest,
  wireAmount,
} from './wire.ts';

const invalid = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });

export type VoidEnd =
  | { readonly is: 'voided' | 'already' | 'settled' | 'unclear'; readonly detail: string }
  | { readonly is: 'refused'; readonly detail: string; readonly outcome: Outcome };

/** Voids what is not settled yet. @param ref of the refund this is; absent where a charge takes itself back */
export async function voidCharge(deps: Deps, transId: string, ref: string | undefined): Promise<VoidEnd> {
  const answer = await ask(
    deps,
    {
      method: 'createTransaction',
      ...(ref === undefined ? {} : { refId: ref }),
      body: { transactionRequest: voidRequest(transId) },
      timeoutMs: moneyTimeoutMs,
    },
    chargeReply,
  );
  if (answer.is === 'fault') {
    const { detail } = answer;
    return answer.reach === 'notSent'
      ? { is: 'refused', detail, outcome: outcomeOfFault('notSent', detail, undefined) }
      : { is: 'unclear', detail };
  }
  if (answer.is === 'refused') return { is: 'unclear', detail: answer.detail };
  const { code, reason, detail } = reasonOf(answer.value);
  // It says 1 for what was void before, too.
  if (code === '1') return { is: reason === '310' ? 'already' : 'voided', detail };
  if (code === '3' && reason === '16') return { is: 'settled', detail };
  if (code !== '') return { is: 'unclear', detail };
  const outcome = outcomeOfCode(reason, detail, false);
  return outcome.is === 'notAttempted' ? { is: 'refused', detail, outcome } : { is: 'unclear', detail };
}

const isWhole = ({ amount, of }: Refund): boolean =>
  isZero(of.refundedBefore) && compareMoney(amount, of.captured) === 0;

/** Statuses before settlement, in which a void takes everything back. */
const unsettled = new Set([
  'authorizedPendingCapture',
  'capturedPendingSettlement',
  'pendingSettlement',
  'pendingFinalSettlement',
  'approvedReview',
  'FDSPendingReview',
  'FDSAuthorizedPendingReview',
  'underReview',
]);

export async function refundOrVoid(deps: Deps, refund: Refund): Promise<Outcome> {
  if (refund.amount.currency !== deps.config.currency)
    return invalid(`the account takes ${deps.config.currency} only`);
  const answer = await readDetails(deps, refund.of.remote);
  // Only a read: nothing went back.
  if (answer.is === 'fault') return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
  if (answer.is === 'refused')
    return answer.code === 'E00011'
      ? withoutReading(deps, refund)
      : (refusedRead(answer) ?? invalid(answer.detail));
  const { transactionStatus: status } = answer.value.transaction;
  if (status === 'settledSuccessfully') return sendRefund(deps, refund, maskedOf(answer.value));
  if (status === 'voided') return invalid('already void');
  if (!unsettled.has(status)) return invalid(`it can neither be voided nor refunded: ${status}`);
  return isWhole(refund) ? voidIt(deps, refund, maskedOf(answer.value)) : notYet;
}

const refusedRead = ({ code, detail }: Extract<Answer<unknown>, { is: 'refused' }>): Outcome | undefined => {
  const outcome = outcomeOfCode(code, detail, false);
  return outcome.is === 'notAttempted' ? outcome : undefined;
};

const notYet = invalid('not settled yet: until then only the whole amount can be voided');

/** An account that may not read its transactions: what fails tells which of the two it had to be. */
function withoutReading(deps: Deps, refund: Refund): Promise<Outcome> {
  const { kind, masked } = readChargeState(refund.of.state);
  const method: MaskedMethod | undefined =
    kind === 'card' && masked !== undefined ? { kind, number: masked } : undefined;
  return isWhole(refund) ? voidIt(deps, refund, method) : sendRefund(deps, refund, method);
}

function maskedOf({ transaction: { payment } }: DetailsReply): MaskedMethod | undefined {
  const { creditCard, bankAccount } = payment ?? {};
  if (creditCard?.cardNumber) return { kind: 'card', number: creditCard.cardNumber };
  if (!bankAccount?.accountNumber) return undefined;
  return {
    kind: 'bank',
    accountType: bankAccount.accountType ?? 'checking',
    routing: bankAccount.routingNumber ?? '',
    account: bankAccount.accountNumber,
    name: bankAccount.nameOnAccount ?? '',
    echeckType: bankAccount.echeckType ?? 'WEB',
  };
}

async function voidIt(deps: Deps, refund: Refund, method: MaskedMethod | undefined): Promise<Outcome> {
  const end = await voidCharge(deps, refund.of.remote, refund.ref);
  switch (end.is) {
    case 'voided':
      // A void has no transaction of its own.
      return { is: 'succeeded', remote: refund.of.remote, captured: refund.amount, state: {} };
    case 'already':
      return invalid('already void');
    case 'settled':
      return sendRefund(deps, refund, method);
    case 'refused':
      return end.outcome;
    default:
      return { is: 'unknown', evidence: end.detail };
  }
}

async function sendRefund(deps: Deps, refund: Refund, method: MaskedMethod | undefined): Promise<Outcome> {
  if (method === undefined) return invalid('the last digits of what was charged are not known');
  const answer = await ask(
    deps,
    {
      method: 'createTransaction',
      refId: refund.ref,
      body: { transactionRequest: refundRequest(refund, method) },
      timeoutMs: moneyTimeoutMs,
    },
    chargeReply,
  );
  if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, undefined);
  if (answer.is === 'refused') return { is: 'unknown', evidence: answer.detail };
  const { reason } = reasonOf(answer.value);
  if (reason === '54') return isWhole(refund) ? voidNow(deps, refund) : notYet;
  const reading = readCharge(answer.value, deps.config.currency, wireAmount(refund.amount), false);
  if (reading.is === 'duplicate')
    return reading.transId === undefined
      ? { is: 'unknown', evidence: 'a duplicate of a refund that is not named' }
      : asOutcome(await byId(deps, refund, reading.transId));
  const { outcome } = reading;
  return outcome.is === 'declined' && outcome.remote === undefined
    ? invalid(`refused: ${outcome.why.code}`)
    : outcome;
}

/** It was read as settled, and is not: once more the other way, without a third. */
async function voidNow(deps: Deps, refund: Refund): Promise<Outcome> {
  const end = await voidCharge(deps, refund.of.remote, refund.ref);
  if (end.is === 'voided')
    return { is: 'succeeded', remote: refund.of.remote, captured: refund.amount, state: {} };
  if (end.is === 'unclear') return { is: 'unknown', evidence: end.detail };
  return invalid(`neither voided nor refunded: ${end.detail}`);
}

const asOutcome = (result: LookupResult): Outcome =>
  result.is === 'succeeded' || result.is === 'pending' || result.is === 'declined'
    ? result
    : { is: 'unknown', evidence: `a duplicate of a refund, which is ${result.is}` };

// ---- Finding out ----

async function byId(deps: Deps, refund: Refund, transId: string): Promise<LookupResult> {
  const answer = await readDetails(deps, transId);
  if (answer.is !== 'answer') return notRead(answer);
  if (!isOurs(answer.value, refund.ref))
    return { is: 'inconclusive', why: 'the transaction carries another reference' };
  return refundFromDetails(answer.value, deps.config.currency);
}

/** What the details of a refund say. */
export function refundFromDetails({ transaction }: DetailsReply, currency: string): LookupResult {
  const { transId, transactionStatus: status } = transaction;
  const [remote, state] = [remoteId(transId), { transId }];
  const captured =
    amountFromWire(transaction.settleAmount ?? undefined, currency) ??
    amountFromWire(transaction.authAmount ?? undefined, currency);
  const unknown: LookupResult = { is: 'unknown', evidence: `a refund with status ${status}`, state };
  switch (status) {
    case 'refundPendingSettlement':
      if (transaction.payment?.bankAccount) return { is: 'pending', because: 'bank', remote, state };
      return captured === undefined ? unknown : { is: 'succeeded', remote, captured, state };
    case 'refundSettledSuccessfully':
      return captured === undefined ? unknown : { is: 'succeeded', remote, captured, state };
    case 'voided':
      return { is: 'closed' };
    case 'declined':
    case 'generalError':
      return {
        is: 'declined',
        why: { class: 'otherMethod', code: status, text: 'The refund could not be delivered' },
        remote,
      };
    default:
      return unknown;
  }
}

/** A void is found by its effect; a refund in the lists, by its invoice number, which is our reference. */
export async function lookupRefund(deps: Deps, refund: Refund): Promise<LookupResult> {
  if (isWhole(refund)) {
    const charge = await readDetails(deps, refund.of.remote);
    if (charge.is !== 'answer') return notRead(charge);
    if (charge.value.transaction.transactionStatus === 'voided')
      return { is: 'succeeded', remote: refund.of.remote, captured: refund.amount, state: {} };
  }
  try {
    const [id] = await findByInvoice(deps, refund.ref, refund.sentAt);
    return id === undefined ? { is: 'absent', proven: false } : byId(deps, refund, id);
  } catch (fault) {
    if (fault instanceof ListNotRead) return fault.result;
    return { is: 'inconclusive', why: 'the lists could not be read' };
  }
}
