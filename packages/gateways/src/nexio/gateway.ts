/** One reseller's Nexio account behind the gateway port. */
import * as z from 'zod/mini';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type {
  CancelResult,
  Charge,
  Gateway,
  GatewayState,
  LookupResult,
  LookupStrategy,
  MethodKind,
  Outcome,
  SaveState,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { type Answer, type Nexio, nexio, notAttempted } from './client.ts';
import { manifest, type NexioRole, type NexioSettings } from './manifest.ts';
import {
  collect,
  daysAround,
  listCharges,
  listReversals,
  lookupRefund,
  payment,
  refundWith,
} from './refunds.ts';
import { deleteToken, prepareEntry, savedMethods, tokensOf, vaulted } from './saved-methods.ts';
import { readWebhook, resolveEvent } from './webhook.ts';
import {
  isFailed,
  outcomeOf,
  type PaymentReply,
  paymentReply,
  processRequest,
  type RowReply,
  rowOf,
  shownOf,
  statusOf,
  traceReply,
} from './wire.ts';

const whoAmI = z.object({});

export function createGateway(context: GatewayContext<NexioSettings, NexioRole>): Gateway {
  const api = nexio(context);
  return {
    capabilities: { ...manifest.capabilities, currencies: [context.config.currency] },
    async verifyCredentials() {
      const answer = await api.call({ method: 'GET', path: '/user/v3/account/whoAmI', schema: whoAmI });
      if (answer.is === 'ok') return { ok: true, rights: [] };
      const isVerdict = answer.is === 'refused' && answer.why === 'config';
      const why = answer.detail;
      return { ok: false, rights: [], why, ...(isVerdict ? {} : { unreachable: true as const }) };
    },
    charge: (charge, saveState) => chargeWith(api, charge, saveState),
    prepareEntry: (request) => prepareEntry(api, request),
    lookup: (charge, state, strategy) => lookup(api, charge, state, strategy),
    lookupByRemoteId: (charge, remote) =>
      String(remote) === charge.ref
        ? byScan(api, charge, {})
        : Promise.resolve({ is: 'inconclusive', why: 'it carries another order number' }),
    handleReturn: (charge, state) => afterwards(api, charge, state),
    cancel: (charge, state) => cancel(api, charge, state),
    async cleanUp({ ref }, { temporary }) {
      // Of a card that was saved for this payment alone the answer may have been lost: it carries our reference.
      const tokens = temporary === undefined ? await tokensOf(api, ref) : [temporary];
      for (const token of tokens)
        if (!(await deleteToken(api, token)))
          throw new Error('the token of a single payment could not be removed');
    },
    refund: (refund) => refundWith(api, refund),
    lookupRefund: (refund) => lookupRefund(api, refund),
    ...savedMethods(api),
    parseWebhook: (raw, headers) => readWebhook(raw, headers, context.config.webhookSecret),
    resolveEvent: (event) => resolveEvent(api, event),
    listReversals: (charge, state) => listReversals(api, charge, state),
    listCharges: (since) => listCharges(api, since),
  };
}

// ---- Charging ----

/** What pays, as the vault knows it; `temporary` where it is removed once the payment has ended. */
interface Paying {
  readonly token: string;
  readonly kind: MethodKind;
  readonly temporary?: string;
  readonly shown?: Readonly<Record<string, string>>;
}

async function chargeWith(api: Nexio, charge: Charge, saveState: SaveState): Promise<Outcome> {
  const paying = await payingOf(api, charge);
  if ('is' in paying) return paying;
  const { token, kind, temporary, shown } = paying;
  const state = { processing: kind, ...(temporary && { temporary }) };
  try {
    await saveState(state);
  } catch (error) {
    return { is: 'notAttempted', why: 'unreachable', detail: `not kept: ${String(error)}` };
  }
  const { ref, amount, labels, owner, returnTo, initiator } = charge;
  const isPresent = initiator === 'customer';
  const body = processRequest(
    api.config,
    { ref, amount, customer: labels.customer, invoice: labels.invoice, owner, returnTo, isPresent },
    { token, kind },
  );
  const path = kind === 'bank' ? '/pay/v3/processECheck' : '/pay/v3/process';
  const answer = await api.call({ method: 'POST', path, body, schema: paymentReply, kind });
  return processed(answer, { ref, amount, kind }, state, { shown, isSaved: temporary === undefined });
}

async function payingOf(api: Nexio, charge: Charge): Promise<Paying | Outcome> {
  const { source, owner } = charge;
  if (source === 'lost') throw new TypeError('a charge whose method is lost can only be looked for');
  if ('saved' in source) {
    const { token = '', kind } = source.saved;
    return { token, kind: kind === 'bank' ? 'bank' : 'card' };
  }
  if (source.debit !== undefined) {
    destroySecrets(source);
    return { is: 'notAttempted', why: 'invalid', detail: 'an account is debited once it is saved' };
  }
  // Of a number that was encrypted for us no entry was made: its token is made now.
  const customerRef = source.entry?.['ref'] ?? charge.ref;
  const entered = await vaulted(api, source, 'card', { customerRef, owner });
  switch (entered.is) {
    case 'vaulted': {
      const { token, reply } = entered;
      return { token, kind: 'card', temporary: token, shown: shownOf(reply) };
    }
    case 'refused':
      return { is: 'declined', why: entered.why };
    case 'unknown':
      // A card was kept, at the most: no money was asked for.
      return { is: 'notAttempted', why: 'unreachable', detail: entered.evidence };
    case 'notAttempted':
      return entered;
  }
}

function processed(
  answer: Answer<PaymentReply>,
  asked: Parameters<typeof outcomeOf>[2],
  state: GatewayState,
  { shown, isSaved }: { readonly shown: Paying['shown']; readonly isSaved: boolean },
): Outcome {
  switch (answer.is) {
    case 'ok':
      return readPayment(answer.value, asked, state, shown);
    case 'declined':
      return { is: 'declined', why: answer.why, ...(shown && { shown }) };
    case 'refused':
      if (answer.why === 'notFound' && isSaved)
        return { is: 'notAttempted', why: 'methodGone', detail: answer.detail };
      return notAttempted(answer);
    case 'notSent':
      return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail, state };
  }
}

