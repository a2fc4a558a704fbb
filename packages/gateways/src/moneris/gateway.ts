/** One reseller's Moneris store behind the gateway port. */
import { compareMoney } from '@counterfoil/domain/money/money.ts';
import { type HttpReply, outcomeOfFault, send } from '../kit/http.ts';
import { destroySecrets, type SecretBytes } from '../kit/secret-bytes.ts';
import { lendXml, type XmlNode } from '../kit/xml.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type {
  Charge,
  Gateway,
  GatewayState,
  LookupResult,
  Outcome,
  Refund,
  SaveState,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import {
  adminWithinMs,
  type MonerisRole,
  type MonerisSettings,
  manifest,
  purchaseWithinMs,
} from './manifest.ts';
import { savedMethods, temporaryCard } from './saved-methods.ts';
import {
  type Answer,
  type Ask,
  codeResultOf,
  correctionNode,
  foundBy,
  inBrief,
  isUnknownKey,
  type KeyedCard,
  maskedNode,
  outcomeOf,
  purchaseNode,
  readReceipt,
  refundNode,
  requestOf,
  type Taken,
  verdictOf,
} from './wire.ts';

type MonerisContext = GatewayContext<MonerisSettings, MonerisRole>;

/** The store of an account over the shared transport. */
function storeOf({ config, addresses, fetch, timeoutMs }: MonerisContext): Ask {
  const url = config.environment === 'test' ? addresses.apiTest : addresses.api;
  return async (transaction, { isStatusCheck = false, withinMs = adminWithinMs } = {}) => {
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': 'text/xml; charset=iso-8859-1' },
      timeoutMs: Math.min(withinMs, timeoutMs ?? withinMs),
    } as const;
    const root = requestOf(config, transaction, isStatusCheck);
    return readAnswer(await lendXml(root, (body) => send({ ...request, body }, fetch)));
  };
}

function readAnswer(reply: HttpReply): Answer {
  if (reply.is === 'fault') return reply;
  if (reply.status !== 200) return { is: 'fault', reach: 'sent', detail: `status ${reply.status}` };
  const reading = readReceipt(reply.bytes);
  return reading.is === 'receipt' ? reading : { is: 'fault', reach: 'sent', detail: reading.detail };
}

const invalid = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });

