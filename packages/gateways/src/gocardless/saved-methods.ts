/** Mandates: given on the provider's page by a billing request, read, and ended with their accounts. */
import * as z from 'zod/mini';
import type {
  GatewayState,
  Method,
  MethodReading,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
} from '../port/gateway.ts';
import { type Answer, type Client, type Fault, isMissing, step } from './client.ts';
import { type GocardlessSettings, manifest } from './manifest.ts';
import {
  type AccountReply,
  accountReply,
  type BillingRequestReply,
  billingRequestBody,
  billingRequestReply,
  declineOf,
  flowBody,
  flowReply,
  isGone,
  type MandateReply,
  mandateReply,
  methodFrom,
  methodState,
  paymentReply,
  refusalOf,
  remoteOf,
  setupRefOf,
  stateOf,
} from './wire.ts';

/** A mandate is replaced seldom: a longer chain is a mistake. */
const mostReplacements = 5;
const dayMs = 24 * 60 * 60_000;
/** A debit is with the bank no longer than this. */
const underWayMs = 30 * dayMs;

const currencyOf = (scheme: string | undefined): string | undefined =>
  Object.values(manifest.saved?.debits ?? {})
    .flat()
    .find((debit) => debit.scheme === scheme)?.currency;

const setupFault = (answer: Fault): SetupResult => {
  if (answer.is === 'fault') {
    return answer.reach === 'notSent'
      ? { is: 'notAttempted', why: 'unreachable', detail: answer.detail }
      : { is: 'unknown', evidence: answer.detail };
  }
  return refusalOf(answer.status, answer.error) ?? { is: 'unknown', evidence: answer.detail };
};

// ---- Setups ----

/** Makes the billing request, or finds the one that was made under this reference. */
async function requestMandate(
  client: Client,
  creditor: string,
  request: SetupRequest,
  currency: string,
): Promise<Answer<BillingRequestReply>> {
  const { customer } = request.payer ?? {};
  const body = billingRequestBody(request, { currency, customer, creditor });
  const made = await client.post(
    '/billing_requests',
    'billing_requests',
    billingRequestReply,
    body,
    request.ref,
  );
  const conflicting = made.is === 'error' ? made.error?.conflicting : undefined;
  return conflicting === undefined ? made : readRequest(client, conflicting);
}

const readRequest = (client: Client, id: string) =>
  client.get(`/billing_requests/${step(id)}`, 'billing_requests', billingRequestReply);

/** {@link Gateway.beginSetup}: the payer goes to the provider's page. A second page of the same request does no harm. */
export async function beginSetup(
  client: Client,
  { creditor }: Pick<GocardlessSettings, 'creditor'>,
  request: SetupRequest,
): Promise<SetupStarted> {
  const { payer } = request;
  const currency = currencyOf(request.scheme);
  if (request.kind !== 'bank' || currency === undefined) {
    const detail = `no debit is called ${request.scheme ?? request.kind}`;
    return { payer, result: { is: 'notAttempted', why: 'invalid', detail } };
  }
  const made = await requestMandate(client, creditor, request, currency);
  if (made.is !== 'ok') return { payer, result: setupFault(made) };
  if (setupRefOf(made.value) !== request.ref)
    return { payer, result: { is: 'unknown', evidence: `${made.value.id} is of another setup` } };
  const customer = made.value.links.customer ?? payer?.['customer'];
  const payerRemote = remoteOf(customer);
  const known = customer ? { payer: { customer }, ...(payerRemote ? { payerRemote } : {}) } : { payer };
  const body = flowBody(made.value.id, request);
  const flow = await client.post('/billing_request_flows', 'billing_request_flows', flowReply, body);
  if (flow.is !== 'ok') {
    const state = { request: made.value.id };
    const result = setupFault(flow);
    return { ...known, result: result.is === 'unknown' ? { ...result, state } : result };
  }
  const url = flow.value.authorisation_url;
  return { ...known, result: waiting({ request: made.value.id, url }) };
}

const waiting = (state: { readonly request: string; readonly url: string }): SetupResult => ({
  is: 'continue',
  action: { do: 'redirect', to: state.url },
  state,
});

/**
 * {@link Gateway.completeSetup}. What the address of the browser says is not looked at: the billing request tells. Nothing is
 * changed.
 */
export async function completeSetup(client: Client, { step: state }: SetupCompletion): Promise<SetupResult> {
  const { request = '', url } = state;
  const read = await readRequest(client, request);
  if (read.is !== 'ok') {
    if (isMissing(read)) return { is: 'refused', why: declineOf('mandate_cancelled') };
    return { is: 'unknown', evidence: read.detail };
  }
  const { status, links } = read.value;
  switch (status) {
    case 'fulfilled': {
      const found = await readMethod(client, { id: links.mandate_request_mandate ?? '' });
      if (found.is === 'there') return { is: 'saved', method: found.method };
      if (found.is === 'gone') return { is: 'refused', why: declineOf('mandate_cancelled') };
      return { is: 'unknown', evidence: found.evidence, state };
    }
    case 'pending':
      return url === undefined ? { is: 'underWay', state } : waiting({ request, url });
    case 'ready_to_fulfil':
    case 'fulfilling':
      return { is: 'underWay', state };
    case 'cancelled':
      return { is: 'refused', why: declineOf('mandate_cancelled') };
    default:
      return { is: 'unknown', evidence: `${request}: a status that is not known`, state };
  }
}

// ---- Saved methods ----

