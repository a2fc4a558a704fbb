/** One reseller's Authorize.Net account behind the gateway port. */

import { outcomeOfFault } from '../kit/http.ts';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type {
  Charge,
  CredentialCheck,
  Gateway,
  GatewayState,
  LookupResult,
  LookupStrategy,
  MethodKind,
  Outcome,
  SetupCompletion,
  SetupResult,
} from '../port/gateway.ts';
import {
  ask,
  askOk,
  type Deps,
  findByInvoice,
  ListNotRead,
  listCharges,
  lookupById,
  moneyTimeoutMs,
} from './client.ts';
import { parseWebhook, pollReturns, resolveEvent, reversalsOf } from './events.ts';
import {
  type AuthorizeNetRole,
  type AuthorizeNetSettings,
  capabilitiesOf,
  readRight,
  replayMs,
} from './manifest.ts';
import { editMethod, setDefault } from './method-changes.ts';
import { lookupRefund, refundOrVoid, voidCharge } from './refunds.ts';
import { chargeReply, kindCharged, listReply, merchantReply, readCharge } from './replies.ts';
import {
  addMethod,
  beginSetup,
  defaultMethod,
  listMethods,
  readSaved,
  removeMethod,
} from './saved-methods.ts';
import { type ChargeWith, chargeRequest, paymentBlock, readChargeState, wireAmount } from './wire.ts';

export function createGateway(context: GatewayContext<AuthorizeNetSettings, AuthorizeNetRole>): Gateway {
  const deps: Deps = context;
  return {
    capabilities: capabilitiesOf(context.config),
    verifyCredentials: () => verify(deps),
    charge: (charge) => pay(deps, charge),
    lookup: (charge, state, strategy) => lookup(deps, charge, state, strategy),
    lookupByRemoteId: (charge, remote) => lookupById(deps, charge, remote),
    // Nobody is ever sent anywhere.
    handleReturn: () => Promise.resolve({ is: 'inconclusive', why: 'there is nothing to come back from' }),
    // What its payer agreed to is not stopped; what is there is told.
    cancel: (charge, state) => found(deps, charge, state),
    refund: (refund) => refundOrVoid(deps, refund),
    lookupRefund: (refund) => lookupRefund(deps, refund),
    beginSetup: (request) => beginSetup(deps, request),
    completeSetup: (request) => addNamed(deps, request),
    listMethods: (payer) => listMethods(deps, payer),
    getMethod: (method) => readSaved(deps, method),
    setDefaultMethod: (_payer, method) => setDefault(deps, method),
    getDefaultMethod: (payer) => defaultMethod(deps, payer),
    updateMethod: (_ref, method, change) => editMethod(deps, method, change),
    removeMethod: (method) => removeMethod(deps, method),
    parseWebhook: (raw, headers) => parseWebhook(deps.config, raw, headers),
    resolveEvent: (event) => resolveEvent(deps, event),
    listReversals: (charge, state) => reversalsOf(deps, charge, state),
    listCharges: (since) => listCharges(deps, since),
    pollEvents: (cursor) => pollReturns(deps, cursor),
  };
}

/** The keys, the account's currency and mode, the key of Accept.js; and whether it may read its transactions. */
async function verify(deps: Deps): Promise<CredentialCheck> {
  const account = await askOk(deps, { method: 'getMerchantDetails', body: {} }, merchantReply);
  if (account.is === 'fault') return { ok: false, rights: [], why: account.detail, unreachable: true };
  const refused = (why: string): CredentialCheck => ({ ok: false, rights: [], why });
  if (account.is === 'refused') return refused(account.detail);
  const { isTestMode, currencies = [], publicClientKey } = account.value;
  const { config } = deps;
  if (isTestMode === true) return refused('the account is in Test Mode: payments would look approved');
  if (currencies.length > 0 && !currencies.includes(config.currency))
    return refused(`the account has the currency ${currencies.join(', ')}, not ${config.currency}`);
  if (publicClientKey && publicClientKey !== config.publicClientKey)
    return refused('the public client key is not that of the account');
  const body = { paging: { limit: 1, offset: 1 } };
  const list = await askOk(deps, { method: 'getUnsettledTransactionList', body }, listReply);
  if (list.is === 'fault') return { ok: false, rights: [], why: list.detail, unreachable: true };
  return { ok: true, rights: list.is === 'answer' ? [readRight] : [] };
}

