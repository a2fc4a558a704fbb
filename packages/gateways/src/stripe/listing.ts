/** All that may have been taken since a time, for a database that was restored from a backup and has forgotten payments. */
import * as z from 'zod/mini';
import type { ListedCharge } from '../port/gateway.ts';
import { gatewayRef, remoteId } from '../port/gateway-ref.ts';
import { everyOf, type StripeDeps } from './client.ts';
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

/** {@link Gateway.listCharges} of Stripe: payments that took money or may, and pages that can still be paid. */
export async function* listCharges(deps: StripeDeps, since: Date): AsyncGenerator<ListedCharge> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const { paymentIntents, checkout } = deps.stripe;
  const intents = everyOf((query) => paymentIntents.list({ created, ...query }), readTimed, mostPages);
  for await (const intent of intents) {
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
  const pages = everyOf((query) => checkout.sessions.list({ created, ...query }), readPage, mostPages);
  for await (const page of pages) {
    const to = browserAddress(page.url);
    const amount = fromWireAmount(page.amount_total ?? 0, page.currency ?? '');
    if (page.status !== 'open' || to === undefined || amount === undefined) continue;
    const state = { page: 'open', session: page.id };
    const action = { do: 'redirect', to } as const;
    const outcome = { is: 'requiresAction', action, remote: remoteId(page.id), state } as const;
    yield { ...labelled(page), amount, outcome, kind: 'card', at: timeOf(page.created) };
  }
}

const readPage = (value: unknown) => z.safeParse(openPage, value).data;
function readTimed(value: unknown): (IntentReply & { readonly created: number }) | undefined {
  const intent = readIntent(value);
  return intent?.created == null ? undefined : { ...intent, created: intent.created };
}
const timeOf = (seconds: number): Date => new Date(seconds * 1000);
const amountOf = ({ amount, currency }: IntentReply) => fromWireAmount(amount, currency);

function labelled({ metadata }: Pick<IntentReply, 'metadata'>): Pick<ListedCharge, 'ref' | 'labels'> {
  const { [metadataRef]: ref, customerId = '', invoices = '' } = metadata ?? {};
  // Anybody may write metadata: what is no reference is none.
  const isRef = ref !== undefined && /^[0-9A-Z]{18}$/.test(ref);
  return { ...(isRef ? { ref: gatewayRef(ref) } : {}), labels: { customer: customerId, invoice: invoices } };
}