/** A mandate, or the one that has replaced it. */
async function currentMandate(client: Client, id: string): Promise<Answer<MandateReply>> {
  let next = id;
  for (let hops = 0; hops <= mostReplacements; hops += 1) {
    const read = await client.get(`/mandates/${step(next)}`, 'mandates', mandateReply);
    const { new_mandate: newer } = read.is === 'ok' ? read.value.links : {};
    if (read.is !== 'ok' || !newer) return read;
    next = newer;
  }
  return { is: 'error', status: 200, error: undefined, detail: `${id} was replaced too often` };
}

/** @param about `id` by which the method is known; `mandate` where another one has replaced it since */
async function readMethod(
  client: Client,
  { id, mandate = id }: { readonly id: string; readonly mandate?: string },
): Promise<MethodReading> {
  if (id === '') return { is: 'unknown', evidence: 'no mandate is named' };
  const unread = (answer: Fault): MethodReading =>
    isMissing(answer) ? { is: 'gone' } : { is: 'unknown', evidence: answer.detail };
  const found = await currentMandate(client, mandate);
  if (found.is !== 'ok') return unread(found);
  if (isGone(found.value)) return { is: 'gone' };
  const account = await client.get(
    `/customer_bank_accounts/${step(found.value.links.customer_bank_account ?? '-')}`,
    'customer_bank_accounts',
    accountReply,
  );
  return account.is === 'ok'
    ? { is: 'there', method: methodFrom(found.value, account.value, id) }
    : unread(account);
}

/** {@link Gateway.getMethod}: also of a mandate that was replaced, or whose bank has changed. */
export const getMethod = (client: Client, state: GatewayState): Promise<MethodReading> =>
  readMethod(client, methodState(state));

/** The id that a mandate had before it was replaced, however often. @param before the replaced one, by its successor */
function firstOf(id: string, before: ReadonlyMap<string, string>): string {
  let first = id;
  for (let hops = 0; hops < mostReplacements; hops += 1) first = before.get(first) ?? first;
  return first;
}

/** {@link Gateway.listMethods}. @throws {Error} when the list cannot be read whole */
export async function* listMethods(client: Client, payer: GatewayState): AsyncGenerator<Method> {
  const { customer } = payer;
  if (customer === undefined) return;
  const all = async <S extends z.ZodMiniType>(path: string, envelope: string, schema: S) => {
    const read = await client.list(path, envelope, schema, { customer });
    if (read.is !== 'ok') throw new Error(`${envelope} cannot be read: ${read.detail}`);
    return read.value;
  };
  const mandates = await all('/mandates', 'mandates', mandateReply);
  const accounts = new Map<string, AccountReply>();
  for (const one of await all('/customer_bank_accounts', 'customer_bank_accounts', accountReply))
    accounts.set(one.id, one);
  const before = new Map(
    mandates.flatMap(({ id, links: { new_mandate: newer } }) => (newer ? [[newer, id] as const] : [])),
  );
  for (const mandate of mandates) {
    const account = accounts.get(mandate.links.customer_bank_account ?? '');
    if (account !== undefined && !isGone(mandate))
      yield methodFrom(mandate, account, firstOf(mandate.id, before));
  }
}

const nothing = z.unknown();
const order = { data: {} };

/**
 * {@link Gateway.removeMethod}: ends the mandate, and the account where no other mandate is on it. Ending a mandate would cancel
 * its debits that are not with the bank yet, so that it is in use as long as there is one.
 */
export async function removeMethod(
  client: Client,
  state: GatewayState,
  now: Date,
): Promise<'gone' | 'inUse' | 'unknown'> {
  const { mandate, account } = methodState(state);
  const found = await currentMandate(client, mandate);
  if (found.is !== 'ok') return isMissing(found) ? 'gone' : 'unknown';
  const { id } = found.value;
  if (!isGone(found.value)) {
    const payments = await client.list('/payments', 'payments', paymentReply, {
      mandate: id,
      'created_at[gte]': new Date(now.getTime() - underWayMs).toISOString(),
    });
    if (payments.is !== 'ok') return 'unknown';
    if (payments.value.some(({ status }) => stateOf(status) === 'underWay')) return 'inUse';
    const ended = await client.post(`/mandates/${step(id)}/actions/cancel`, 'mandates', nothing, order);
    // Refused, or no answer: it counts how it stands now.
    if (ended.is !== 'ok' && !(await isEnded(client, id))) return 'unknown';
  }
  return disableAccount(client, found.value.links.customer_bank_account ?? account);
}

const ends = new Set(['cancelled', 'failed', 'expired', 'consumed', 'blocked']);

async function isEnded(client: Client, id: string): Promise<boolean> {
  const read = await client.get(`/mandates/${step(id)}`, 'mandates', mandateReply);
  return read.is === 'ok' ? ends.has(read.value.status) : isMissing(read);
}

/** Disabling an account ends every mandate on it. */
async function disableAccount(client: Client, account: string): Promise<'gone' | 'unknown'> {
  const mandates = await client.list('/mandates', 'mandates', mandateReply, {
    customer_bank_account: account,
  });
  if (mandates.is !== 'ok') return isMissing(mandates) ? 'gone' : 'unknown';
  if (mandates.value.some((one) => !ends.has(one.status) && !isGone(one))) return 'gone';
  const path = `/customer_bank_accounts/${step(account)}/actions/disable`;
  const disabled = await client.post(path, 'customer_bank_accounts', nothing, order);
  // One that is disabled already is refused.
  return disabled.is === 'ok' || (disabled.is === 'error' && disabled.status < 500 && disabled.status !== 429)
    ? 'gone'
    : 'unknown';
}
