/**
 * What happens after a request: webhooks, and returns of bank debits, which no webhook tells. Chargebacks of cards are told by no
 * call at all: they are in the processor's own reports.
 */
import * as z from 'zod/mini';
import { refused, verifyDelivery } from '../kit/webhook.ts';
import type { Charge, GatewayEvent, GatewayState, Reversal, WebhookReading } from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { type Deps, ListNotRead, readDetails, settledBatches, transactionsOf } from './client.ts';
import type { AuthorizeNetSettings } from './manifest.ts';
import type { DetailsReply } from './replies.ts';
import { amountFromWire, readChargeState } from './wire.ts';

const notification = z.looseObject({
  notificationId: z.string().check(z.minLength(1), z.maxLength(255)),
  eventType: z.string(),
  payload: z.looseObject({
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    merchantReferenceId: z.nullish(z.string()),
    customerProfileId: z.nullish(z.union([z.string(), z.number()])),
  }),
});

/** By the longest beginning. Others say nothing of money or methods. */
const about: readonly (readonly [string, GatewayEvent['about']])[] = [
  ['net.authorize.payment.refund.', 'refund'],
  ['net.authorize.payment.', 'charge'],
  ['net.authorize.customer.paymentProfile.', 'method'],
  ['net.authorize.customer.', 'payer'],
];

/** {@link Gateway.parseWebhook} of Authorize.Net. */
export function parseWebhook(
  config: AuthorizeNetSettings,
  raw: Uint8Array,
  headers: Headers,
): WebhookReading {
  const { signatureKeys, signatureKeyEncoding } = config;
  // Over the raw bytes: written again, `45.00` would become `45`. The key is used as it is displayed; the setting is for an account
  // that proves to be otherwise.
  const secrets = signatureKeys.map((key) =>
    signatureKeyEncoding === 'hex' ? Buffer.from(key, 'hex') : key,
  );
  const delivery = verifyDelivery(raw, headers, secrets, {
    header: 'x-anet-signature',
    prefix: 'sha512=',
    algorithm: 'sha512',
    status: 401,
  });
  if (delivery.is === 'refused') return delivery;
  const read = z.safeParse(notification, delivery.body);
  if (!read.success) return refused(400, 'not a notification');
  const { notificationId, eventType, payload } = read.data;
  const subject = about.find(([beginning]) => eventType.startsWith(beginning))?.[1];
  if (subject === undefined || payload.id === undefined)
    return { is: 'accepted', trust: 'signed', events: [] };
  const ref = payload.merchantReferenceId ?? '';
  const payer = subject === 'payer' ? payload.id : payload.customerProfileId;
  return {
    is: 'accepted',
    trust: 'signed',
    events: [
      {
        id: notificationId,
        about: subject,
        remote: remoteId(payload.id),
        ...(isGatewayRef(ref) ? { ref } : {}),
        ...(payer ? { payer: remoteId(String(payer)) } : {}),
      },
    ],
  };
}

/** The event of a batch that was read to its end: it moves the cursor, and there is nothing to follow. */
const batchEvent = (batchId: string): string => `batch-${batchId}`;

/**
 * {@link Gateway.resolveEvent} of Authorize.Net: the reference, and for a refund or void the charge and amount. Where the
 * account may not read its transactions, the event stands as it came.
 */
export async function resolveEvent(
  deps: Deps,
  event: GatewayEvent,
): Promise<readonly GatewayEvent[] | 'inconclusive'> {
  if (event.id.startsWith('batch-')) return [];
  if (event.about === 'method' || event.about === 'payer' || event.reversal !== undefined) return [event];
  if (event.remote === undefined) return [];
  const answer = await readDetails(deps, event.remote);
  if (answer.is === 'refused' && answer.code === 'E00011') return [event];
  if (answer.is !== 'answer') return 'inconclusive';
  const { transaction, transrefId } = answer.value;
  const own = transrefId ?? transaction.order?.invoiceNumber ?? '';
  const { currency } = deps.config;
  if (transaction.transactionType?.startsWith('refund') === true) {
    const reversal = refundReversal(answer.value, currency);
    return [
      {
        ...event,
        about: 'refund',
        ...(isGatewayRef(own) ? { ref: own } : {}),
        ...(reversal === undefined ? {} : { reversal }),
      },
    ];
  }
  const reversals = reversalsIn(answer.value, currency);
  // A void by us carries the reference of the refund it is; one at the gateway none.
  const ref = reversals.length > 0 && event.ref !== own ? event.ref : undefined;
  if (reversals.length > 0)
    return reversals.map((reversal) => ({
      id: event.id,
      about: 'charge',
      remote: remoteId(transaction.transId),
      ...(ref === undefined ? {} : { ref }),
      reversal,
    }));
  return [{ ...event, about: 'charge', ...(isGatewayRef(own) ? { ref: own } : {}) }];
}

