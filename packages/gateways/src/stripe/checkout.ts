/** The hosted page of Stripe that takes one payment: a Checkout Session. https://docs.stripe.com/api/checkout/sessions */
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type {
  CancelResult,
  Charge,
  LookupResult,
  LookupStrategy,
  Outcome,
  SaveState,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { askWithRepeats, keyFor, notKept } from './charging.ts';
import {
  ask,
  everyOf,
  inconclusive,
  isAbsenceProven,
  notListed,
  notRead,
  readIntentById,
  replayBar,
  type StripeAnswer,
  type StripeDeps,
  since,
} from './client.ts';
import {
  allowedTypes,
  chargeMetadata,
  fromWireAmount,
  intoState,
  isServerError,
  lookupFromIntent,
  outcomeFromFault,
  type StripeState,
  toWireAmount,
} from './wire.ts';
import { browserAddress } from './wire-method.ts';

/** A page that nobody has finished ends by itself after this; abandoned ones are closed before. */
const openForMs = 60 * 60_000;
const longestName = 250;
/** 2,000 sessions: beyond that a scan says that it cannot tell. */
const mostPages = 20;

const sessionReply = z.looseObject({
  object: z.literal('checkout.session'),
  id: z.string().check(z.regex(/^cs_/), z.maxLength(255)),
  status: z.nullish(z.string()),
  url: z.nullish(z.string()),
  client_reference_id: z.nullish(z.string()),
  amount_total: z.nullish(z.int()),
  currency: z.nullish(z.string()),
  payment_intent: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
});
type SessionReply = z.output<typeof sessionReply>;

const readSession = (value: unknown): SessionReply | undefined => z.safeParse(sessionReply, value).data;

/** The same charge gives the same body, byte for byte: it may be sent again with its key. */
function pageRequest(charge: Charge, wireAmount: number): Stripe.Checkout.SessionCreateParams {
  const metadata = chargeMetadata(charge.ref, charge.labels);
  const customer = charge.payer['customer'];
  return {
    mode: 'payment',
    client_reference_id: charge.ref,
    ...(customer === undefined ? {} : { customer }),
    success_url: charge.returnTo,
    cancel_url: charge.returnTo,
    expires_at: Math.floor((charge.sentAt.getTime() + openForMs) / 1000),
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: charge.amount.currency.toLowerCase(),
          unit_amount: wireAmount,
          product_data: { name: charge.labels.description.slice(0, longestName) },
        },
      },
    ],
    metadata,
    payment_intent_data: { metadata, description: charge.labels.description.slice(0, longestName) },
    ...(allowedTypes('card') as Pick<Stripe.Checkout.SessionCreateParams, 'allowed_payment_method_types'>),
  };
}

const create = (deps: StripeDeps, charge: Charge, body: Stripe.Checkout.SessionCreateParams) =>
  deps.stripe.checkout.sessions.create(body, { idempotencyKey: keyFor(charge.ref, 'charge') });

/** {@link Gateway.checkout} of Stripe. */
export async function openPage(deps: StripeDeps, charge: Charge, saveState: SaveState): Promise<Outcome> {
  const amount = toWireAmount(charge.amount);
  if (amount.is === 'refused') return { is: 'notAttempted', why: 'invalid', detail: amount.why };
  const state: StripeState = { page: 'opening' };
  // From now on nobody takes this for a charge by token that was never sent.
  const lost = await notKept(saveState, state);
  if (lost !== undefined) return lost;
  const body = pageRequest(charge, amount.value);
  const answer = await askWithRepeats(deps, () => create(deps, charge, body));
  if (answer.is === 'error') return outcomeFromFault(answer.fault, state, false);
  const found = await lookupFromAnswer(deps, charge, answer, state);
  switch (found.is) {
    case 'closed':
    case 'absent':
    case 'inconclusive':
      return { is: 'unknown', evidence: `a new page is ${found.is}`, state: intoState({}, state) };
    default:
      return found;
  }
}

async function lookupFromAnswer(
  deps: StripeDeps,
  charge: Charge,
  answer: Extract<StripeAnswer, { is: 'ok' }>,
  state: StripeState,
): Promise<LookupResult> {
  const session = readSession(answer.value);
  if (session === undefined)
    return { is: 'unknown', evidence: 'the answer is not a checkout session', state: intoState({}, state) };
  // A replayed answer is the saved first one; the page may have gone on since.
  return answer.replayed
    ? readPage(deps, charge, session.id, state)
    : lookupFromSession(deps, charge, session, state);
}

