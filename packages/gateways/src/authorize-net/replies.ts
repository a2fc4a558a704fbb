/**
 * What Authorize.Net answers, as outcomes. Pure. Nearly every answer is HTTP 200, and `resultCode` alone says nothing: a decline
 * can come with Ok, a repeated void comes with Ok and response code 1.
 */
import * as z from 'zod/mini';
import { redact } from '../kit/redact.ts';
import type { Decline, ListedCharge, LookupResult, MethodKind, Outcome } from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { amountFromWire, type ChargeState, intoState, labelsIn } from './wire.ts';

/** A list that may come as its only element, or not at all. */
const listOf = <Schema extends z.ZodMiniType>(item: Schema) =>
  z.pipe(
    z.transform((value: unknown) => {
      if (value === undefined || value === null || value === '') return [];
      return Array.isArray(value) ? value : [value];
    }),
    z.array(item),
  );
const text = z.nullish(z.union([z.string(), z.pipe(z.number(), z.transform(String))]));
const decimal = z.nullish(z.union([z.string(), z.number()]));

export const envelope = z.looseObject({
  messages: z.looseObject({
    resultCode: z.string(),
    message: listOf(z.looseObject({ code: z.string(), text: text })),
  }),
});

const transaction = z.looseObject({
  responseCode: text,
  transId: text,
  testRequest: text,
  accountNumber: text,
  accountType: text,
  messages: z.optional(listOf(z.looseObject({ code: text }))),
  errors: z.optional(listOf(z.looseObject({ errorCode: text, errorText: text }))),
  prePaidCard: z.nullish(z.looseObject({ approvedAmount: decimal })),
});

export const chargeReply = z.looseObject({
  ...envelope.shape,
  refId: text,
  transactionResponse: z.nullish(transaction),
});
export type ChargeReply = z.output<typeof chargeReply>;

const maskedPayment = z.looseObject({
  creditCard: z.nullish(z.looseObject({ cardNumber: text, expirationDate: text, cardType: text })),
  bankAccount: z.nullish(
    z.looseObject({
      accountType: text,
      routingNumber: text,
      accountNumber: text,
      nameOnAccount: text,
      echeckType: text,
      bankName: text,
    }),
  ),
});
export type MaskedPayment = z.output<typeof maskedPayment>;

export const detailsReply = z.looseObject({
  ...envelope.shape,
  transrefId: text,
  transaction: z.looseObject({
    transId: z.string(),
    refTransId: text,
    submitTimeUTC: text,
    transactionType: text,
    transactionStatus: z.string(),
    responseReasonCode: text,
    authAmount: decimal,
    settleAmount: decimal,
    order: z.nullish(z.looseObject({ invoiceNumber: text, description: text })),
    payment: z.nullish(maskedPayment),
    returnedItems: z.optional(listOf(z.looseObject({ id: text, code: text, dateUTC: text }))),
  }),
});
export type DetailsReply = z.output<typeof detailsReply>;

export const listReply = z.looseObject({
  ...envelope.shape,
  transactions: z.optional(
    listOf(
      z.looseObject({
        transId: z.string(),
        transactionStatus: text,
        submitTimeUTC: text,
        invoiceNumber: text,
      }),
    ),
  ),
});
export const batchesReply = z.looseObject({
  ...envelope.shape,
  batchList: z.optional(listOf(z.looseObject({ batchId: z.string(), settlementTimeUTC: z.string() }))),
});
export const merchantReply = z.looseObject({
  ...envelope.shape,
  isTestMode: z.nullish(z.boolean()),
  currencies: z.optional(listOf(z.string())),
  publicClientKey: text,
});

export const paymentProfileReply = z.looseObject({
  customerPaymentProfileId: z.string(),
  defaultPaymentProfile: z.nullish(z.union([z.boolean(), z.string()])),
  customerType: text,
  billTo: z.nullish(z.record(z.string(), z.unknown())),
  payment: maskedPayment,
});
export type PaymentProfileReply = z.output<typeof paymentProfileReply>;

export const profileReply = z.looseObject({
  ...envelope.shape,
  profile: z.looseObject({
    customerProfileId: z.string(),
    merchantCustomerId: text,
    paymentProfiles: z.optional(listOf(paymentProfileReply)),
  }),
});
export const oneMethodReply = z.looseObject({
  ...envelope.shape,
  paymentProfile: paymentProfileReply,
});
export const createdReply = z.looseObject({
  ...envelope.shape,
  customerProfileId: text,
  customerPaymentProfileId: text,
  validationDirectResponse: text,
});

