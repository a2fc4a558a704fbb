/** One reseller's Pinch merchant behind the gateway port. */
import * as z from 'zod/mini';
import { outcomeOfFault } from '../kit/http.ts';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  Charge,
  Gateway,
  GatewayEvent,
  GatewayState,
  ListedCharge,
  LookupResult,
  Outcome,
  Refund,
  SaveState,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { apiOf, type PinchContext, paymentsSince, pollEvents } from './client.ts';
import { manifest, moneyWithinMs } from './manifest.ts';
import { removeTemporaryCards, savedMethods, temporaryCard } from './saved-methods.ts';
import { readDelivery } from './webhook.ts';
import {
  type Answer,
  capturedOf,
  chargebackOf,
  type Found,
  foundPayment,
  inBrief,
  isOurFault,
  isRefunded,
  listedFrom,
  oddityOf,
  outcomeOf,
  type PaymentReply,
  paymentReply,
  readByNonce,
  readSent,
  realtimeBody,
  refOf,
  refundBody,
  refundOutcome,
  refundReply,
  refusedCard,
  type Source,
  sourceOf,
} from './wire.ts';

const invalid = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });

/** The card of a charge, by what is kept of it. */
const cardOf = ({ source }: Charge, state: GatewayState | undefined): Source | undefined =>
  sourceOf(source !== 'lost' && 'saved' in source ? source.saved : (state ?? {}));

/** What is kept before the charge, so that it can be sent again and the card removed: a saved one is with the charge anyway. */
const keptOf = ({ source }: Charge, card: Source | undefined): GatewayState =>
  card === undefined || (source !== 'lost' && 'saved' in source) ? {} : { ...card };

/** The card is kept before the charge is sent, so without it, or with its payer alone, the charge never was. */
const isNeverSent = ({ source }: Charge, state: GatewayState | undefined): boolean =>
  source === 'lost' &&
  (state === undefined || (state['payer'] !== undefined && state['source'] === undefined));

type Unsent = Exclude<Answer, { is: 'answer' }>;

