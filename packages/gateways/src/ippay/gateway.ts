/** One reseller's IPpay account behind the gateway port. */
import { compareMoney } from '@counterfoil/domain/money/money.ts';
import { outcomeOfFault } from '../kit/http.ts';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  Capabilities,
  Charge,
  CredentialCheck,
  Gateway,
  GatewayState,
  LookupResult,
  Outcome,
  Refund,
  SaveState,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import {
  becameOf,
  type Ippay,
  type IppayContext,
  ippay,
  listCharges,
  listReversals,
  pollEvents,
  referenceOf,
} from './client.ts';
import { confirmAfterMs, hasReporting, type IppaySettings, manifest, REPORTING } from './manifest.ts';
import { enteredToken, savedMethods } from './saved-methods.ts';
import {
  chargeRequest,
  creditRequest,
  inBrief,
  isVoided,
  outcomeOf,
  type Reply,
  requestOf,
  stateOf,
  type Token,
  takenOutcome,
  tokenIn,
  unavailableDecline,
  verdictOf,
  voidRequest,
} from './wire.ts';

export function createGateway(context: IppayContext): Gateway {
  const api = ippay(context);
  return {
    capabilities: capabilitiesOf(api.config),
    verifyCredentials: () => verify(api),
    charge: (charge, saveState) => chargeWith(api, charge, saveState),
    lookup: (charge, state, strategy) =>
      strategy.by === 'replay' ? sendAgain(api, charge, state) : enquire(api, charge, state),
    // Nobody is sent to IPpay and back.
    handleReturn: async () => ({ is: 'inconclusive', why: 'IPpay sends no payer anywhere' }),
    async cancel(charge, state) {
      // Nothing calls back what was sent, and nothing is sent but by us: it is looked at as it stands.
      const found = await enquire(api, charge, state);
      return found.is === 'inconclusive' ? { is: 'cannotCancel' } : found;
    },
    refund: (refund) => refundWith(api, refund),
    lookupRefund: (refund, _state, { by }) =>
      by === 'scan' ? scanForRefund(api, refund) : enquireRefund(api, refund),
    ...savedMethods(api),
    listReversals: (charge, state) => listReversals(api, charge, state),
    ...(hasReporting(api.config) && {
      listCharges: (since: Date) => listCharges(api, since),
      pollEvents: (cursor: string | undefined) => pollEvents(api, cursor),
    }),
  };
}

/** Bank accounts only where it is told what their banks return. */
function capabilitiesOf(config: IppaySettings): Capabilities {
  const { capabilities } = manifest;
  const { card = [], bank = [] } = capabilities.entry;
  const hasBank = config.achTerminalId !== undefined && hasReporting(config);
  return { ...capabilities, entry: hasBank ? { card, bank } : { card } };
}

async function verify(api: Ippay): Promise<CredentialCheck> {
  const { achTerminalId } = api.config;
  const refused = (why: string) => ({ ok: false, rights: [], why });
  for (const kind of ['card', ...(achTerminalId === undefined ? [] : (['bank'] as const))] as const) {
    const answer = await api.ask(requestOf(api.config, kind, 'PING', undefined));
    if (answer.is === 'fault') return { ...refused(answer.detail), unreachable: true };
    const verdict = verdictOf(answer.reply);
    if (verdict.is === 'unavailable') return { ...refused(verdict.detail), unreachable: true };
    if (verdict.is !== 'approved') return refused(`terminal for ${kind}: ${inBrief(answer.reply)}`);
  }
  if (!hasReporting(api.config)) return { ok: true, rights: [] };
  const report = await api.report('achrejects', api.now());
  if (report.is === 'rows') return { ok: true, rights: [REPORTING] };
  return report.is === 'refused'
    ? refused(`Reporting: ${report.detail}`)
    : { ...refused(`Reporting: ${report.detail}`), unreachable: true };
}