/** The card of a charge, by what is kept of it. */
function cardOf(charge: Charge, state: GatewayState | undefined): KeyedCard | undefined {
  const { source } = charge;
  const { key, expiry, issuer } = source !== 'lost' && 'saved' in source ? source.saved : (state ?? {});
  if (key === undefined) return undefined;
  return {
    key,
    ...(expiry === undefined ? {} : { expiry }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/** What is kept before a purchase, so that it can be looked for: a saved card is with the charge anyway. */
const stateOf = ({ key, expiry }: KeyedCard): GatewayState => (expiry === undefined ? {} : { key, expiry });

export function createGateway(context: MonerisContext): Gateway {
  const { config, log, clock } = context;
  const ask = storeOf(context);

  /** Sends the purchase; the same every time but for the code, which is not kept. */
  const purchase = async (charge: Charge, card: KeyedCard, code?: SecretBytes): Promise<Outcome> => {
    const answer = await ask(purchaseNode(charge, card, config, code), { withinMs: purchaseWithinMs });
    if (answer.is === 'fault') return outcomeOfFault(answer.reach, answer.detail, stateOf(card));
    const outcome = outcomeOf(answer.receipt, charge, stateOf(card));
    if (outcome.is === 'succeeded' && codeResultOf(answer.receipt) === 'N')
      log.warn({ ref: charge.ref }, 'Moneris took a payment whose security code did not match');
    if (outcome.is === 'unknown' || outcome.is === 'notAttempted')
      log.warn({ ref: charge.ref, answer: inBrief(answer.receipt) }, 'Moneris did not decide on a payment');
    return outcome;
  };

  /** A request that was not sent on need not say that the key is unknown: the vault does. */
  const goneOr = async (outcome: Outcome, { key, expiry }: KeyedCard): Promise<Outcome> => {
    if (outcome.is !== 'notAttempted' || outcome.why !== 'invalid' || expiry !== undefined) return outcome;
    const answer = await ask(maskedNode(key));
    const isGone = answer.is === 'receipt' && isUnknownKey(answer.receipt);
    return isGone ? { is: 'notAttempted', why: 'methodGone', detail: outcome.detail } : outcome;
  };

  const charge = async (one: Charge, saveState: SaveState): Promise<Outcome> => {
    const { source } = one;
    if (one.amount.currency !== config.currency) return refusing(source, 'the store takes another currency');
    if (source === 'lost') return invalid('there is no card to charge');
    if ('saved' in source) {
      const card = cardOf(one, undefined);
      if (card === undefined) return invalid('the saved card has no key');
      return goneOr(await purchase(one, card), card);
    }
    const made = await temporaryCard(ask, config, source);
    if (made.is !== 'card') return made.is === 'refused' ? { is: 'declined', why: made.why } : made;
    try {
      await saveState(stateOf(made.card));
    } catch {
      made.code?.destroy();
      return { is: 'notAttempted', why: 'invalid', detail: 'the attempt has ended' };
    }
    return purchase(one, made.card, made.code);
  };

  const lookup: Gateway['lookup'] = async (one, state, strategy) => {
    const card = cardOf(one, state);
    if (card === undefined) {
      // The key is kept before the purchase is sent, so without one it never was.
      if (state === undefined && one.source === 'lost') return { is: 'absent', proven: true };
      return { is: 'inconclusive', why: 'nothing is kept to ask with' };
    }
    return strategy.by === 'replay' ? sendAgain(one, card) : checkStatus(one, card);
  };

  const checkStatus = async (one: Charge, card: KeyedCard): Promise<LookupResult> => {
    const answer = await ask(purchaseNode(one, card, config, undefined), { isStatusCheck: true });
    return answer.is === 'fault'
      ? { is: 'inconclusive', why: answer.detail }
      : foundBy(answer.receipt, one, stateOf(card));
  };

  /** Refused, it was taken before or nothing was sent on; either says nothing of the first request. */
  const sendAgain = async (one: Charge, card: KeyedCard): Promise<LookupResult> => {
    const outcome = await purchase(one, card);
    if (outcome.is !== 'notAttempted') return outcome;
    return {
      is: 'inconclusive',
      why: outcome.detail,
      ...(outcome.why === 'unreachable' ? {} : { sent: true as const }),
    };
  };

  const refund = async (order: Refund): Promise<Outcome> => {
    const { order: id, transaction, at } = order.of.state;
    if (id === undefined || transaction === undefined)
      return invalid('the payment has no transaction number');
    const of: Taken = { order: id, transaction };
    const isWhole =
      order.of.refundedBefore.minor === 0n && compareMoney(order.amount, order.of.captured) === 0;
    const ageMs = clock.now().getTime() - new Date(at ?? 0).getTime();
    if (isWhole && ageMs < longestBatchMs) {
      const voided = await undo(correctionNode(of, order.ref, config), of, order);
      // The batch is closed, most of the time: then it is refunded.
      if (voided.is !== 'refused') return voided.outcome;
      log.debug({ ref: order.ref, answer: voided.detail }, 'Moneris voids this payment no more');
    }
    const refunded = await undo(refundNode(of, order, config), of, order);
    return refunded.is === 'refused' ? invalid(refunded.detail) : refunded.outcome;
  };

  /** Sends a refund or void. Without an answer no look-up will tell: neither has an order id of its own. */
  const undo = async (node: XmlNode, of: Taken, order: Refund): Promise<Undone> => {
    const answer = await ask(node, { withinMs: purchaseWithinMs });
    if (answer.is === 'fault') {
      const outcome = outcomeOfFault(answer.reach, answer.detail, undefined);
      return {
        is: 'outcome',
        outcome: outcome.is === 'unknown' ? { ...outcome, needsPerson: true } : outcome,
      };
    }
    const { receipt } = answer;
    const verdict = verdictOf(receipt);
    const detail = inBrief(receipt);
    switch (verdict.is) {
      case 'approved': {
        const remote = remoteId(`${of.order}/${receipt.of('TransID') ?? order.ref}`);
        return { is: 'outcome', outcome: { is: 'succeeded', remote, captured: order.amount, state: {} } };
      }
      case 'unclear':
      case 'duplicate':
        return { is: 'outcome', outcome: { is: 'unknown', evidence: detail, needsPerson: true } };
      case 'refused':
        if (verdict.why === 'config')
          return { is: 'outcome', outcome: { is: 'notAttempted', why: 'config', detail } };
        return { is: 'refused', detail };
      case 'declined':
        return { is: 'refused', detail };
    }
  };

  return {
    capabilities: { ...manifest.capabilities, currencies: [config.currency] },
    async verifyCredentials() {
      // Reads a card that no vault has: moves nothing, and tells whether the keys are good before it tells that.
      const answer = await ask(maskedNode('counterfoilchecksitskeys0'));
      if (answer.is === 'fault') return { ok: false, rights: [], why: answer.detail, unreachable: true };
      const verdict = verdictOf(answer.receipt);
      if (verdict.is === 'unclear') return { ok: false, rights: [], why: verdict.detail, unreachable: true };
      const isRefused = verdict.is === 'refused' && verdict.why === 'config';
      return isRefused ? { ok: false, rights: [], why: verdict.detail } : { ok: true, rights: [] };
    },
    charge,
    lookup,
    // Nothing sends a payer to Moneris and back.
    handleReturn: () => Promise.resolve({ is: 'inconclusive', why: 'Moneris sends no payer anywhere' }),
    cancel: () => Promise.resolve({ is: 'cannotCancel' }),
    refund,
    ...savedMethods(ask, config),
  };
}

/** A batch closes every evening. */
const longestBatchMs = 25 * 60 * 60_000;

type Undone =
  | { readonly is: 'outcome'; readonly outcome: Outcome }
  /** Certainly nothing went back. */
  | { readonly is: 'refused'; readonly detail: string };

function refusing(source: Charge['source'], detail: string): Outcome {
  if (source !== 'lost') destroySecrets(source);
  return invalid(detail);
}
