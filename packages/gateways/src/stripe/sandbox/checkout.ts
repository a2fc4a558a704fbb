/** `/v1/checkout/sessions`: a page of Stripe's own that pays or saves. https://docs.stripe.com/api/checkout/sessions */
import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { random } from '@counterfoil/sandbox/ids.ts';
import { findChallenge } from '@counterfoil/sandbox/money/challenge.ts';
import { challengePage } from '@counterfoil/sandbox/pages/challenge-page.ts';
import { hostedPage } from '@counterfoil/sandbox/pages/hosted-page.ts';
import { page, redirect } from '@counterfoil/sandbox/pages/page.ts';
import { decodeForm } from '@counterfoil/sandbox/requests/form.ts';
import {
  group,
  id,
  list,
  oneOf,
  type ReadFields,
  readParams,
  required,
  text,
  webAddress,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { answerChallenge, challenged, confirm, endIntent, returnAddress } from './confirming.ts';
import { checkAmount, readCurrency } from './data.ts';
import { checkCustomer, newPayment, newSetup, typeFields, typesOf } from './intents.ts';
import { createMethod, methodFields } from './methods.ts';
import {
  common,
  conflict,
  created,
  faultFrom,
  invalid,
  mergeMetadata,
  metadata,
  needed,
  paging,
  pinnedVersion,
} from './protocol.ts';
import {
  type Call,
  change,
  emit,
  find,
  gateway,
  get,
  type Intent,
  later,
  listOf,
  put,
  type Route,
  route,
  type Session,
  taskWork,
  type Work,
} from './work.ts';

const lineItem = group({
  price_data: required(
    group({
      currency: required(id()),
      unit_amount: required(whole(0)),
      product_data: required(group({ name: required(id(1000)) })),
    }),
  ),
  quantity: whole(0),
});
const fields = {
  ...common,
  ...typeFields,
  cancel_url: webAddress,
  client_reference_id: id(200),
  customer: id(),
  expires_at: whole(0),
  line_items: list(lineItem),
  metadata,
  mode: required(oneOf('payment', 'setup')),
  payment_intent_data: group({ description: text(1000), metadata }),
  success_url: required(webAddress),
};

/** The total of the lines. @throws {StripeFault} 400 on mixed currencies or a bad total */
function price(items: NonNullable<ReadFields<typeof fields>['line_items']>) {
  const [first] = items;
  if (first === undefined) throw needed('line_items');
  const currency = readCurrency(first.price_data.currency);
  if (items.some((item) => readCurrency(item.price_data.currency) !== currency))
    throw invalid('All line items must have the same currency.', 'line_items');
  const total = items.reduce((sum, item) => sum + item.price_data.unit_amount * (item.quantity ?? 1), 0);
  checkAmount(total, currency);
  return { total, currency, label: items.map((item) => item.price_data.product_data.name).join(', ') };
}

const base = '/v1/checkout/sessions';
const lifeSeconds = { least: 30 * 60, most: 24 * 3600 };

function create(call: Call, params: ReadFields<typeof fields>): Session {
  const now = call.host.clock.seconds();
  const { expires_at = now + lifeSeconds.most, mode } = params;
  if (expires_at < now + lifeSeconds.least || expires_at > now + lifeSeconds.most)
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.',
      'expires_at',
    );
  const priced = mode === 'payment' ? price(params.line_items ?? []) : undefined;
  const cs = `cs_test_${random(40)}`;
  const about = {
    ...typesOf(call, params),
    customer: checkCustomer(call, params.customer),
    metadata: mergeMetadata({}, params.payment_intent_data?.metadata),
    _session: cs,
  };
  const { total: amount = 0, currency = '' } = priced ?? {};
  const description = params.payment_intent_data?.description ?? null;
  const intent =
    priced === undefined
      ? newSetup(call, about)
      : newPayment(call, { ...about, amount, currency, description });
  later(call, (expires_at - now) * 1000, 'expire-session', { session: cs });
  return put(call, {
    id: cs,
    object: 'checkout.session',
    amount_total: priced?.total ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    created: now,
    currency: priced?.currency ?? null,
    metadata: mergeMetadata({}, params.metadata),
    mode,
    payment_intent: mode === 'payment' ? intent.id : null,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: mode === 'setup' ? intent.id : null,
    status: 'open',
    success_url: params.success_url,
    url: `${call.host.publicUrl}${checkoutPath}/${call.account}/${cs}`,
    _label: priced?.label ?? 'Save a payment method',
  });
}

const intentOf = (work: Work, { payment_intent: pi, setup_intent: seti }: Session): Intent | undefined =>
  get(work, 'payment_intent', pi) ?? get(work, 'setup_intent', seti);

/** Follows the session's intent after the page, or the bank, did something with it. */
export function followIntent(work: Work, intent: Intent): void {
  const session = get(work, 'checkout.session', intent._session);
  const isPaid = intent.object === 'payment_intent' && intent.status === 'succeeded';
  const tell = (event: string, more: Partial<Session> = {}) =>
    session && emit(work, `checkout.session.${event}`, change(work, session, more));
  if (session?.status === 'open' && ['succeeded', 'processing'].includes(intent.status))
    tell('completed', { status: 'complete', url: null, ...(isPaid ? { payment_status: 'paid' } : {}) });
  else if (session?.status === 'complete' && session.payment_status === 'unpaid') {
    if (isPaid) tell('async_payment_succeeded', { payment_status: 'paid' });
    else if (intent.status === 'requires_payment_method') tell('async_payment_failed');
  }
}