export function createGateway(context: PinchContext): Gateway {
  const { config, log } = context;
  const ask = apiOf(context);
  const saved = savedMethods(ask);

  const unsent = (answer: Unsent, state: GatewayState | undefined): Outcome =>
    answer.is === 'keysRefused'
      ? { is: 'notAttempted', why: 'config', detail: answer.detail }
      : outcomeOfFault(answer.reach, answer.detail, state);

  const readPayment = async (id: string): Promise<PaymentReply | 'gone' | undefined> => {
    const answer = await ask('GET', `/payments/${encodeURIComponent(id)}`);
    if (answer.is !== 'answer') return undefined;
    if (answer.status === 404) return 'gone';
    const parsed = z.safeParse(paymentReply, answer.body);
    return answer.status === 200 && parsed.success && parsed.data.id === id ? parsed.data : undefined;
  };

  /** A payment as it is now, where a replay tells how it was at first. */
  const current = async (payment: PaymentReply): Promise<PaymentReply> => {
    const now = await readPayment(payment.id);
    return now === undefined || now === 'gone' ? payment : now;
  };

  /** A second fee, or another sum, is for whoever runs this to see. */
  const watch = (payment: PaymentReply, charge: Charge): void => {
    const oddity = oddityOf(payment, charge);
    if (oddity !== undefined)
      log.warn({ ref: charge.ref, payment: payment.id, amount: payment.amount }, oddity);
  };

  const byNonce = async (charge: Charge): Promise<Found<PaymentReply> | Unsent> => {
    const answer = await ask('POST', '/payments/nonce', { nonce: charge.ref });
    return answer.is === 'answer' ? readByNonce(answer, paymentReply) : answer;
  };

  const madeBefore = async (charge: Charge): Promise<Outcome | undefined> => {
    const before = await byNonce(charge);
    return before.is === 'found' ? outcomeOf(await current(before.value), charge, {}) : undefined;
  };

  const pay = async (charge: Charge, card: Source): Promise<Found<PaymentReply> | Unsent> => {
    const answer = await ask('POST', '/payments/realtime', realtimeBody(charge, card), moneyWithinMs);
    return answer.is === 'answer' ? readSent(answer, paymentReply) : answer;
  };

  /** Sends the charge for the first time. */
  const take = async (charge: Charge, card: Source): Promise<Outcome> => {
    const kept = keptOf(charge, card);
    const sent = await pay(charge, card);
    switch (sent.is) {
      case 'found': {
        const payment = sent.isReplay ? await current(sent.value) : sent.value;
        watch(payment, charge);
        return outcomeOf(payment, charge, kept);
      }
      case 'refused': {
        const isSaved = charge.source !== 'lost' && 'saved' in charge.source;
        if (isSaved && (await saved.getMethod({ ...card })).is === 'gone')
          return { is: 'notAttempted', why: 'methodGone', detail: inBrief(sent.errors) };
        if (isOurFault(sent.errors)) return invalid(inBrief(sent.errors));
        return { is: 'declined', why: { ...refusedCard(sent.errors), class: 'otherMethod' } };
      }
      case 'absent':
        return { is: 'unknown', evidence: 'an answer without a payment', state: kept };
      case 'unclear':
        return { is: 'unknown', evidence: sent.detail, state: kept };
      default:
        return unsent(sent, kept);
    }
  };

  const charge = async (one: Charge, saveState: SaveState): Promise<Outcome> => {
    const { source } = one;
    if (one.amount.currency !== config.currency) return invalid('the merchant takes another currency');
    if (source === 'lost') return invalid('there is no card to charge');
    if ('saved' in source) {
      const card = sourceOf(source.saved);
      return card === undefined ? invalid('the saved card has no id') : take(one, card);
    }
    if (!('token' in source)) {
      destroySecrets(source);
      return invalid('only a token can be charged');
    }
    const made = await temporaryCard(ask, source.token, one.owner, saveState);
    if (made.is === 'refused') {
      // A token is good for one use: the same charge may have used it before.
      return (await madeBefore(one)) ?? { is: 'declined', why: made.why };
    }
    return made.is === 'made' ? take(one, made.card) : made;
  };

  const lookup: Gateway['lookup'] = async (one, state, strategy) => {
    const card = cardOf(one, state);
    if (strategy.by === 'replay') {
      if (card === undefined) return { is: 'inconclusive', why: 'nothing is kept to send again' };
      return found(one, card, await pay(one, card), true);
    }
    const seen = await found(one, card, await byNonce(one), false);
    return seen.is === 'absent' && isNeverSent(one, state) ? { is: 'absent', proven: true } : seen;
  };

  /** @param sent a request that may charge has left: what is refused then says nothing of the first one */
  const found = async (
    one: Charge,
    card: Source | undefined,
    answer: Found<PaymentReply> | Unsent,
    sent: boolean,
  ): Promise<LookupResult> => {
    switch (answer.is) {
      case 'found': {
        const payment = answer.isReplay ? await current(answer.value) : answer.value;
        watch(payment, one);
        return foundPayment(payment, one, keptOf(one, card));
      }
      case 'absent':
        return { is: 'absent', proven: false };
      case 'refused':
        return { is: 'inconclusive', why: inBrief(answer.errors), ...(sent ? { sent: true as const } : {}) };
      case 'keysRefused':
        return { is: 'inconclusive', why: answer.detail };
      case 'fault':
        return {
          is: 'inconclusive',
          why: answer.detail,
          ...(sent && answer.reach === 'sent' ? { sent: true as const } : {}),
        };
      case 'unclear':
        return { is: 'inconclusive', why: answer.detail, ...(sent ? { sent: true as const } : {}) };
    }
  };

  const lookupByRemoteId: Gateway['lookupByRemoteId'] = async (one, remote) => {
    const payment = await readPayment(remote);
    if (payment === undefined || payment === 'gone')
      return { is: 'inconclusive', why: `${remote} cannot be read` };
    if (refOf(payment) !== one.ref) return { is: 'inconclusive', why: `${remote} has another reference` };
    return foundPayment(payment, one, keptOf(one, cardOf(one, undefined)));
  };

  // ---- Refunds ----

  const readRefund = async (id: string) => {
    const answer = await ask('GET', `/refunds/${encodeURIComponent(id)}`);
    if (answer.is !== 'answer') return undefined;
    const parsed = z.safeParse(refundReply, answer.body);
    return answer.status === 200 && parsed.success && parsed.data.id === id ? parsed.data : undefined;
  };

  const refund = async (order: Refund): Promise<Outcome> => {
    const answer = await ask('POST', '/refunds', refundBody(order), moneyWithinMs);
    if (answer.is !== 'answer') return unsent(answer, undefined);
    const sent = readSent(answer, refundReply);
    if (sent.is === 'found')
      return refundOutcome(
        (sent.isReplay ? await readRefund(sent.value.id) : undefined) ?? sent.value,
        order,
      );
    if (sent.is === 'refused') return invalid(inBrief(sent.errors));
    return { is: 'unknown', evidence: sent.is === 'unclear' ? sent.detail : 'an answer without a refund' };
  };

  const lookupRefund: Gateway['lookupRefund'] = async (order, _state, strategy) => {
    if (strategy.by === 'replay') {
      const outcome = await refund(order);
      if (outcome.is !== 'notAttempted') return outcome;
      return {
        is: 'inconclusive',
        why: outcome.detail,
        ...(outcome.why === 'invalid' ? { sent: true as const } : {}),
      };
    }
    const answer = await ask('POST', '/refunds/nonce', { nonce: order.ref });
    if (answer.is !== 'answer') return { is: 'inconclusive', why: answer.detail };
    const before = readByNonce(answer, refundReply);
    if (before.is === 'absent') return { is: 'absent', proven: false };
    if (before.is !== 'found') return { is: 'inconclusive', why: 'a look-up of a refund was not understood' };
    return refundOutcome((await readRefund(before.value.id)) ?? before.value, order);
  };

  // ---- Events ----

  const resolveEvent = async (event: GatewayEvent): Promise<readonly GatewayEvent[] | 'inconclusive'> => {
    const { reversal, remote, ...about } = event;
    if (remote === undefined) return [];
    if (event.about === 'refund') {
      const read = await readRefund(remote);
      if (read === undefined) return 'inconclusive';
      const ref = refOf(read);
      const named = { ...about, remote, ...(ref === undefined ? {} : { ref }) };
      if (!isRefunded(read) || read.paymentId == null) return [named];
      const of = remoteId(read.paymentId);
      const amount = capturedOf(read, config.currency);
      if (amount === undefined) return 'inconclusive';
      return [{ ...named, reversal: { kind: 'refund', remote, of, amount, code: '' } }];
    }
    const payment = await readPayment(remote);
    if (payment === undefined) return 'inconclusive';
    if (payment === 'gone') return [];
    const ref = refOf(payment);
    const named = { ...about, remote, ...(ref === undefined ? {} : { ref }) };
    const back = reversal === undefined ? undefined : chargebackOf(payment, config.currency);
    if (back === 'inconclusive') return back;
    return [back === undefined ? named : { ...named, reversal: back }];
  };

  /** Whether the payer's bank has taken it back. Refunds come with events alone: nothing lists those of a payment. */
  const listReversals: Gateway['listReversals'] = async (_charge, { payment: id }) => {
    const payment = id === undefined ? undefined : await readPayment(id);
    if (payment === undefined || payment === 'gone') return 'inconclusive';
    const back = chargebackOf(payment, config.currency);
    if (back === 'inconclusive') return back;
    return { reversals: back === undefined ? [] : [back] };
  };

  /** @throws {Error} also where one of them cannot be read: nothing is left out in silence */
  async function* listCharges(since: Date): AsyncGenerator<ListedCharge> {
    for (const id of await paymentsSince(ask, since)) {
      const payment = await readPayment(id);
      if (payment === undefined) throw new Error(`${id} cannot be read`);
      const listed = payment === 'gone' ? undefined : listedFrom(payment, config.currency);
      if (listed !== undefined) yield listed;
    }
  }

  return {
    capabilities: { ...manifest.capabilities, currencies: [config.currency] },
    async verifyCredentials() {
      const answer = await ask('GET', '/health/auth');
      if (answer.is === 'keysRefused') return { ok: false, rights: [], why: answer.detail };
      if (answer.is === 'fault') return { ok: false, rights: [], why: answer.detail, unreachable: true };
      // A token that is not taken is answered 404.
      return answer.status === 200
        ? { ok: true, rights: [] }
        : { ok: false, rights: [], why: `the token is not taken: status ${answer.status}` };
    },
    charge,
    lookup,
    lookupByRemoteId,
    // Nothing sends a payer to Pinch and back.
    handleReturn: () => Promise.resolve({ is: 'inconclusive', why: 'Pinch sends no payer anywhere' }),
    async cancel(one, state) {
      if (isNeverSent(one, state)) return { is: 'cannotCancel' };
      const before = await byNonce(one);
      return before.is === 'found' ? found(one, cardOf(one, state), before, false) : { is: 'cannotCancel' };
    },
    async cleanUp({ source }, { payer }) {
      // A saved card is its owner's to remove.
      if (payer === undefined || (source !== 'lost' && 'saved' in source)) return;
      await removeTemporaryCards(ask, payer);
    },
    refund,
    lookupRefund,
    ...saved,
    parseWebhook: (raw, headers, now) => readDelivery(config.webhookSecrets, raw, headers, now),
    resolveEvent,
    listReversals,
    listCharges,
    pollEvents: (cursor) => pollEvents(ask, context.clock.now(), cursor),
  };
}