const invalid = (detail: string) => ({ is: 'notAttempted', why: 'invalid', detail }) as const;

// ---- Charging ----

/** What a charge is paid with, or why it cannot be. */
function sourceOf(api: Ippay, { source, owner }: Charge): Token | Outcome {
  if (source === 'lost') return invalid('what would pay is lost: it can only be looked for');
  if ('saved' in source) return tokenIn(source.saved) ?? invalid('the saved method has no token');
  const { debit, entry, ...input } = source;
  const token = enteredToken(api, input, entry, debit && owner?.name);
  if (token === undefined) return invalid('nothing was entered on the hosted page');
  if ((token.kind === 'bank') !== (debit !== undefined)) return invalid('it is of the other kind');
  return debit !== undefined && debit.consent === undefined ? invalid('its holder has not agreed') : token;
}

async function chargeWith(api: Ippay, charge: Charge, saveState: SaveState): Promise<Outcome> {
  const token =
    charge.amount.currency === 'USD' ? sourceOf(api, charge) : invalid('terminals take US dollars');
  if ('is' in token) {
    if (charge.source !== 'lost' && !('saved' in charge.source)) destroySecrets(charge.source);
    return token;
  }
  if (token.kind === 'bank' && api.config.achTerminalId === undefined)
    return { is: 'notAttempted', why: 'config', detail: 'there is no terminal for bank accounts' };
  try {
    await saveState(stateOf(token));
  } catch {
    return invalid('the attempt has ended');
  }
  return sendCharge(api, charge, token);
}

async function sendCharge(api: Ippay, charge: Charge, token: Token): Promise<Outcome> {
  const answer = await api.ask(chargeRequest(api.config, charge, token));
  if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, stateOf(token));
  const outcome = outcomeOf(answer.reply, charge, token);
  if (outcome.is === 'unknown' || outcome.is === 'notAttempted')
    api.log.warn({ ref: charge.ref, answer: inBrief(answer.reply) }, 'IPpay did not decide on a payment');
  return outcome;
}

// ---- Finding out: by our reference, on the terminal that was charged ----

const enquiryOf = (api: Ippay, kind: Token['kind'], ref: string) =>
  api.ask(requestOf(api.config, kind, 'ENQ', ref));

const tokenOf = ({ source }: Charge, state: GatewayState | undefined): Token | undefined =>
  tokenIn(source !== 'lost' && 'saved' in source ? source.saved : state);

async function enquire(api: Ippay, charge: Charge, state: GatewayState | undefined): Promise<LookupResult> {
  const token = tokenOf(charge, state);
  if (token === undefined) {
    // The token is kept before anything is sent, so without one nothing was, nor will be.
    if (state === undefined && charge.source === 'lost') return { is: 'absent', proven: true };
    return { is: 'inconclusive', why: 'it is not known what was charged' };
  }
  const answer = await enquiryOf(api, token.kind, charge.ref);
  if (answer.is === 'fault') return { is: 'inconclusive', why: answer.detail };
  return foundBy(api, charge, { token, state: state ?? {}, reply: answer.reply });
}

interface Found {
  readonly token: Token;
  readonly state: GatewayState;
  readonly reply: Reply;
}

async function foundBy(api: Ippay, charge: Charge, { token, state, reply }: Found): Promise<LookupResult> {
  const verdict = verdictOf(reply);
  switch (verdict.is) {
    case 'approved':
      if (isVoided(reply)) return { is: 'closed' };
      return token.kind === 'bank'
        ? becameOf(api, charge, token)
        : confirmed(api, charge, { token, state, reply });
    case 'declined':
      return { is: 'declined', why: verdict.why, remote: remoteId(charge.ref) };
    case 'unavailable':
      // As the first answer said: the original's, and not that of a gateway that is away now.
      return reply.code === state['said']
        ? { is: 'declined', why: unavailableDecline(reply.code ?? ''), remote: remoteId(charge.ref) }
        : { is: 'inconclusive', why: verdict.detail };
    case 'notFound':
      // Not documented to prove anything; the second time it may be sent again.
      return state['missed'] === undefined
        ? { is: 'inconclusive', why: verdict.detail, state: { ...stateOf(token), ...state, missed: 'once' } }
        : { is: 'absent', proven: false };
    default:
      return { is: 'inconclusive', why: verdict.detail };
  }
}