const amountOf = ({ transaction }: DetailsReply, currency: string): Reversal['amount'] | undefined =>
  amountFromWire(transaction.settleAmount ?? undefined, currency) ??
  amountFromWire(transaction.authAmount ?? undefined, currency);

function refundReversal(details: DetailsReply, currency: string): Reversal | undefined {
  const { transId, refTransId, transactionStatus: status } = details.transaction;
  const amount = amountOf(details, currency);
  if (amount === undefined || !refTransId) return undefined;
  if (status === 'declined' || status === 'generalError') return undefined;
  return {
    kind: status === 'voided' ? 'refundFailed' : 'refund',
    remote: remoteId(transId),
    of: remoteId(refTransId),
    amount,
    code: '',
  };
}

/** What became of a charge, by its details. */
function reversalsIn(details: DetailsReply, currency: string): readonly Reversal[] {
  const { transId, transactionStatus: status, returnedItems = [] } = details.transaction;
  const amount = amountOf(details, currency);
  if (amount === undefined) return [];
  const of = remoteId(transId);
  const whole = (kind: Reversal['kind'], code = ''): Reversal => ({ kind, remote: of, of, amount, code });
  switch (status) {
    case 'voided':
      return [whole('refund', 'voided')];
    case 'chargeback':
      return [whole('chargeback', status)];
    case 'chargebackReversal':
      return [whole('chargeback', status), whole('chargebackWon', status)];
    case 'returnedItem':
      if (returnedItems.length === 0) return [whole('failed', status)];
  }
  return returnedItems.map(({ id, code }) => ({
    kind: 'failed',
    remote: remoteId(id || transId),
    of,
    amount,
    code: code ?? '',
  }));
}

/** {@link Gateway.listReversals} of Authorize.Net. Refunds made in its back office come by webhook: nothing lists them by charge. */
export async function reversalsOf(
  deps: Deps,
  _charge: Charge,
  state: GatewayState,
): Promise<{ readonly reversals: readonly Reversal[] } | 'inconclusive'> {
  const { transId } = readChargeState(state);
  if (transId === undefined) return 'inconclusive';
  const answer = await readDetails(deps, transId);
  return answer.is === 'answer'
    ? { reversals: reversalsIn(answer.value, deps.config.currency) }
    : 'inconclusive';
}

/** Banks return debits within 60 days; a few more for one that was settled late. */
const firstPollMs = 65 * 24 * 60 * 60_000;

/** A batch is read once its list has surely come to be whole. */
const wholeAfterMs = 60 * 60_000;

/**
 * {@link Gateway.pollEvents} of Authorize.Net: returned debits, in the batches settled after the cursor. Nothing, where the account
 * may not read its transactions.
 * @throws {ListNotRead} when a list cannot be read
 */
export async function* pollReturns(
  deps: Deps,
  cursor: string | undefined,
): AsyncGenerator<GatewayEvent & { readonly cursor: string }> {
  const [after = '', batchAfter = ''] = cursor?.split(' ') ?? [];
  const since = after === '' ? new Date(deps.clock.now().getTime() - firstPollMs) : new Date(after);
  const wholeUntil = deps.clock.now().getTime() - wholeAfterMs;
  let behind = cursor ?? '';
  try {
    for (const { batchId, settlementTimeUTC } of await settledBatches(deps, since)) {
      const isRead =
        settlementTimeUTC < after || (settlementTimeUTC === after && batchId.localeCompare(batchAfter) <= 0);
      if (isRead) continue;
      if (Date.parse(settlementTimeUTC) > wholeUntil) return;
      for (const row of await transactionsOf(deps, batchId)) {
        const event =
          row.transactionStatus === 'returnedItem' ? await returnedItem(deps, row.transId) : undefined;
        if (event !== undefined) yield { ...event, cursor: behind };
      }
      behind = `${settlementTimeUTC} ${batchId}`;
      yield { id: batchEvent(batchId), about: 'charge', cursor: behind };
    }
  } catch (fault) {
    if (fault instanceof ListNotRead && fault.code === 'E00011') return;
    throw fault;
  }
}

/** A returned debit is a transaction of its own that names the original. */
async function returnedItem(deps: Deps, transId: string): Promise<GatewayEvent | undefined> {
  const answer = await readDetails(deps, transId);
  if (answer.is !== 'answer') throw new ListNotRead(answer);
  const { refTransId, returnedItems = [], responseReasonCode } = answer.value.transaction;
  const amount = amountOf(answer.value, deps.config.currency);
  if (!refTransId || amount === undefined) return undefined;
  const of = remoteId(refTransId);
  const code = returnedItems[0]?.code ?? responseReasonCode ?? '';
  return {
    id: `returned-${transId}`,
    about: 'charge',
    remote: of,
    reversal: { kind: 'failed', remote: remoteId(transId), of, amount, code },
  };
}
