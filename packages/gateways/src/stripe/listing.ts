/** All that may have been taken since a time, for a database that was restored from a backup and has forgotten payments. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { ListedCharge } from '../port/gateway.ts';
import { gatewayRef, remoteId } from '../port/gateway-ref.ts';
import { ask, pageSize, readList, type StripeDeps } from './client.ts';
import {
  fromWireAmount,
  type IntentReply,
  isBankIntent,
  lookupFromIntent,
  metadataRef,
  readIntent,
} from './wire.ts';
import { browserAddress } from './wire-method.ts';

/** Beyond 100,000 objects something is wrong, and a person is better than a scan that runs on. */
const mostPages = 1_000;

const openPage = z.looseObject({
  object: z.literal('checkout.session'),
  id: z.string().check(z.regex(/^cs_/)),
  status: z.nullish(z.string()),
  created: z.int(),
  url: z.nullish(z.string()),
  amount_total: z.nullish(z.int()),
  currency: z.nullish(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
});

type Query = {
  readonly created: { readonly gte: number };
  readonly limit: number;
  readonly starting_after?: string;
};

/** {@link Gateway.listCharges} of Stripe: payments that took money or may, and pages that can still be paid. */
export async function* listCharges(deps: StripeDeps, since: Date): AsyncGenerator<ListedCharge> {
  const gte = Math.floor(since.getTime() / 1000);
  for await (const value of all((query) => deps.stripe.paymentIntents.list(query), gte)) {
    const intent = readIntent(value);
    if (intent?.created == null) throw new Error('a payment of the list cannot be read');
    const { outcome, amount } = { outcome: lookupFromIntent(intent, {}), amount: amountOf(intent) };
    if (outcome.is !== 'succeeded' && outcome.is !== 'pending' && outcome.is !== 'requiresAction') continue;
    if (amount === undefined) continue;
    yield {
      ...labelled(intent),
      amount,
      outcome,
      kind: isBankIntent(intent) ? 'bank' : 'card',
      at: timeOf(intent.created),
    };
  }
  for await (const value of all((query) => deps.stripe.checkout.sessions.list(query), gte)) {
    const { data: page } = z.safeParse(openPage, value);
    if (page === undefined) throw new Error('a page of the list cannot be read');
    const to = browserAddress(page.url);
    const amount = fromWireAmount(page.amount_total ?? 0, page.currency ?? '');
    if (page.status !== 'open' || to === undefined || amount === undefined) continue;
    const state = { page: 'open', session: page.id };
    const action = { do: 'redirect', to } as const;
    const outcome = { is: 'requiresAction', action, remote: remoteId(page.id), state } as const;
    yield { ...labelled(page), amount, outcome, kind: 'card', at: timeOf(page.created) };
  }
}

const timeOf = (seconds: number): Date => new Date(seconds * 1000);
const amountOf = ({ amount, currency }: IntentReply) => fromWireAmount(amount, currency);

function labelled({ metadata }: Pick<IntentReply, 'metadata'>): Pick<ListedCharge, 'ref' | 'labels'> {
  const { [metadataRef]: ref, customerId = '', invoices = '' } = metadata ?? {};
  // Anybody may write metadata: what is no reference is none.
  const isRef = ref !== undefined && /^[0-9A-Z]{18}$/.test(ref);
  return { ...(isRef ? { ref: gatewayRef(ref) } : {}), labels: { customer: customerId, invoice: invoices } };
}

/** Every object of a list, page by page. @throws {Error} when one cannot be read */
async function* all(
  list: (query: Query) => Promise<Stripe.Response<unknown>>,
  gte: number,
): AsyncGenerator<unknown> {
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await ask(
      list({ created: { gte }, limit: pageSize, ...(after === undefined ? {} : { starting_after: after }) }),
    );
    const read = answer.is === 'ok' ? readList(answer.value) : undefined;
    if (read === undefined)
      throw new Error(
        `the list cannot be read: ${answer.is === 'error' ? answer.fault.detail : 'it is none'}`,
      );
    for (const value of read.data) {
      yield value;
      after = z.safeParse(z.looseObject({ id: z.string() }), value).data?.id;
    }
    if (!read.hasMore || read.data.length === 0) return;
  }
  throw new Error(`the list has more than ${mostPages * pageSize} objects`);
}
