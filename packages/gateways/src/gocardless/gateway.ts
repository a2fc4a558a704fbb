/** One reseller's GoCardless account behind the gateway port. */
import type {
  CancelResult,
  Charge,
  CredentialCheck,
  Gateway,
  GatewayEvent,
  GatewayState,
  ListedCharge,
  LookupResult,
  LookupStrategy,
  Outcome,
  Refund,
  Reversal,
} from '../port/gateway.ts';
import {
  type Answer,
  type Fault,
  type GocardlessContext,
  isMissing,
  listParts,
  openClient,
  step,
} from './client.ts';
import {
  eventFromWire,
  inOrder,
  lastFailure,
  listedFrom,
  readWebhook,
  refundReversals,
  reversalsOf,
} from './events.ts';
import { keyTrustedMs, manifest } from './manifest.ts';
import { beginSetup, completeSetup, getMethod, listMethods, removeMethod } from './saved-methods.ts';
import {
  billingRequestReply,
  creditorReply,
  declineOf,
  eventReply,
  type Failure,
  type MandateReply,
  mandateReply,
  methodState,
  outcomeFromPayment,
  outcomeFromRefund,
  type PaymentReply,
  paymentBody,
  paymentReply,
  type RefundReply,
  refOf,
  refundBody,
  refundReply,
  refusalOf,
  remoteOf,
  setupRefOf,
} from './wire.ts';

const mostReplacements = 5;
const minute = 60_000;
/** Clocks differ: what is looked for from a time on may be stamped a little earlier. */
const clocksMs = 5 * minute;
/** Without a cursor events are read from this far back. */
const firstPollMs = 30 * 24 * 60 * minute;

const inconclusive = (why: string): LookupResult => ({ is: 'inconclusive', why });

/** The outcome of an order that was not answered as documented. */
const outcomeOfFault = (answer: Fault): Outcome => {
  const { detail } = answer;
  if (answer.is === 'fault' && answer.reach === 'notSent')
    return { is: 'notAttempted', why: 'unreachable', detail };
  const refusal = answer.is === 'error' ? refusalOf(answer.status, answer.error) : undefined;
  return refusal ?? { is: 'unknown', evidence: detail };
};