// ---- Codes of the API ----

const unclear = new Set(['E00001', 'E00049', 'E00053', 'E00104']);
const configCodes = new Set(
  ['05', '06', '07', '08', '09', '10', '11', '44'].map((code) => `E000${code}`).concat('E00116'),
);
const goneCodes = new Set(['E00040', 'E00098', 'E00121']);
const nonceCodes = new Set(['E00114', 'E00115']);
const ours = new Set([
  ...['02', '03', '04', '13', '14', '15', '16', '29', '39', '41', '51'].map((code) => `E000${code}`),
  ...['88', '89', '90', '91', '92', '93', '94', '95'].map((code) => `E000${code}`),
]);

/** The first code of an answer, and its text for the log, redacted: the service quotes what it refuses. */
export function faultOf(reply: z.output<typeof envelope>): {
  readonly code: string;
  readonly detail: string;
} {
  const [message] = reply.messages.message;
  const code = message?.code ?? '';
  return { code, detail: redact(`${code} ${message?.text ?? ''}`.trim()) };
}

/** An answer in which a request never became a transaction. @param isSaved a saved method was named */
export function outcomeOfCode(code: string, detail: string, isSaved: boolean): Outcome {
  if (configCodes.has(code)) return { is: 'notAttempted', why: 'config', detail };
  if (goneCodes.has(code)) return { is: 'notAttempted', why: isSaved ? 'methodGone' : 'invalid', detail };
  if (nonceCodes.has(code))
    return {
      is: 'declined',
      why: { class: 'fixInput', code, text: 'Please enter the payment details again' },
    };
  if (ours.has(code)) return { is: 'notAttempted', why: 'invalid', detail };
  return {
    is: 'unknown',
    evidence: unclear.has(code) ? detail : `an answer without a transaction: ${detail}`,
  };
}

// ---- Reason codes of a transaction ----

type Class = Decline['class'];
const cardWords = 'Your card was declined';
const rows: readonly (readonly [codes: string, kind: Class, text: string])[] = [
  ['2 3 45 250 251 254', 'otherMethod', cardWords],
  ['6 37 315', 'fixInput', 'Please check the card number'],
  ['7 316', 'fixInput', 'Please provide valid date'],
  ['8 317', 'fixInput', 'Your credit card has expired. Please add a new one and try again'],
  ['9', 'fixInput', 'Please check the routing number'],
  ['10', 'fixInput', 'Please check the account number'],
  ['17 28', 'otherMethod', 'This card type is not accepted. Please use another card'],
  ['27 127', 'fixInput', 'Address does not match'],
  ['44 65 78', 'fixInput', 'Please check the security code'],
  ['153 171 172 173 174 175', 'retryLater', 'Please try again in a few minutes'],
];
const declines = new Map(
  rows.flatMap(([codes, kind, words]) =>
    codes.split(' ').map((code) => [code, { class: kind, text: words }] as const),
  ),
);

/** A refusal by its reason. The bank of an account speaks of no card. */
export function declineOf(code: string, kind: MethodKind = 'card'): Decline {
  // 4: the bank wants the card kept, which its holder must not learn.
  if (code === '4') return { class: 'otherMethod', code, text: cardWords, final: true };
  const known = declines.get(code) ?? { class: 'otherMethod', text: cardWords };
  const words = kind === 'bank' && known.text === cardWords ? 'Your bank account was declined' : known.text;
  return { class: known.class, code, text: words };
}

/** A bank that returned a debit, by its Nacha code. */
export const returnedBy = (code: string): Decline => ({
  class: 'otherMethod',
  code,
  text: 'Your bank has returned the payment',
  // Unauthorised, revoked, or an account that cannot be debited: no second try.
  ...(/^R0[2-57-8]|^R10|^R16|^R20|^R29/.test(code) ? { final: true as const } : {}),
});

/** Its own void of a failed original did not work: possibly charged. */
export const possiblyCharged = new Set(['120', '121', '122', '152']);
const duplicates = new Set(['11', '318']);
const accountFaults = new Set(['13', '18', '289']);
/** Errors of processing, after which another try is advised: what became of this one is not said. */
const processing = new Set('19 20 21 22 23 25 26 36 57 58 59 60 61 62 63 181'.split(' '));