/**
 * An approval. One that no answer has told but only an enquiry may still be voided by the gateway, which does so where its answer
 * did not arrive: it counts once it is found again later.
 */
function confirmed(api: Ippay, charge: Charge, { token, state, reply }: Found): Outcome {
  const approval = state['approval'] ?? reply.of('Approval') ?? '';
  if (state['approval'] !== undefined) return takenOutcome(charge, token, { approval });
  const now = api.now().getTime();
  const seenAt = Date.parse(state['seenAt'] ?? '');
  if (now - seenAt >= confirmAfterMs) return takenOutcome(charge, token, { approval, found: 'byEnquiry' });
  return {
    is: 'pending',
    because: 'gateway',
    remote: remoteId(charge.ref),
    state: { ...stateOf(token), seenAt: state['seenAt'] ?? new Date(now).toISOString() },
  };
}

/** Sends it again under the same id, which the gateway takes once, if it knew nothing of it twice; and that once. */
async function sendAgain(api: Ippay, charge: Charge, state: GatewayState | undefined): Promise<LookupResult> {
  const found = await enquire(api, charge, state);
  const token = tokenOf(charge, state);
  if (found.is !== 'absent' || found.proven || token === undefined) return found;
  if (state?.['resent'] !== undefined) return { is: 'inconclusive', why: 'it was sent again before' };
  const resent = { ...stateOf(token), ...state, resent: 'yes' };
  const outcome = await sendCharge(api, charge, token);
  if (outcome.is === 'unknown')
    return { is: 'inconclusive', why: outcome.evidence, state: resent, sent: true };
  if (outcome.is !== 'notAttempted') return outcome;
  // It says nothing of the first request.
  return outcome.why === 'unreachable'
    ? { is: 'inconclusive', why: outcome.detail }
    : { is: 'inconclusive', why: outcome.detail, state: resent, sent: true };
}

// ---- Refunds ----

/** A sale is voided on the day it was made; it is settled every evening. */
const longestOpenMs = 25 * 60 * 60_000;

async function refundWith(api: Ippay, refund: Refund): Promise<Outcome> {
  const { amount, of } = refund;
  const token = tokenIn(of.state);
  if (token === undefined) return invalid('the payment has no token');
  // A credit stands alone: the gateway would not notice that more goes back than came.
  if (amount.minor + of.refundedBefore.minor > of.captured.minor)
    return invalid('more would be refunded than was taken');
  const isWhole = of.refundedBefore.minor === 0n && compareMoney(amount, of.captured) === 0;
  const ageMs = api.now().getTime() - Date.parse(of.state['at'] ?? '');
  if (token.kind === 'card' && isWhole && ageMs < longestOpenMs) {
    const voided = await voidSale(api, refund, token);
    if (voided !== undefined) return voided;
  }
  const answer = await api.ask(creditRequest(api.config, token, refund));
  if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, undefined);
  return refundedBy(refund, token, answer.reply);
}