/** What a session says about the money. One that is open may still take it. */
async function lookupFromSession(
  deps: StripeDeps,
  charge: Charge,
  session: SessionReply,
  known: StripeState,
): Promise<LookupResult> {
  const state: StripeState = { ...known, page: 'open', session: session.id };
  const unknown = (evidence: string): LookupResult => ({
    is: 'unknown',
    evidence: `${session.id}: ${evidence}`,
    state: intoState({}, state),
  });
  if (session.client_reference_id !== charge.ref) return inconclusive(`${session.id} is not this payment's`);
  const amount = fromWireAmount(session.amount_total ?? 0, session.currency ?? '');
  if (amount?.minor !== charge.amount.minor || amount.currency !== charge.amount.currency)
    return unknown('another amount');
  if (session.status === 'open') {
    const to = browserAddress(session.url);
    if (to === undefined) return unknown('open without an address');
    const action = { do: 'redirect', to } as const;
    return { is: 'requiresAction', action, remote: remoteId(session.id), state: intoState({}, state) };
  }
  const { payment_intent: named } = session;
  const id = typeof named === 'object' && named !== null ? named.id : named;
  if (id === null || id === undefined)
    return session.status === 'expired'
      ? { is: 'closed' }
      : unknown(`${String(session.status)} without a payment`);
  const read = await readIntentById(deps, id);
  if (read.is === 'fault') return notRead(read.fault, state);
  const found = lookupFromIntent(read.intent, state);
  // An expired page cannot be paid any more, whatever was tried on it before.
  const tookNothing = found.is !== 'succeeded' && found.is !== 'pending';
  return session.status === 'expired' && tookNothing ? { is: 'closed' } : found;
}

async function readPage(
  deps: StripeDeps,
  charge: Charge,
  id: string,
  state: StripeState,
): Promise<LookupResult> {
  const answer = await ask(deps.stripe.checkout.sessions.retrieve(id));
  if (answer.is === 'error') return notRead(answer.fault, state);
  const session = readSession(answer.value);
  return session === undefined ? notRead(undefined, state) : lookupFromSession(deps, charge, session, state);
}

/** {@link Gateway.lookup} for a payment by page. */
export function findPage(
  deps: StripeDeps,
  charge: Charge,
  state: StripeState,
  plan: LookupStrategy,
): Promise<LookupResult> | LookupResult {
  const { session } = state;
  switch (plan.by) {
    case 'remote':
      return session === undefined
        ? inconclusive('the id is not known')
        : readPage(deps, charge, session, state);
    case 'replay':
      if (session !== undefined) return inconclusive('the page is known');
      return plan.mayCharge ? openAgain(deps, charge, state) : inconclusive('sending again may open a page');
    case 'scan':
      return scan(deps, charge, state);
    case 'ref':
      return inconclusive('Stripe cannot be asked by our reference');
  }
}

/** The same request again: the page that was opened, or a new one that only this payer is shown. */
async function openAgain(deps: StripeDeps, charge: Charge, state: StripeState): Promise<LookupResult> {
  const bar = replayBar(deps, charge.sentAt, state.replayStopped, openForMs);
  if (bar !== undefined) return inconclusive(bar);
  const amount = toWireAmount(charge.amount);
  if (amount.is === 'refused') return inconclusive(amount.why);
  const answer = await ask(create(deps, charge, pageRequest(charge, amount.value)));
  if (answer.is === 'ok') return lookupFromAnswer(deps, charge, answer, state);
  const { fault } = answer;
  const why = fault.detail;
  if (isServerError(fault) && fault.replayed) {
    const stopped = intoState(state, { replayStopped: deps.now().toISOString() });
    return { is: 'inconclusive', why, state: stopped, sent: true };
  }
  return { is: 'inconclusive', why, sent: true };
}

/** Looks for the page among all since the attempt. */
async function scan(deps: StripeDeps, charge: Charge, state: StripeState): Promise<LookupResult> {
  const { sessions } = deps.stripe.checkout;
  const listed = everyOf(
    (query) => sessions.list({ created: since(charge), ...query }),
    readSession,
    mostPages,
  );
  try {
    for await (const session of listed)
      if (session.client_reference_id === charge.ref) return lookupFromSession(deps, charge, session, state);
    return { is: 'absent', proven: isAbsenceProven(deps, charge, state) };
  } catch (cause) {
    return notListed(cause, state);
  }
}

/** {@link Gateway.cancel} for a payment by page: expired, it can never be paid. */
export async function closePage(deps: StripeDeps, charge: Charge, state: StripeState): Promise<CancelResult> {
  const found = state.session === undefined ? await scan(deps, charge, state) : undefined;
  if (found !== undefined && found.is !== 'requiresAction') return found;
  const id = state.session ?? (found?.is === 'requiresAction' ? found.remote : undefined);
  if (id === undefined) return inconclusive('the page has no id');
  // Expiring twice is harmless, and a saved refusal must not stand in the way of a later try: a new key each time.
  const answer = await ask(
    deps.stripe.checkout.sessions.expire(
      id,
      {},
      { idempotencyKey: `counterfoil:${id}:expire:${randomUUID()}` },
    ),
  );
  const now = await readPage(deps, charge, id, state);
  if (now.is !== 'requiresAction') return now;
  if (answer.is === 'error' && answer.fault.status === 400) return { is: 'cannotCancel' };
  const evidence = answer.is === 'error' ? answer.fault.detail : 'expired, and still open';
  return { is: 'unknown', evidence, state: intoState(state, { session: id }) };
}

/** {@link Gateway.handleReturn} for a payment by page: whatever the address says, the session is read. */
export const resumePage = (deps: StripeDeps, charge: Charge, state: StripeState): Promise<LookupResult> =>
  state.session === undefined ? scan(deps, charge, state) : readPage(deps, charge, state.session, state);