/**
 * Response code and reason of an answer to a transaction. Without a transaction the code is empty, and the reason that of the
 * API; `detail` is redacted.
 */
export function reasonOf(reply: ChargeReply): {
  readonly code: string;
  readonly reason: string;
  readonly detail: string;
} {
  const result = reply.transactionResponse;
  if (result === undefined || result === null || !result.responseCode) {
    const { code, detail } = faultOf(reply);
    return { code: '', reason: code, detail };
  }
  const code = result.responseCode;
  const reason = result.errors?.[0]?.errorCode ?? result.messages?.[0]?.code ?? '';
  return { code, reason, detail: `response ${redact(code)}, reason ${redact(reason)}` };
}

/** What came of a charge; `duplicate` names the original where it is known. */
export type ChargeReading =
  | { readonly is: 'outcome'; readonly outcome: Outcome }
  | { readonly is: 'duplicate'; readonly transId: string | undefined };

const methodKind = (accountType: string | null | undefined): MethodKind =>
  accountType === 'eCheck' ? 'bank' : 'card';

/** What the answer shows of the method: brand, last digits. */
function shownOf({
  accountNumber,
  accountType,
}: z.output<typeof transaction>): Readonly<Record<string, string>> {
  const last4 = (accountNumber ?? '').slice(-4);
  if (methodKind(accountType) === 'bank') return { type: 'ach', last4 };
  return { type: 'card', ...(accountType ? { brand: accountType } : {}), last4 };
}

/** The kind of method that an answer says was charged; undefined where it does not. */
export const kindCharged = (reply: ChargeReply): MethodKind | undefined => {
  const { accountType } = reply.transactionResponse ?? {};
  return accountType ? methodKind(accountType) : undefined;
};

/** The reading of an answer to a charge: response code first, then the reason. @param currency of the account */
export function readCharge(
  reply: ChargeReply,
  currency: string,
  asked: string,
  isSaved: boolean,
): ChargeReading {
  const { code, reason, detail: evidence } = reasonOf(reply);
  const result = reply.transactionResponse;
  const of = (outcome: Outcome): ChargeReading => ({ is: 'outcome', outcome });
  if (result === undefined || result === null || code === '')
    return of(outcomeOfCode(reason, evidence, isSaved));
  const transId = result.transId && result.transId !== '0' ? result.transId : undefined;
  const state: ChargeState = {
    ...(transId === undefined ? {} : { transId }),
    kind: methodKind(result.accountType),
    ...(result.accountNumber ? { masked: result.accountNumber } : {}),
  };
  const kept = intoState(state, {});
  const unknown = (more: ChargeState = {}): ChargeReading =>
    of({ is: 'unknown', evidence, state: intoState(state, more) });
  if (duplicates.has(reason)) return { is: 'duplicate', transId };
  if (result.testRequest === '1' || (code === '1' && transId === undefined))
    return of({ is: 'notAttempted', why: 'config', detail: 'the account is in Test Mode' });
  if (possiblyCharged.has(reason)) return unknown({ noReplay: reason });
  const remote = transId === undefined ? undefined : remoteId(transId);
  const shown = shownOf(result);
  switch (code) {
    case '1': {
      if (reason !== '1' || remote === undefined) return unknown();
      if (methodKind(result.accountType) === 'bank')
        return of({ is: 'pending', because: 'bank', remote, state: kept, shown });
      const captured = amountFromWire(asked, currency);
      return captured === undefined
        ? unknown()
        : of({ is: 'succeeded', remote, captured, state: kept, shown });
    }
    case '2':
      return of({
        is: 'declined',
        why: declineOf(reason, methodKind(result.accountType)),
        ...(remote === undefined ? {} : { remote }),
        shown,
      });
    case '4': {
      if (remote === undefined) return unknown();
      if (reason !== '295') return of({ is: 'pending', because: 'review', remote, state: kept, shown });
      const captured = amountFromWire(result.prePaidCard?.approvedAmount ?? undefined, currency);
      return captured === undefined || captured.minor <= 0n
        ? unknown()
        : of({ is: 'succeeded', remote, captured, state: kept, shown });
    }
    case '3':
      if (accountFaults.has(reason)) return of({ is: 'notAttempted', why: 'config', detail: evidence });
      if (declines.has(reason))
        return of({ is: 'declined', why: declineOf(reason, methodKind(result.accountType)), shown });
      // Without an id there is no transaction: our request was wrong (5, 15, 16, 33, 39, 47 and others).
      return transId === undefined && !processing.has(reason)
        ? of({ is: 'notAttempted', why: 'invalid', detail: evidence })
        : unknown();
    default:
      return unknown();
  }
}

