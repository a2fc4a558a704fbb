/** One reseller's BPOINT facility behind the gateway port. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { jsonOf } from '../kit/http.ts';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type {
  Charge,
  EntryPrepared,
  EntryRequest,
  Gateway,
  GatewayEvent,
  GatewayState,
  ListedCharge,
  LookupResult,
  LookupStrategy,
  Outcome,
  Refund,
  SaveState,
  WebhookReading,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { type Answer, type Bpoint, bpoint, notAttempted } from './client.ts';
import { type BpointRole, type BpointSettings, manifest } from './manifest.ts';
import { savedMethods } from './saved-methods.ts';
import {
  attachedReply,
  authKeyReply,
  hookOf,
  listedFrom,
  lookupOf,
  outcomeOf,
  processReply,
  reference,
  refundDetails,
  searchBody,
  searchReply,
  type TxnReply,
  txnDetails,
  txnReply,
} from './wire.ts';

/** An auth key lives about an hour; a page renews it before. */
export const ENTRY_LIVES_MS = 45 * 60_000;

export function createGateway(context: GatewayContext<BpointSettings, BpointRole>): Gateway {
  const api = bpoint(context);
  const { currency } = context.config;
  return {
    capabilities: { ...manifest.capabilities, currencies: [currency] },
    async verifyCredentials() {
      // An auth key that is never used costs nothing.
      const answer = await api.call('POST', '/txns/authkeys', {}, authKeyReply);
      if (answer.is === 'ok') return { ok: true, rights: [] };
      const isVerdict = answer.is === 'refused' && answer.why !== 'flow';
      return {
        ok: false,
        rights: [],
        why: answer.detail,
        ...(isVerdict ? {} : { unreachable: true as const }),
      };
    },
    charge: (charge, saveState) => chargeWith(api, charge, saveState),
    prepareEntry: (request) => prepareEntry(api, request),
    lookup: (charge, state, strategy) => lookup(api, charge, state, strategy),
    lookupByRemoteId: (charge, remote) => byNumber(api, charge, remote),
    handleReturn: (charge, state) => afterwards(api, charge, state),
    async cancel(charge, state) {
      // A payment that was never processed cannot capture: its auth key is used by nobody else.
      if (state?.['processing'] === undefined && state?.['txn'] === undefined) return { is: 'closed' };
      return afterwards(api, charge, state);
    },
    refund: (refund) => refundWith(api, refund),
    lookupRefund: (refund) =>
      bySearch(api, { ref: refund.ref, action: 'Refund', sentAt: refund.sentAt, amount: refund.amount }),
    ...savedMethods(api),
    parseWebhook: (raw) => readWebhook(raw),
    listReversals: async (charge, state) => listReversals(api, charge, state),
    listCharges: (since) => listCharges(api, since),
  };
}

const path = (text: string): string => encodeURIComponent(text);

// ---- Entry: what the provider's script works on ----

/** Makes an auth key that the payer's browser attaches a method to. https://www.bpoint.com.au/developers, AuthKey */
async function prepareEntry(api: Bpoint, request: EntryRequest): Promise<EntryPrepared> {
  const { purpose, person, ref, payer, method } = request;
  const kind = purpose === 'save' ? 'tokens' : 'txns';
  // A token that is named keeps its value, and stands for what is attached from then on.
  const token = purpose === 'save' ? method?.['token'] : undefined;
  const made = await api.call(
    'POST',
    `/${kind}/authkeys`,
    token === undefined ? {} : { token },
    authKeyReply,
  );
  if (made.is !== 'ok') return notAttempted(made);
  const { authkey } = made.value;
  if (purpose === 'save') {
    const crn1 = payer?.['crn'] ?? reference(person?.customerId ?? ref);
    const details = { crn1, ...(person && { emailAddress: person.email }) };
    const put = await api.call('PUT', `/tokens/authkeys/${path(authkey)}/token-details`, details);
    if (put.is !== 'ok') return notAttempted(put);
  }
  return {
    is: 'ready',
    action: { do: 'browser', config: { authkey, of: purpose === 'save' ? 'token' : 'txn' } },
    state: { authkey },
    remote: remoteId(authkey),
    until: new Date(api.now().getTime() + ENTRY_LIVES_MS),
  };
}

// ---- Charging: three calls that move nothing, and one that pays ----