export function createGateway(context: GocardlessContext): Gateway {
  const { config, clock } = context;
  const client = openClient(context);

  // ---- Reading ----

  const readPayment = (id: string) => client.get(`/payments/${step(id)}`, 'payments', paymentReply);
  const readRefund = (id: string) => client.get(`/refunds/${step(id)}`, 'refunds', refundReply);

  const historyOf = async (payment: string) => {
    const events = await client.list('/events', 'events', eventReply, { payment });
    return events.is === 'ok' ? ({ is: 'ok', value: inOrder(events.value) } as const) : events;
  };

  /** Whether a failed payment is collected again stands in its event only. */
  const failureOf = async ({ id, status }: PaymentReply): Promise<Failure | undefined> => {
    if (status !== 'failed') return undefined;
    const history = await historyOf(id);
    return history.is === 'ok' ? lastFailure(history.value) : undefined;
  };

  const resultOf = async (payment: PaymentReply): Promise<LookupResult> =>
    outcomeFromPayment(payment, await failureOf(payment));

  // ---- Charging ----

  /** Orders the debit. The same reference again is answered with the name of the payment there is. */
  const order = async (charge: Charge, mandate: string, hops = 0): Promise<LookupResult> => {
    const made = await client.post(
      '/payments',
      'payments',
      paymentReply,
      paymentBody(charge, mandate),
      charge.ref,
    );
    if (made.is === 'ok') return resultOf(made.value);
    const { conflicting, newMandate, reason } = (made.is === 'error' && made.error) || {};
    if (conflicting !== undefined) {
      const found = await lookupById(charge, conflicting);
      return found.is === 'inconclusive' ? { is: 'unknown', evidence: found.why } : found;
    }
    // Nothing was made of the old one, so that the reference is good for the new one.
    if (reason === 'mandate_replaced' && newMandate !== undefined && hops < mostReplacements)
      return order(charge, newMandate, hops + 1);
    return outcomeOfFault(made);
  };

  const mandateOf = ({ source }: Charge) =>
    source !== 'lost' && 'saved' in source ? methodState(source.saved) : undefined;

  /** The payment with our reference among those of the mandate, or of the one that has replaced it. */
  const findPayment = async (charge: Charge): Promise<PaymentReply | LookupResult> => {
    const since = new Date(charge.sentAt.getTime() - clocksMs).toISOString();
    let mandate: string | null | undefined = mandateOf(charge)?.mandate;
    if (mandate === undefined) return inconclusive('no mandate is known');
    for (let hops = 0; mandate && hops <= mostReplacements; hops += 1) {
      const filter = { mandate, 'created_at[gte]': since };
      const listed = await client.list('/payments', 'payments', paymentReply, filter);
      if (listed.is !== 'ok') return inconclusive(listed.detail);
      const mine = listed.value.filter((payment) => refOf(payment) === charge.ref);
      if (mine.length > 1)
        return { is: 'unknown', evidence: 'two payments carry one reference', needsPerson: true };
      if (mine[0] !== undefined) return mine[0];
      const read: Answer<MandateReply> = await client.get(
        `/mandates/${step(mandate)}`,
        'mandates',
        mandateReply,
      );
      mandate = read.is === 'ok' ? read.value.links.new_mandate : undefined;
    }
    return { is: 'absent', proven: false };
  };

  /** By its id, where one is known, else among those of the mandate. */
  const paymentOf = async (
    charge: Charge,
    state: GatewayState | undefined,
  ): Promise<PaymentReply | LookupResult> => {
    const { payment } = state ?? {};
    if (payment === undefined) return findPayment(charge);
    const read = await readPayment(payment);
    if (read.is !== 'ok') return inconclusive(read.detail);
    return refOf(read.value) === charge.ref ? read.value : inconclusive(`${payment} is of another attempt`);
  };

  /** What became of a payment by its id, where it carries our reference. */
  const lookupById = async (charge: Charge, payment: string): Promise<LookupResult> =>
    asResult(await paymentOf(charge, { payment }));

  const asResult = async (found: PaymentReply | LookupResult): Promise<LookupResult> =>
    'is' in found ? found : resultOf(found);

  const lookupByKey = async (charge: Charge): Promise<LookupResult> => {
    const known = mandateOf(charge);
    if (known === undefined) return inconclusive('no mandate is known');
    if (clock.now().getTime() - charge.sentAt.getTime() > keyTrustedMs)
      return inconclusive('the key may be forgotten');
    const found = await order(charge, known.mandate);
    if (found.is !== 'notAttempted') return found;
    return found.why === 'unreachable'
      ? { is: 'unknown', evidence: found.detail }
      : { is: 'inconclusive', why: found.detail, sent: true };
  };

  const lookup = async (
    charge: Charge,
    state: GatewayState | undefined,
    { by }: LookupStrategy,
  ): Promise<LookupResult> => {
    const { payment } = state ?? {};
    switch (by) {
      case 'remote':
        return payment === undefined ? inconclusive('no id is known') : lookupById(charge, payment);
      case 'replay':
        return lookupByKey(charge);
      case 'scan':
        return asResult(await findPayment(charge));
      default:
        return inconclusive(`there is no way ${by}`);
    }
  };

  const cancel = async (charge: Charge, state: GatewayState | undefined): Promise<CancelResult> => {
    const found = await asResult(await paymentOf(charge, state));
    if (found.is !== 'pending') return found;
    const path = `/payments/${step(found.remote)}/actions/cancel`;
    const ended = await client.post(path, 'payments', paymentReply, { data: {} });
    // An action has no key: after no answer, as after a refusal, it counts how the payment stands.
    return ended.is === 'ok' ? resultOf(ended.value) : lookupById(charge, found.remote);
  };

  // ---- Refunds ----

  const refundByList = async ({ ref, of }: Refund): Promise<RefundReply | Fault | undefined> => {
    const listed = await client.list('/refunds', 'refunds', refundReply, { payment: of.remote });
    return listed.is === 'ok' ? listed.value.find((one) => refOf(one) === ref) : listed;
  };
  const isFault = (found: RefundReply | Fault | undefined): found is Fault =>
    found !== undefined && 'is' in found;

  const orderRefund = async (refund: Refund): Promise<Outcome> => {
    const made = await client.post('/refunds', 'refunds', refundReply, refundBody(refund), refund.ref);
    if (made.is === 'ok') return outcomeFromRefund(made.value);
    const conflicting = made.is === 'error' ? made.error?.conflicting : undefined;
    if (conflicting !== undefined) {
      const read = await readRefund(conflicting);
      return read.is === 'ok' ? outcomeFromRefund(read.value) : { is: 'unknown', evidence: read.detail };
    }
    const outcome = outcomeOfFault(made);
    if (outcome.is !== 'notAttempted' || outcome.why === 'unreachable' || outcome.why === 'config')
      return outcome;
    // Once it was made, the sum no longer fits: which of the two is looked at first is not documented.
    const found = await refundByList(refund);
    if (isFault(found)) return { is: 'unknown', evidence: found.detail };
    return found === undefined
      ? { is: 'notAttempted', why: 'invalid', detail: outcome.detail }
      : outcomeFromRefund(found);
  };

  const lookupRefund = async (
    refund: Refund,
    state: GatewayState | undefined,
    { by }: LookupStrategy,
  ): Promise<LookupResult> => {
    if (state?.['refund'] !== undefined) {
      const read = await readRefund(state['refund']);
      return read.is === 'ok' ? outcomeFromRefund(read.value) : inconclusive(read.detail);
    }
    if (by === 'scan') {
      const found = await refundByList(refund);
      if (isFault(found)) return inconclusive(found.detail);
      return found === undefined ? { is: 'absent', proven: false } : outcomeFromRefund(found);
    }
    if (by !== 'replay' || clock.now().getTime() - refund.sentAt.getTime() > keyTrustedMs)
      return inconclusive('the key may be forgotten');
    const found = await orderRefund(refund);
    if (found.is !== 'notAttempted') return found;
    return found.why === 'unreachable'
      ? { is: 'unknown', evidence: found.detail }
      : { is: 'inconclusive', why: found.detail, sent: true };
  };

  // ---- Events ----

  /** Of a refund two things are told: what became of it, and of the payment it undoes. */
  const resolveRefund = async (event: GatewayEvent, remote: string) => {
    const read = await readRefund(remote);
    if (read.is !== 'ok') return isMissing(read) ? [] : 'inconclusive';
    const ref = refOf(read.value);
    const payment = remoteOf(read.value.links.payment);
    const { id } = event;
    return [
      ...(ref === undefined ? [] : [{ ...event, ref }]),
      ...(payment === undefined ? [] : [{ id, about: 'charge' as const, remote: payment }]),
    ];
  };

  const resolveEvent = async (event: GatewayEvent): Promise<readonly GatewayEvent[] | 'inconclusive'> => {
    const { id, about, remote } = event;
    if (remote === undefined) return [];
    if (about === 'refund') return resolveRefund(event, remote);
    if (about === 'charge') {
      const read = await readPayment(remote);
      if (read.is !== 'ok') return isMissing(read) ? [] : 'inconclusive';
      const ref = refOf(read.value);
      return [{ id, about, remote, ...(ref === undefined ? {} : { ref }) }];
    }
    if (about === 'mandate') {
      const read = await client.get(`/mandates/${step(remote)}`, 'mandates', mandateReply);
      if (read.is !== 'ok') return isMissing(read) ? [] : 'inconclusive';
      const payer = remoteOf(read.value.links.customer);
      return [{ id, about, remote, ...(payer === undefined ? {} : { payer }) }];
    }
    const path = `/billing_requests/${step(remote)}`;
    const read = await client.get(path, 'billing_requests', billingRequestReply);
    if (read.is !== 'ok') return isMissing(read) ? [] : 'inconclusive';
    const ref = setupRefOf(read.value);
    return ref === undefined ? [] : [{ id, about, remote, ref }];
  };

  const listReversals = async (
    charge: Charge,
    state: GatewayState,
  ): Promise<{ readonly reversals: readonly Reversal[] } | 'inconclusive'> => {
    const payment = await paymentOf(charge, state);
    if ('is' in payment) return 'inconclusive';
    const { id } = payment;
    const history = await historyOf(id);
    const refunds = await client.list('/refunds', 'refunds', refundReply, { payment: id });
    if (history.is !== 'ok' || refunds.is !== 'ok') return 'inconclusive';
    const ofRefunds = refundReversals(payment, refunds.value);
    return { reversals: [...reversalsOf(payment, history.value), ...ofRefunds] };
  };

  const untilNow = (from: number) => [from, clock.now().getTime() + clocksMs] as const;

  /** What is stamped a little earlier than the cursor is read again: it may have come later. The cursor never goes back. */
  async function* pollEvents(cursor: string | undefined) {
    const from = cursor === undefined ? clock.now().getTime() - firstPollMs : Date.parse(cursor) - clocksMs;
    if (Number.isNaN(from)) throw new TypeError('the cursor is no time');
    let reached = cursor ?? iso(from);
    for await (const events of listParts(client, '/events', eventReply, untilNow(from)))
      for (const one of inOrder(events)) {
        const event = eventFromWire(one);
        if (Date.parse(one.created_at) > Date.parse(reached)) reached = one.created_at;
        if (event !== undefined) yield { ...event, cursor: reached };
      }
  }

  /** @throws {Error} also where it cannot be told what became of one: nothing is left out in silence */
  async function* listCharges(since: Date): AsyncGenerator<ListedCharge> {
    for await (const payments of listParts(client, '/payments', paymentReply, untilNow(since.getTime())))
      for (const payment of payments) {
        const outcome = await resultOf(payment);
        if (outcome.is === 'unknown') throw new Error(outcome.evidence);
        if (outcome.is === 'succeeded' || outcome.is === 'pending') yield listedFrom(payment, outcome);
      }
  }

  const verifyCredentials = async (): Promise<CredentialCheck> => {
    const { creditor } = config;
    const read =
      creditor === ''
        ? await client.list('/creditors', 'creditors', creditorReply, {})
        : await client.get(`/creditors/${step(creditor)}`, 'creditors', creditorReply);
    if (read.is === 'ok') {
      const creditors = [read.value].flat();
      const mayRefund = creditors.some(({ can_create_refunds: may }) => may === true);
      if (creditors.length > 0) return { ok: true, rights: mayRefund ? ['refunds'] : [] };
      return { ok: false, rights: [], why: 'the account has no creditor' };
    }
    const refusal = { ok: false, rights: [], why: read.detail };
    const isVerdict =
      read.is === 'error' && read.error !== undefined && read.status < 500 && read.status !== 429;
    return isVerdict ? refusal : { ...refusal, unreachable: true };
  };

  return {
    capabilities: manifest.capabilities,
    verifyCredentials,
    async charge(charge) {
      const known = mandateOf(charge);
      if (known === undefined)
        return { is: 'notAttempted', why: 'invalid', detail: 'only a mandate can be charged' };
      if (known.currency !== charge.amount.currency)
        return { is: 'notAttempted', why: 'invalid', detail: `the mandate is in ${known.currency}` };
      return asOutcome(await order(charge, known.mandate));
    },
    lookup,
    lookupByRemoteId: lookupById,
    // No page is left for a charge: whoever comes back learns how it stands.
    handleReturn: async (charge, { payment }) =>
      payment === undefined ? inconclusive('no id is known') : lookupById(charge, payment),
    cancel,
    refund: orderRefund,
    lookupRefund,
    beginSetup: (request) => beginSetup(client, config, request),
    completeSetup: (request) => completeSetup(client, request),
    getMethod: (state) => getMethod(client, state),
    listMethods: (payer) => listMethods(client, payer),
    removeMethod: (state) => removeMethod(client, state, clock.now()),
    parseWebhook: (raw, headers) => readWebhook(config.webhookSecrets, raw, headers),
    resolveEvent,
    listReversals,
    listCharges,
    pollEvents,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** What an order says that was answered with what it had made before. */
function asOutcome(found: LookupResult): Outcome {
  switch (found.is) {
    case 'closed':
      return { is: 'declined', why: declineOf('cancelled') };
    case 'absent':
      return { is: 'unknown', evidence: 'the payment cannot be read' };
    case 'inconclusive':
      return { is: 'unknown', evidence: found.why };
    default:
      return found;
  }
}