// ---- Reporting ----

const paid = new Set([
  'capturedPendingSettlement',
  'pendingFinalSettlement',
  'pendingSettlement',
  'settledSuccessfully',
  'updatingSettlement',
  'approvedReview',
]);
const inReview = new Set(['underReview', 'FDSPendingReview', 'FDSAuthorizedPendingReview']);
const refused = new Set(['declined', 'expired', 'generalError', 'communicationError', 'failedReview']);

/** A charge by its details, as far as it took money or still may; what cannot be told is followed as what is on its way. */
export function listedFrom(details: DetailsReply, currency: string): ListedCharge | undefined {
  const { transId, transactionType, authAmount, settleAmount, submitTimeUTC, order, payment } =
    details.transaction;
  const ref = details.transrefId ?? order?.invoiceNumber ?? '';
  if (!isGatewayRef(ref) || transactionType?.startsWith('refund') === true) return undefined;
  const amount =
    amountFromWire(authAmount ?? undefined, currency) ?? amountFromWire(settleAmount ?? undefined, currency);
  const at = new Date(submitTimeUTC ?? '');
  if (amount === undefined || Number.isNaN(at.getTime())) throw new Error(`${transId} cannot be read`);
  const found = lookupFromDetails(details, currency);
  const kind: MethodKind = payment?.bankAccount ? 'bank' : 'card';
  const listed = { ref, amount, at, kind, labels: labelsIn(order?.description ?? '') };
  if (found.is === 'succeeded' || found.is === 'pending') return { ...listed, outcome: found };
  if (found.is !== 'unknown') return undefined;
  const unclear = { is: 'pending', because: 'gateway', remote: remoteId(transId) } as const;
  return { ...listed, outcome: { ...unclear, state: found.state ?? {} } };
}

/** What the details of a charge say about the money; a status nobody documented is `unknown`. */
export function lookupFromDetails({ transaction: found }: DetailsReply, currency: string): LookupResult {
  const { transId, transactionStatus: status, payment } = found;
  const remote = remoteId(transId);
  const kind: MethodKind = payment?.bankAccount ? 'bank' : 'card';
  const masked = payment?.creditCard?.cardNumber ?? payment?.bankAccount?.accountNumber;
  const state = intoState({ transId, kind, ...(masked ? { masked } : {}) }, {});
  const unknown: LookupResult = { is: 'unknown', evidence: `status ${redact(status)}`, state };
  const returned = found.returnedItems?.[0];
  const reason = found.responseReasonCode ?? '';
  const shown = {
    type: kind === 'bank' ? 'ach' : 'card',
    ...(payment?.creditCard?.cardType ? { brand: payment.creditCard.cardType } : {}),
    ...(masked ? { last4: masked.slice(-4) } : {}),
  };
  if (returned !== undefined || status === 'returnedItem')
    return { is: 'declined', why: returnedBy(returned?.code ?? 'returned'), remote, shown };
  // Approved is not paid for an account: its bank is asked at settlement.
  if (kind === 'bank' && paid.has(status) && status !== 'settledSuccessfully')
    return { is: 'pending', because: 'bank', remote, state, shown };
  if (paid.has(status)) {
    const captured =
      amountFromWire(found.settleAmount ?? undefined, currency) ??
      amountFromWire(found.authAmount ?? undefined, currency);
    return captured === undefined || captured.minor <= 0n
      ? unknown
      : { is: 'succeeded', remote, captured, state, shown };
  }
  if (inReview.has(status)) return { is: 'pending', because: 'review', remote, state, shown };
  if (status === 'voided') return { is: 'closed' };
  if (refused.has(status) && !possiblyCharged.has(reason))
    return { is: 'declined', why: declineOf(reason, kind), remote, shown };
  // Money may have moved, and no later look will tell: settlementError, couldNotVoid, a failed void of a failed original.
  const isStuck = status === 'settlementError' || status === 'couldNotVoid' || possiblyCharged.has(reason);
  return isStuck ? { ...unknown, needsPerson: true } : unknown;
}