function readPayment(
  reply: PaymentReply,
  asked: Parameters<typeof outcomeOf>[2],
  before: GatewayState,
  shown: Paying['shown'],
): Outcome {
  const { id, asyncTraceId, redirectUrl, transactionStatus, amount, data } = reply;
  const state = { ...before, ...(id && { id }), ...(asyncTraceId && { trace: asyncTraceId }) };
  // Instead of all else: the card's bank asks the payer.
  if (redirectUrl && asyncTraceId) {
    if (!/^https?:\/\//.test(redirectUrl))
      return { is: 'unknown', evidence: 'a redirect to no web address', state };
    const waiting = { ...state, redirect: redirectUrl };
    return { is: 'requiresAction', action: { do: 'redirect', to: redirectUrl }, state: waiting };
  }
  const currency = reply.currency ?? data?.currency ?? asked.amount.currency;
  if (currency !== asked.amount.currency)
    return { is: 'unknown', evidence: `answered in ${currency}`, state };
  const outcome = outcomeOf(transactionStatus ?? '', amount ?? data?.amount, asked, state);
  if (outcome.is === 'closed') return { is: 'unknown', evidence: 'voided at once', state };
  return shown && (outcome.is === 'succeeded' || outcome.is === 'pending') ? { ...outcome, shown } : outcome;
}

// ---- Finding out ----

const kindOf = ({ source }: Charge, state: GatewayState | undefined): MethodKind =>
  (source !== 'lost' && 'saved' in source && source.saved['kind'] === 'bank') ||
  state?.['processing'] === 'bank'
    ? 'bank'
    : 'card';

const lookup = (
  api: Nexio,
  charge: Charge,
  state: GatewayState | undefined,
  { by }: LookupStrategy,
): Promise<LookupResult> =>
  by === 'scan' ? byScan(api, charge, state ?? {}) : byId(api, charge, state ?? {});

/** By the payment's id, where an answer gave one; of a 3-D Secure check by its trace. */
async function byId(api: Nexio, charge: Charge, state: GatewayState): Promise<LookupResult> {
  const { id, trace } = state;
  if (id !== undefined) return byPaymentId(api, charge, id, state);
  if (trace === undefined) return { is: 'inconclusive', why: 'its id is not known' };
  const path = `/pay/v3/transactionAsyncStatus/${encodeURIComponent(trace)}`;
  const answer = await api.call({ method: 'GET', path, schema: traceReply });
  if (answer.is !== 'ok') return { is: 'inconclusive', why: answer.detail };
  const { value } = answer;
  const found = value.paymentId ?? value.id;
  if (found) return byPaymentId(api, charge, found, { ...state, id: found });
  const status = statusOf(value.transactionStatus);
  if (isFailed(status))
    return outcomeOf(status, undefined, { ...charge, kind: kindOf(charge, state) }, state);
  const isOver = (value.history ?? []).some(({ step }) => step === 'finale');
  if (isOver)
    return { is: 'inconclusive', why: `3-D Secure has ended without a payment: ${status || '(none)'}` };
  return { is: 'requiresAction', action: { do: 'redirect', to: state['redirect'] ?? '' }, state };
}

async function byPaymentId(
  api: Nexio,
  charge: Charge,
  id: string,
  state: GatewayState,
): Promise<LookupResult> {
  const answer = await payment(api, id);
  if (answer.is === 'refused' && answer.why === 'notFound') {
    // For up to a minute it is not shown, which proves nothing: an account's debit was accepted with this id.
    return kindOf(charge, state) === 'bank'
      ? { is: 'pending', because: 'bank', remote: remoteId(charge.ref), state }
      : { is: 'absent', proven: false };
  }
  if (answer.is !== 'ok') return { is: 'inconclusive', why: answer.detail };
  const order = answer.value.customer?.orderNumber;
  if (order && order !== charge.ref) return { is: 'inconclusive', why: 'it carries another order number' };
  return readRow(charge, answer.value, { ...state, id });
}

function readRow(charge: Charge, row: RowReply, state: GatewayState): LookupResult {
  const id = state['id'] ?? row.plugin?.originalId ?? undefined;
  const asked = { ref: charge.ref, amount: charge.amount, kind: kindOf(charge, state) };
  const found = outcomeOf(statusOf(row.transactionStatus), row.amount, asked, {
    ...state,
    ...(id && { id }),
  });
  return found.is === 'unknown' ? { is: 'inconclusive', why: found.evidence } : found;
}

/** Searches for our order number: by itself, and where that brings nothing among all payments of these days. */
async function byScan(api: Nexio, charge: Charge, state: GatewayState): Promise<LookupResult> {
  const { ref, sentAt } = charge;
  const filters = [{ 'customer.orderNumber': ref }, { transactionDate: daysAround(sentAt, api.now()) }];
  try {
    for (const filter of filters) {
      const row = rowOf(await collect(api.rows(filter)), ref);
      if (row !== undefined) return readRow(charge, row, state);
    }
  } catch (error) {
    return { is: 'inconclusive', why: error instanceof Error ? error.message : 'the list could not be read' };
  }
  return { is: 'absent', proven: false };
}

async function afterwards(api: Nexio, charge: Charge, state: GatewayState): Promise<LookupResult> {
  const found = await byId(api, charge, state);
  return found.is === 'inconclusive' || found.is === 'absent' ? byScan(api, charge, state) : found;
}

/** Nothing ends what has been sent; what was never sent cannot capture. */
async function cancel(api: Nexio, charge: Charge, state: GatewayState | undefined): Promise<CancelResult> {
  if (state?.['processing'] === undefined) return { is: 'closed' };
  const found = await afterwards(api, charge, state);
  return found.is === 'requiresAction' ? { is: 'cannotCancel' } : found;
}