/** The name of the bank, which no nonce carries, is written beside it. It is shown only: without it the account is saved all the same. */
async function addNamed(deps: Deps, request: SetupCompletion): Promise<SetupResult> {
  const result = await addMethod(deps, request);
  const bankName = 'beside' in request.input ? request.input.beside?.['bankName'] : undefined;
  const isNameless =
    result.is === 'saved' && result.method.kind === 'bank' && !result.method.show['bankName'];
  if (!isNameless || !bankName) return result;
  const named = await editMethod(deps, result.method.state, { bankName });
  return named.is === 'saved' ? named : result;
}

// ---- Charging ----

/** What a charge is paid with; a refusal where it cannot be said. */
function sourceOf(charge: Charge): (ChargeWith & { readonly expected?: MethodKind }) | Outcome {
  const { source } = charge;
  const invalid = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });
  if (source === 'lost') return invalid('the one-time token is lost');
  if ('saved' in source) {
    const { profile, payment, kind = 'card' } = source.saved;
    if (profile === undefined || payment === undefined) return invalid('no saved method');
    return { profile, paymentProfile: payment, kind };
  }
  if (source.debit !== undefined && source.debit.consent === undefined) {
    destroySecrets(source);
    return invalid('the holder of the account has not agreed');
  }
  const expected = source.debit === undefined ? 'card' : 'bank';
  const payment = paymentBlock(source, expected, charge.owner);
  if (payment !== undefined) return { payment, expected };
  destroySecrets(source);
  return invalid(`what was entered is no ${expected}`);
}

async function pay(deps: Deps, charge: Charge): Promise<Outcome> {
  if (charge.amount.currency !== deps.config.currency) {
    if (charge.source !== 'lost') destroySecrets(charge.source);
    return { is: 'notAttempted', why: 'invalid', detail: `the account takes ${deps.config.currency} only` };
  }
  const pays = sourceOf(charge);
  if ('is' in pays) return pays;
  return sendCharge(deps, charge, pays, pays.expected);
}

async function sendCharge(
  deps: Deps,
  charge: Charge,
  pays: ChargeWith,
  expected?: MethodKind,
): Promise<Outcome> {
  const call = {
    method: 'createTransaction',
    refId: charge.ref,
    body: { transactionRequest: chargeRequest(charge, pays) },
    timeoutMs: moneyTimeoutMs,
  };
  const answer = await ask(deps, call, chargeReply);
  if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, undefined);
  if (answer.is === 'refused') return { is: 'unknown', evidence: answer.detail };
  const reading = readCharge(
    answer.value,
    deps.config.currency,
    wireAmount(charge.amount),
    'profile' in pays,
  );
  if (reading.is === 'duplicate') return original(deps, charge, reading.transId);
  const { outcome } = reading;
  const kind = kindCharged(answer.value);
  const isMoney = outcome.is === 'succeeded' || outcome.is === 'pending';
  // A token does not say of what it is, and the fee is that of the kind.
  if (isMoney && expected !== undefined && kind !== undefined && kind !== expected)
    return undone(deps, outcome, kind);
  return outcome;
}

async function undone(
  deps: Deps,
  outcome: Extract<Outcome, { is: 'succeeded' | 'pending' }>,
  kind: MethodKind,
): Promise<Outcome> {
  const done = await voidCharge(deps, outcome.remote, undefined);
  if (done.is === 'voided')
    return { is: 'notAttempted', why: 'invalid', detail: `the token is of a ${kind}; the charge was voided` };
  return {
    is: 'unknown',
    evidence: `the token is of a ${kind}, and its charge could not be voided: ${done.detail}`,
    state: outcome.state,
    needsPerson: true,
  };
}