/** Ends an open session: its page is dead and its intent cannot be paid any more. */
export function expireSession(work: Work, session: Session | undefined): Session | undefined {
  if (session?.status !== 'open') return session;
  const expired = change(work, session, { status: 'expired', url: null });
  const intent = intentOf(work, session);
  if (intent !== undefined) endIntent(work, intent, null);
  emit(work, 'checkout.session.expired', expired);
  return expired;
}

export const checkoutRoutes: readonly Route[] = [
  route('POST', base, fields, create, { operation: 'charge' }),
  route(
    'GET',
    base,
    { ...paging, created },
    (call, params) =>
      listOf(call, 'checkout.session', params, (one) => one.created >= (params.created?.gte ?? 0)),
    { operation: 'find' },
  ),
  route('GET', `${base}/:id`, common, (call, _params, cs) => find(call, 'checkout.session', cs), {
    operation: 'find',
  }),
  route(
    'POST',
    `${base}/:id/expire`,
    common,
    (call, _params, cs) => {
      const session = find(call, 'checkout.session', cs);
      if (session.status !== 'open')
        throw conflict(`This Checkout Session has a status of ${session.status} and cannot be expired.`);
      return expireSession(call, session) ?? session;
    },
    { operation: 'refund' },
  ),
];

// ---- Its page, and the bank's ----

export const checkoutPath = '/stripe/checkout';
export const challengePath = '/stripe/3ds';
const nobody = { frameAncestors: [] };

/** The forms on the page. */
const forms = [
  {
    type: 'card',
    title: 'Card',
    fields: [
      ['card[number]', 'Card number', 'cc-number'],
      ['card[exp_month]', 'Expiry month', 'cc-exp-month'],
      ['card[exp_year]', 'Expiry year', 'cc-exp-year'],
      ['card[cvc]', 'Security code', 'cc-csc'],
      ['billing_details[name]', 'Name on card', 'cc-name'],
    ],
    consent: false,
  },
  {
    type: 'au_becs_debit',
    title: 'BECS Direct Debit',
    fields: [
      ['billing_details[name]', 'Name', 'name'],
      ['billing_details[email]', 'Email', 'email'],
      ['au_becs_debit[bsb_number]', 'BSB', 'off'],
      ['au_becs_debit[account_number]', 'Account number', 'off'],
    ],
    consent: true,
  },
] as const;

export async function checkoutPage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const [account = '', cs] = request.path.slice(checkoutPath.length + 1).split('/');
  const call: Call = {
    ...taskWork(host, account, host.store.begin()),
    version: pinnedVersion,
    publishable: true,
    clientIp: request.headers['x-forwarded-for'] ?? '127.0.0.1',
  };
  const session = get(call, 'checkout.session', cs);
  const intent = session && intentOf(call, session);
  if (session === undefined || intent === undefined)
    return page(404, 'Not found', '<h1>This page does not exist</h1>', nobody);
  if (session.status !== 'open') {
    const text = session.status === 'expired' ? 'This page has expired' : 'This payment is already complete';
    return page(410, text, `<h1>${text}</h1><p>Go back to where you came from and start again.</p>`, nobody);
  }
  const show = (error?: string) => {
    const about = {
      label: session._label,
      amount:
        intent.object === 'payment_intent' ? { minor: intent.amount, currency: intent.currency } : undefined,
      button: session.mode === 'setup' ? 'Save' : 'Pay',
      forms: forms.filter(({ type }) => intent.payment_method_types.includes(type)),
      error,
      back: session.cancel_url,
    };
    return page(200, 'Checkout', hostedPage(about), nobody);
  };
  if (request.method !== 'POST') return show();
  try {
    const { mandate, ...form } = decodeForm(request.body.toString('utf8'));
    const online = { ip_address: call.clientIp, user_agent: request.headers['user-agent'] ?? null };
    const returnUrl = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
    const method = createMethod(call, readParams(methodFields, form));
    const acceptance = mandate === 'accepted' ? ({ type: 'online', online } as const) : null;
    const done = confirm(call, intent, { method, returnUrl, acceptance });
    followIntent(call, done);
    await call.tx.commit();
    host.webhooks.pump();
    const next = done.next_action?.['redirect_to_url'];
    return redirect(next instanceof Object && 'url' in next ? String(next.url) : returnUrl);
  } catch (cause) {
    const fault = faultFrom(cause);
    if (fault === undefined) throw cause;
    if (fault.begun) await call.tx.commit();
    else call.tx.rollback();
    return show(fault.message);
  }
}

export function cardChallenge(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const challenge = findChallenge(host, gateway, request.path.slice(challengePath.length + 1));
  const work = taskWork(host, challenge?.account ?? '', host.store.begin());
  const about = challenge && challenged(work, challenge);
  const { intent } = about ?? {};
  const amount =
    intent?.object === 'payment_intent'
      ? { amount: { minor: intent.amount, currency: intent.currency } }
      : {};
  const open = about && { ...about, ...amount, answer };
  async function answer(passed: boolean): Promise<string> {
    if (about === undefined) throw new TypeError('there is no such challenge');
    // One that is no longer waited for changes nothing.
    const now = about.waiting ? answerChallenge(work, about.intent, passed) : about.intent;
    followIntent(work, now);
    await work.tx.commit();
    host.webhooks.pump();
    return returnAddress(now);
  }
  return challengePage(request, open);
}