/** @returns undefined where the sale is settled, so that it is refunded instead */
async function voidSale(api: Ippay, refund: Refund, { token }: Token): Promise<Outcome | undefined> {
  const { ref, state, captured } = refund.of;
  const sale = { ref, approval: state['approval'] ?? '', token, amount: captured };
  const answer = await api.ask(voidRequest(api.config, sale, refund.ref));
  if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, undefined);
  const verdict = verdictOf(answer.reply);
  if (verdict.is === 'approved') return voidedOutcome(refund);
  if (verdict.is === 'config') return { is: 'notAttempted', why: 'config', detail: verdict.detail };
  if (verdict.is !== 'notFound') return { is: 'unknown', evidence: inBrief(answer.reply) };
  // Voided before, or settled: only the second may be credited.
  const enquiry = await enquiryOf(api, 'card', ref);
  if (enquiry.is === 'fault') return { is: 'notAttempted', why: 'unreachable', detail: enquiry.detail };
  const isOpen = verdictOf(enquiry.reply).is === 'approved' && !isVoided(enquiry.reply);
  return isOpen ? undefined : invalid(`the payment is not there to be refunded: ${inBrief(enquiry.reply)}`);
}

const voidedOutcome = ({ of, amount }: Pick<Refund, 'of' | 'amount'>): Outcome => ({
  is: 'succeeded',
  remote: remoteId(`${of.ref}/void`),
  captured: amount,
  state: {},
});

function refundedBy({ ref, amount }: Refund, { kind }: Pick<Token, 'kind'>, reply: Reply): Outcome {
  const verdict = verdictOf(reply);
  const remote = remoteId(ref);
  switch (verdict.is) {
    case 'approved':
      return kind === 'bank'
        ? { is: 'pending', because: 'bank', remote, state: { kind } }
        : { is: 'succeeded', remote, captured: amount, state: { kind } };
    case 'declined':
      return { is: 'declined', why: verdict.why, remote };
    case 'config':
    case 'invalid':
      return { is: 'notAttempted', why: verdict.is, detail: verdict.detail };
    default:
      return { is: 'unknown', evidence: verdict.detail };
  }
}

/** A credit has an id of its own. A void has that of its sale, which then is answered as voided. */
async function enquireRefund(api: Ippay, refund: Refund): Promise<LookupResult> {
  const token = tokenIn(refund.of.state);
  if (token === undefined) return { is: 'inconclusive', why: 'the payment has no token' };
  const answer = await enquiryOf(api, token.kind, refund.ref);
  if (answer.is === 'fault') return { is: 'inconclusive', why: answer.detail };
  const verdict = verdictOf(answer.reply);
  if (verdict.is === 'approved' && token.kind === 'bank') {
    const became = await becameOf(api, refund, token);
    return became.is === 'succeeded'
      ? { ...became, captured: refund.amount, state: { kind: 'bank' } }
      : became;
  }
  if (verdict.is === 'approved' || verdict.is === 'declined') return refundedBy(refund, token, answer.reply);
  if (verdict.is !== 'notFound') return { is: 'inconclusive', why: verdict.detail };
  if (token.kind === 'bank') return { is: 'absent', proven: false };
  const sale = await enquiryOf(api, 'card', refund.of.ref);
  if (sale.is === 'fault') return { is: 'inconclusive', why: sale.detail };
  return isVoided(sale.reply) ? voidedOutcome(refund) : { is: 'absent', proven: false };
}

/** By the list of cards or of accounts since the day of the refund. */
async function scanForRefund(api: Ippay, refund: Refund): Promise<LookupResult> {
  const kind = tokenIn(refund.of.state)?.kind ?? 'card';
  const report = await api.report(kind === 'card' ? 'credit' : 'ach', refund.sentAt);
  if (report.is !== 'rows') return { is: 'inconclusive', why: report.detail };
  const approved = report.rows.filter((row) => row.of('ActionCode') === '000');
  const isVoid = approved.some(
    (row) => row.of('Request_Type') === 'VOID' && referenceOf(row) === refund.of.ref,
  );
  if (isVoid) return voidedOutcome(refund);
  const own = approved.find((row) => referenceOf(row) === refund.ref);
  if (own === undefined) return { is: 'absent', proven: false };
  if (kind === 'bank') return becameOf(api, refund, { token: '', kind });
  return { is: 'succeeded', remote: remoteId(refund.ref), captured: refund.amount, state: { kind } };
}