/** The service took the request for one it had before, and names that one: it is ours where it says so. */
async function original(deps: Deps, charge: Charge, transId: string | undefined): Promise<Outcome> {
  const evidence = 'a duplicate of a transaction that is not named';
  if (transId === undefined) return { is: 'unknown', evidence };
  const result = await lookupById(deps, charge, transId);
  switch (result.is) {
    case 'succeeded':
    case 'pending':
    case 'declined':
    case 'unknown':
      return result;
    default:
      return {
        is: 'unknown',
        evidence: `a duplicate of a transaction: ${'why' in result && typeof result.why === 'string' ? result.why : result.is}`,
        state: { transId },
      };
  }
}

// ---- Finding out ----

const inconclusive = (why: string): LookupResult => ({ is: 'inconclusive', why });

async function lookup(
  deps: Deps,
  charge: Charge,
  state: GatewayState | undefined,
  strategy: LookupStrategy,
): Promise<LookupResult> {
  const kept = readChargeState(state);
  switch (strategy.by) {
    case 'remote':
      return kept.transId === undefined
        ? inconclusive('the id is not known')
        : lookupById(deps, charge, kept.transId);
    case 'replay':
      return replay(deps, charge, kept.noReplay);
    case 'scan':
      return scan(deps, charge);
    default:
      return inconclusive(`there is no way ${strategy.by}`);
  }
}

/** The same contents again: approved now where the first never arrived, else the original is named. */
async function replay(deps: Deps, charge: Charge, noReplay: string | undefined): Promise<LookupResult> {
  if (noReplay !== undefined) return inconclusive(`reason ${noReplay}: nothing is sent again`);
  if (charge.source === 'lost' || !('saved' in charge.source))
    return inconclusive('only a saved method can be sent again');
  if (deps.clock.now().getTime() - charge.sentAt.getTime() > replayMs)
    return inconclusive('the window of equal contents may be over');
  const outcome = await pay(deps, charge);
  // Refused now says nothing of the first request: the method may have gone, or the keys changed, since.
  return outcome.is === 'notAttempted'
    ? { is: 'inconclusive', why: outcome.detail, ...(outcome.why === 'unreachable' ? {} : { sent: true }) }
    : outcome;
}

/** Until lists have surely had time to show a transaction, an empty one says nothing. */
const listedAfterMs = 5 * 60_000;
/** Of several with one reference the one that took money counts. */
const weights: readonly LookupResult['is'][] = [
  'succeeded',
  'pending',
  'unknown',
  'inconclusive',
  'closed',
  'declined',
];

async function scan(deps: Deps, charge: Charge): Promise<LookupResult> {
  let ids: readonly string[];
  try {
    ids = await findByInvoice(deps, charge.ref, charge.sentAt);
  } catch (fault) {
    if (fault instanceof ListNotRead) return fault.result;
    return inconclusive('the lists could not be read');
  }
  const results = await Promise.all(ids.map((id) => lookupById(deps, charge, id)));
  const [best] = results.toSorted((one, other) => weights.indexOf(one.is) - weights.indexOf(other.is));
  if (best !== undefined) return best;
  return deps.clock.now().getTime() - charge.lastSentAt.getTime() < listedAfterMs
    ? inconclusive('the lists may not show it yet')
    : { is: 'absent', proven: false };
}

/** What there is of a charge, without sending anything again. */
async function found(deps: Deps, charge: Charge, state: GatewayState | undefined): Promise<LookupResult> {
  const { transId } = readChargeState(state);
  const known = transId === undefined ? undefined : await lookupById(deps, charge, transId);
  return known === undefined || known.is === 'inconclusive' ? scan(deps, charge) : known;
}
