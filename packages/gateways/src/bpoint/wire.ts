/** What BPOINT (REST v5) is sent and what it answers. No network, no clock, no configuration. */
import { type Money, money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import type {
  Charge,
  Decline,
  ListedCharge,
  LookupResult,
  Method,
  Outcome,
  Refund,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';

const text = z.nullish(z.string());
const expiry = z.nullish(z.object({ month: text, year: text }));

const paymentMethod = z.nullish(
  z.object({
    token: text,
    card: z.nullish(z.object({ number: text, expiry, name: text, scheme: text })),
    bank: z.nullish(z.object({ bsb: text, account: text, name: text })),
  }),
);

/** A transaction; members that are not read are not checked. */
export const txnReply = z.object({
  txnNumber: text,
  action: text,
  merchantReference: text,
  originalTxnNumber: text,
  crn1: text,
  crn2: text,
  currency: text,
  amount: z.nullish(z.int()),
  amountSurcharge: z.nullish(z.int()),
  /** A text: `'0'` is approved. */
  responseCode: text,
  responseText: text,
  bankResponseCode: text,
  processedDateTime: text,
  paymentMethod,
});
export type TxnReply = z.output<typeof txnReply>;

export const processReply = z.object({ txn: txnReply });
export const searchReply = z.object({ transactions: z.array(txnReply), continueFrom: text });
export const authKeyReply = z.object({ authkey: z.string() });

export const tokenReply = z.object({ token: z.string(), crn1: text, emailAddress: text, paymentMethod });
export type TokenReply = z.output<typeof tokenReply>;
export const processedTokenReply = z.object({ token: tokenReply });

export const attachedReply = z.object({ accepted: z.nullish(z.boolean()) });

const errorObject = z.object({
  code: text,
  message: text,
  details: z.nullish(z.array(z.object({ code: text, message: text, field: text }))),
});
export type ErrorReply = z.output<typeof errorObject>;
const nested = z.object({ error: errorObject });
const listed = z.array(errorObject).check(z.minLength(1));

/** The error of an answer, whichever of its three shapes it has; undefined where it is none of them. */
export function readError(value: unknown): ErrorReply | undefined {
  const inList = z.safeParse(listed, value);
  if (inList.success) return inList.data[0];
  const inside = z.safeParse(nested, value);
  if (inside.success) return inside.data.error;
  const plain = z.safeParse(errorObject, value);
  return plain.success && (plain.data.code ?? plain.data.message) ? plain.data : undefined;
}

/** What a person reads of an error: the first detail, else the message. */
export const errorText = ({ details, message, code }: ErrorReply): string =>
  details?.[0]?.message || message || code || 'the request was refused';

// ---- Requests ----

/** References are searched by and printed: 50 characters of a small alphabet. */
export const reference = (text: string): string =>
  text.replace(/[^A-Za-z0-9 \-()|._/]/g, '').slice(0, CRN_LENGTH);

const CRN_LENGTH = 50;
/** Invoice numbers with another mark between them: the alphabet has no comma. As many as there is room for. */
const invoicesToWire = (invoice: string): string => reference(invoice.replaceAll(/\s*,\s*/g, '|'));
/** The other way round; a last number that was cut off is none. */
function invoicesFromWire(crn2: string): string {
  const numbers = crn2.split('|');
  return (crn2.length < CRN_LENGTH ? numbers : numbers.slice(0, -1)).join(',');
}

/**
 * Details of a payment, put to its auth key before it is processed. Our fee is inside the amount; no surcharge is sent.
 * `merchantReference` is what a search finds it by; `crn1` (the customer, whom a refund names again) and
 * `crn2` (the invoices) are for people to read.
 */
export function txnDetails(
  charge: Pick<Charge, 'ref' | 'amount' | 'initiator' | 'labels' | 'owner'>,
  about: { readonly testMode: boolean; readonly billerCode?: string | undefined; readonly isSaved: boolean },
) {
  const { ref, amount, initiator, labels, owner } = charge;
  return {
    action: 'Payment',
    type: 'Internet',
    subType: initiator === 'merchant' ? 'Recurring' : 'Single',
    amount: Number(amount.minor),
    currency: amount.currency,
    crn1: reference(labels.customer),
    crn2: invoicesToWire(labels.invoice),
    merchantReference: ref,
    tokenisationMode: 'None',
    storeCard: false,
    testMode: about.testMode,
    ...(about.billerCode && { billerCode: about.billerCode }),
    ...(owner?.email && { emailAddress: owner.email }),
    // A saved method is charged without its owner at a challenge.
    ...(about.isSaved && { bypass3ds: true }),
  };
}

export function refundDetails(refund: Refund, customer: string, about: { readonly testMode: boolean }) {
  return {
    action: 'Refund',
    type: 'Internet',
    subType: 'Single',
    originalTxnNumber: refund.of.remote,
    amount: Number(refund.amount.minor),
    currency: refund.amount.currency,
    crn1: customer,
    merchantReference: refund.ref,
    testMode: about.testMode,
  };
}

const day = (at: Date): string => at.toISOString().slice(0, 10);

/** A search of all transactions in days, or of those with our reference in the days around an attempt. */
export const searchBody = (ref: string | undefined, sentAt: Date, now: Date, continueFrom?: string) => ({
  ...(ref !== undefined && { merchantReference: ref }),
  fromDate: day(new Date(sentAt.getTime() - 24 * 60 * 60_000)),
  toDate: day(new Date(now.getTime() + 24 * 60 * 60_000)),
  numberOfRecords: 50,
  ...(continueFrom && { continueFrom }),
});

// ---- Outcomes ----

const declinedText = 'Your card was declined';
const decline = (why: Decline['class'], declineText: string, final?: true): Omit<Decline, 'code'> => ({
  class: why,
  text: declineText,
  ...(final && { final }),
});

/** Stolen and lost cards, pick-ups: never again with this method, and never said so. */
const neverAgain = new Set(['04', '07', '41', '43']);

/** Single codes of the bank that say more than their group. */
const byBank: Readonly<Record<string, Omit<Decline, 'code'>>> = {
  '14': decline('fixInput', 'Please check the card number'),
  '33': decline('fixInput', 'Your credit card has expired. Please add a new one and try again'),
  '54': decline('fixInput', 'Your credit card has expired. Please add a new one and try again'),
  '51': decline('retryLater', 'Insufficient funds'),
  '61': decline('otherMethod', 'Card limit reached, please use another method'),
};

/** Groups of `responseCode`: https://www.bpoint.com.au/developers */
const byCode: Readonly<Record<string, Omit<Decline, 'code'>>> = {
  '1': decline('otherMethod', declinedText),
  '2': decline('otherMethod', declinedText),
  '4': decline('fixInput', 'Your credit card has expired. Please add a new one and try again'),
  '5': decline('retryLater', 'Insufficient funds'),
  '7': decline('fixInput', 'Please check the details and try again'),
  '9': decline('otherMethod', declinedText, true),
  A: decline('retryLater', 'The payment was cancelled'),
  C: decline('retryLater', 'The payment was cancelled'),
  D: decline('retryLater', declinedText),
  E: decline('otherMethod', declinedText),
  F: decline('authenticate', 'Your bank could not confirm that it is you'),
  I: decline('fixInput', 'Please check the security code'),
  L: decline('otherMethod', declinedText),
  N: decline('otherMethod', declinedText),
  R: decline('otherMethod', 'Too many attempts. Please use another method'),
  U: decline('fixInput', 'Please check the security code'),
  PT_V4: decline('fixInput', 'Please check the card number'),
  PT_V5: decline('fixInput', 'Please check the expiry date'),
  PT_V6: decline('fixInput', 'Please check the security code'),
  PT_V13: decline('fixInput', 'Please check the BSB'),
  PT_V14: decline('fixInput', 'Please check the account number'),
  PT_V15: decline('fixInput', 'Please check the name of the account'),
  PT_V17: decline('otherMethod', 'Your account cannot be debited'),
  PT_V18: decline('otherMethod', declinedText),
};

/** Ours or the account's fault; nothing was sent to a bank. */
const config = new Set(['8', 'PT_V9', 'PT_V10', 'PT_V11', 'PT_V12', 'PT_T5']);
const invalid = new Set([
  'PT_V3',
  'PT_V16',
  'PT_V19',
  'PT_V20',
  'PT_R1',
  'PT_R2',
  'PT_R4',
  'PT_R5',
  'PT_R15',
]);
const methodGone = new Set(['PT_T1', 'PT_T2', 'PT_T3', 'PT_T6', 'PT_T7']);
/** Queue time-out before anything went to the bank. */
const notSent = new Set(['PT_E5']);

export const isBank = (txn: TxnReply): boolean => txn.paymentMethod?.bank != null;

/** How long the bank may return a debit before it counts as paid. */
export const DEBIT_SETTLES_MS = 3 * 24 * 60 * 60_000;

const codeOf = ({ responseCode, bankResponseCode }: TxnReply): string =>
  bankResponseCode ? `${responseCode}/${bankResponseCode}` : (responseCode ?? '');

export function declineOf(txn: TxnReply): Decline | undefined {
  const known = byBank[txn.bankResponseCode ?? ''] ?? byCode[txn.responseCode ?? ''];
  if (known === undefined) return undefined;
  const isFinal = known.final === true || neverAgain.has(txn.bankResponseCode ?? '');
  return { ...known, code: codeOf(txn), ...(isFinal && { final: true }) };
}

/**
 * What a transaction says. Only `'0'` is approval; a code that is not documented, none, and those that say the bank did not
 * answer are `unknown`, never a decline.
 * @param now to tell a debit that can still be returned
 */
export function outcomeOf(txn: TxnReply, asked: Money, now: Date, testMode: boolean): Outcome {
  const code = txn.responseCode ?? '';
  const evidence = `response code ${code || '(none)'}, bank ${txn.bankResponseCode ?? '-'}`;
  if (!txn.txnNumber) return { is: 'unknown', evidence: `without a number; ${evidence}` };
  const remote = remoteId(txn.txnNumber);
  const state = { txn: txn.txnNumber, ...(testMode && { testMode: '1' }) };
  if (code === '0') {
    const captured = money(BigInt(txn.amount ?? Number(asked.minor)), asked.currency);
    const shown = shownOf(txn.paymentMethod);
    if (isBank(txn) && !isSettled(txn, now)) return { is: 'pending', because: 'bank', remote, state, shown };
    return { is: 'succeeded', remote, captured, state, shown };
  }
  if (code === 'P') return { is: 'pending', because: 'gateway', remote, state };
  if (notSent.has(code)) return { is: 'notAttempted', why: 'unreachable', detail: evidence };
  if (config.has(code)) return { is: 'notAttempted', why: 'config', detail: evidence };
  if (methodGone.has(code)) return { is: 'notAttempted', why: 'methodGone', detail: evidence };
  if (invalid.has(code)) return { is: 'notAttempted', why: 'invalid', detail: evidence };
  const why = declineOf(txn);
  return why === undefined ? { is: 'unknown', evidence, state } : { is: 'declined', why, remote };
}

function isSettled({ processedDateTime }: TxnReply, now: Date): boolean {
  const at = Date.parse(processedDateTime ?? '');
  return Number.isFinite(at) && now.getTime() - at >= DEBIT_SETTLES_MS;
}

/** Of all transactions with our reference, the one that took the money, else the newest. Absence is never proven by a list. */
export function lookupOf(
  found: readonly TxnReply[],
  about: { readonly ref: string; readonly action: 'Payment' | 'Refund' },
  asked: Money,
  now: Date,
  testMode: boolean,
): LookupResult {
  const ours = found.filter((txn) => txn.merchantReference === about.ref && txn.action === about.action);
  const one = ours.find((txn) => txn.responseCode === '0') ?? ours[0];
  if (one === undefined) return { is: 'absent', proven: false };
  const outcome = outcomeOf(one, asked, now, testMode);
  // The list shows what the bank said: what we cannot read there will not be read there later.
  return outcome.is === 'unknown' ? { is: 'inconclusive', why: outcome.evidence } : outcome;
}

/** Where what comes of an auth key is told; nowhere unless the account names an address. */
export const hookOf = ({ webhookUrl }: { readonly webhookUrl?: string | undefined }): object =>
  webhookUrl === undefined ? {} : { webhook: { url: webhookUrl, version: 'v5' } };

/** A payment of a list, as far as it took money or still may; what cannot be told is followed as what is on its way. */
export function listedFrom(txn: TxnReply, now: Date, testMode: boolean): ListedCharge | undefined {
  const { txnNumber, amount, currency, processedDateTime, crn1, crn2 } = txn;
  const at = new Date(processedDateTime ?? '');
  if (txn.action !== 'Payment') return undefined;
  if (amount == null || !currency || !txnNumber || Number.isNaN(at.getTime()))
    throw new Error('a payment of the list cannot be read');
  const asked = money(BigInt(amount), currency);
  const read = outcomeOf(txn, asked, now, testMode);
  const isOver = read.is === 'declined' || read.is === 'notAttempted' || read.is === 'requiresAction';
  if (isOver) return undefined;
  const state = { ...read.state, ...(crn1 && { crn: crn1 }) };
  const ref = txn.merchantReference ?? '';
  return {
    ...(isGatewayRef(ref) && { ref }),
    amount: asked,
    kind: isBank(txn) ? 'bank' : 'card',
    at,
    labels: { customer: crn1 ?? '', invoice: invoicesFromWire(crn2 ?? '') },
    outcome:
      read.is === 'unknown'
        ? { is: 'pending', because: 'gateway', remote: remoteId(txnNumber), state }
        : { ...read, state },
  };
}

// ---- Methods ----

const lastDigits = (masked: string | null | undefined): string => /\d{2,4}$/.exec(masked ?? '')?.[0] ?? '';
const present = (fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/** What a screen may show. The mask leaves three digits at the end: they are shown as they are. */
export function shownOf(method: z.output<typeof paymentMethod>): Record<string, string> {
  const { card, bank } = method ?? {};
  if (bank)
    return present({
      type: 'bank',
      routing: bank.bsb,
      last4: lastDigits(bank.account),
      name: bank.name,
      number: bank.account,
    });
  if (!card) return {};
  const { month, year } = card.expiry ?? {};
  return present({
    type: 'card',
    brand: card.scheme,
    last4: lastDigits(card.number),
    number: card.number,
    name: card.name,
    expMonth: month,
    expYear: year && `20${year}`,
  });
}

/** A token of the vault as a saved method. */
export function methodOf(reply: TokenReply): Method {
  const show = shownOf(reply.paymentMethod);
  const { expMonth, expYear } = show;
  const email = reply.emailAddress;
  return {
    remote: remoteId(reply.token),
    state: { token: reply.token, ...(reply.crn1 && { crn: reply.crn1 }) },
    kind: reply.paymentMethod?.bank ? 'bank' : 'card',
    show: { ...show, ...(email && { email }) },
    ...(expMonth && expYear && { expires: `${expYear}-${expMonth}` }),
    usable: 'now',
  };
}