async function chargeWith(api: Bpoint, charge: Charge, saveState: SaveState): Promise<Outcome> {
  const { source } = charge;
  if (source === 'lost') throw new TypeError('a charge whose method is lost can only be looked for');
  if (!('saved' in source) && !('token' in source)) {
    destroySecrets(source);
    return { is: 'notAttempted', why: 'invalid', detail: 'BPOINT takes numbers from the browser only' };
  }
  const isSaved = 'saved' in source;
  const authkey = isSaved ? await newKey(api) : (source.entry?.['authkey'] ?? source.token);
  if (typeof authkey !== 'string') return authkey;
  const { testMode, billerCode } = api.config;
  const key = `/txns/authkeys/${path(authkey)}`;
  const details = txnDetails(charge, { testMode, billerCode, isSaved });
  const put = await api.call('PUT', `${key}/txn-details`, details);
  if (put.is !== 'ok') return notAttempted(put);
  if (isSaved) {
    const token = source.saved['token'] ?? '';
    const attached = await api.call('PUT', `${key}/payment-method`, { token }, attachedReply);
    if (attached.is === 'refused' && attached.why !== 'config')
      return { is: 'notAttempted', why: 'methodGone', detail: attached.detail };
    if (attached.is !== 'ok') return notAttempted(attached);
    if (attached.value.accepted === false)
      return { is: 'notAttempted', why: 'methodGone', detail: 'the facility does not accept this method' };
  }
  const state = { processing: authkey };
  try {
    await saveState(state);
  } catch (error) {
    return { is: 'notAttempted', why: 'unreachable', detail: `not kept: ${String(error)}` };
  }
  const answer = await api.call('POST', `${key}/process`, hookOf(api.config), processReply);
  return processed(api, charge, answer, state);
}

async function newKey(api: Bpoint): Promise<string | Outcome> {
  const made = await api.call('POST', '/txns/authkeys', {}, authKeyReply);
  return made.is === 'ok' ? made.value.authkey : notAttempted(made);
}

function processed(
  api: Bpoint,
  charge: Charge,
  answer: Answer<z.output<typeof processReply>>,
  state: GatewayState,
): Outcome {
  switch (answer.is) {
    case 'ok':
      return readTxn(api, charge, answer.value.txn, state);
    case 'refused':
      // It ran before, or nothing is attached: only a look-up tells which.
      if (answer.why === 'flow') return { is: 'unknown', evidence: answer.detail, state };
      return answer.why === 'config'
        ? { is: 'notAttempted', why: 'config', detail: answer.detail }
        : { is: 'notAttempted', why: 'invalid', detail: answer.detail };
    case 'notSent':
      return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail, state };
  }
}

function readTxn(api: Bpoint, charge: Charge, txn: TxnReply, state: GatewayState): Outcome {
  if (txn.amountSurcharge)
    api.log.warn(
      { txn: txn.txnNumber, surcharge: txn.amountSurcharge },
      'the facility added a surcharge of its own',
    );
  const outcome = outcomeOf(txn, charge.amount, api.now(), api.config.testMode);
  const crn = { crn: reference(charge.labels.customer) };
  if (outcome.is === 'unknown') return { ...outcome, state: { ...state, ...outcome.state, ...crn } };
  return 'state' in outcome && outcome.state !== undefined
    ? { ...outcome, state: { ...outcome.state, ...crn } }
    : outcome;
}

// ---- Finding out ----

async function lookup(
  api: Bpoint,
  charge: Charge,
  state: GatewayState | undefined,
  { by }: LookupStrategy,
): Promise<LookupResult> {
  if (by === 'scan')
    return bySearch(api, {
      ref: charge.ref,
      action: 'Payment',
      sentAt: charge.sentAt,
      amount: charge.amount,
    });
  const txn = state?.['txn'];
  if (by !== 'remote' || txn === undefined) return { is: 'inconclusive', why: 'its number is not known' };
  return byNumber(api, charge, txn);
}

async function byNumber(api: Bpoint, charge: Charge, number: string): Promise<LookupResult> {
  const answer = await api.call('GET', `/txns/${path(number)}`, undefined, txnReply);
  if (answer.is !== 'ok') return { is: 'inconclusive', why: answer.detail };
  if (answer.value.merchantReference !== charge.ref)
    return { is: 'inconclusive', why: `${number} does not carry our reference` };
  return readTxn(api, charge, answer.value, {});
}

const afterwards = (api: Bpoint, charge: Charge, state: GatewayState | undefined): Promise<LookupResult> =>
  state?.['txn'] === undefined
    ? bySearch(api, { ref: charge.ref, action: 'Payment', sentAt: charge.sentAt, amount: charge.amount })
    : byNumber(api, charge, state['txn']);

/** Pages of a search that are read; our reference is in one transaction, so more would be a fault of the filter. */
const MOST_PAGES = 5;

async function bySearch(
  api: Bpoint,
  about: Pick<Charge, 'ref' | 'sentAt' | 'amount'> & { readonly action: 'Payment' | 'Refund' },
): Promise<LookupResult> {
  const found: TxnReply[] = [];
  try {
    for await (const txns of pagesOf(api, about.ref, about.sentAt, MOST_PAGES)) found.push(...txns);
  } catch (fault) {
    return { is: 'inconclusive', why: fault instanceof Error ? fault.message : 'the list cannot be read' };
  }
  return lookupOf(found, about, about.amount, api.now(), api.config.testMode);
}

/** Pages of a search, the newest first. @throws {Error} where one cannot be read */
async function* pagesOf(
  api: Bpoint,
  ref: string | undefined,
  since: Date,
  most: number,
): AsyncGenerator<readonly TxnReply[]> {
  let from: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const body = searchBody(ref, since, api.now(), from);
    const answer = await api.call('POST', '/txns/search', body, searchReply);
    if (answer.is !== 'ok') throw new Error(answer.detail);
    yield answer.value.transactions;
    from = answer.value.continueFrom ?? undefined;
    if (from === undefined) return;
  }
  if (ref === undefined) throw new Error(`the list has more than ${most} pages`);
}

/** Beyond 100,000 transactions something is wrong, and a person is better than a scan that runs on. */
const MOST_LISTED_PAGES = 2_000;

/** {@link Gateway.listCharges} of BPOINT: by the days of the search, so that the whole first day is in it. */
async function* listCharges(api: Bpoint, since: Date): AsyncGenerator<ListedCharge> {
  for await (const txns of pagesOf(api, undefined, since, MOST_LISTED_PAGES))
    for (const txn of txns) {
      const listed = listedFrom(txn, api.now(), api.config.testMode);
      if (listed !== undefined) yield listed;
    }
}

// ---- Refunds ----

async function refundWith(api: Bpoint, refund: Refund): Promise<Outcome> {
  const customer = refund.of.state['crn'] ?? 'refund';
  const body = refundDetails(refund, customer, { testMode: api.config.testMode });
  const answer = await api.call('POST', '/txns', body, txnReply);
  switch (answer.is) {
    case 'ok':
      return outcomeOf(
        { ...answer.value, paymentMethod: null },
        refund.amount,
        api.now(),
        api.config.testMode,
      );
    case 'refused':
      return {
        is: 'notAttempted',
        why: answer.why === 'config' ? 'config' : 'invalid',
        detail: answer.detail,
      };
    case 'notSent':
      return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail };
  }
}

// ---- After the end ----

/** A debit that was accepted and has been returned since; nothing else of a payment is shown by its number. */
async function listReversals(api: Bpoint, charge: Charge, state: GatewayState) {
  const number = state['txn'];
  if (number === undefined) return 'inconclusive' as const;
  const answer = await api.call('GET', `/txns/${path(number)}`, undefined, txnReply);
  if (answer.is !== 'ok' || answer.value.merchantReference !== charge.ref) return 'inconclusive' as const;
  const found = outcomeOf(answer.value, charge.amount, api.now(), api.config.testMode);
  if (found.is !== 'declined') return { reversals: [] };
  const remote = remoteId(number);
  return {
    reversals: [
      {
        kind: 'failed' as const,
        remote: remoteId(`${number}-returned`),
        of: remote,
        amount: charge.amount,
        code: found.why.code,
      },
    ],
  };
}

const hook = z.object({
  type: z.string(),
  data: z.object({
    txnNumber: z.nullish(z.string()),
    token: z.nullish(z.string()),
    merchantReference: z.nullish(z.string()),
    action: z.nullish(z.string()),
  }),
});

/** Not signed, so never more than a hint to look. */
function readWebhook(raw: Uint8Array): WebhookReading {
  const json = jsonOf(raw);
  const parsed = z.safeParse(hook, json.is === 'json' ? json.value : undefined);
  if (!parsed.success) return { is: 'refused', status: 400, why: 'no transaction or token' };
  const { type, data } = parsed.data;
  const id = createHash('sha256').update(raw).digest('base64url');
  if (type === 'token' && data.token)
    return { is: 'accepted', trust: 'hint', events: [{ id, about: 'method', remote: remoteId(data.token) }] };
  if (type !== 'transaction' || !data.txnNumber) return { is: 'accepted', trust: 'hint', events: [] };
  const ref = data.merchantReference ?? '';
  const event: GatewayEvent = {
    id,
    about: data.action === 'Refund' ? 'refund' : 'charge',
    remote: remoteId(data.txnNumber),
    ...(isGatewayRef(ref) && { ref }),
  };
  return { is: 'accepted', trust: 'hint', events: [event] };
}
