/** `/v1/checkout/sessions`: a hosted page that pays or saves. https://docs.stripe.com/api/checkout/sessions */

import { newId, newSecret, random } from '@counterfoil/sandbox/ids.ts';
import {
  group,
  id,
  ignored,
  ignoring,
  list,
  oneOf,
  type ReadFields,
  required,
  text,
  webAddress,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, later, type Route, route, type Work } from './account.ts';
import { updatePayment } from './charges.ts';
import { checkAmount, readCurrency } from './data.ts';
import { checkCustomer, commonIntent, intentTypes, typeFields, updateSetup } from './intents.ts';
import type { CheckoutSession, PaymentIntent, SetupIntent } from './objects.ts';
import { newPayment } from './payments.ts';
import {
  common,
  conflict,
  created,
  invalid,
  isWithin,
  listOf,
  mergeMetadata,
  metadata,
  missing,
  paging,
} from './wire.ts';

const lineItem = group({
  price: id(),
  price_data: group({
    currency: required(id()),
    unit_amount: whole(0),
    unit_amount_decimal: ignored,
    product: ignored,
    product_data: group({
      name: required(id(1000)),
      description: text(),
      images: ignored,
      metadata,
      tax_code: ignored,
    }),
    tax_behavior: ignored,
  }),
  quantity: whole(0),
  ...ignoring('adjustable_quantity dynamic_tax_rates tax_rates'),
});
export const checkoutFields = {
  ...common,
  ...typeFields,
  ...ignoring(
    'adaptive_pricing after_expiration allow_promotion_codes automatic_tax branding_settings consent_collection custom_fields custom_text customer_account customer_update discounts invoice_creation origin_context payment_method_collection payment_method_data payment_method_options phone_number_collection redirect_on_completion saved_payment_method_options shipping_address_collection shipping_options submit_type tax_id_collection wallet_options',
  ),
  billing_address_collection: oneOf('auto', 'required'),
  cancel_url: webAddress,
  client_reference_id: id(200),
  currency: id(),
  customer: id(),
  customer_creation: oneOf('always', 'if_required'),
  customer_email: id(512),
  expires_at: whole(0),
  line_items: list(lineItem),
  locale: id(),
  metadata,
  mode: oneOf('payment', 'setup', 'subscription'),
  payment_intent_data: group({
    capture_method: oneOf('automatic', 'automatic_async', 'manual'),
    description: text(1000),
    metadata,
    receipt_email: text(512),
    setup_future_usage: oneOf('off_session', 'on_session'),
    statement_descriptor: text(22),
    statement_descriptor_suffix: text(22),
  }),
  return_url: webAddress,
  setup_intent_data: group({ description: text(1000), metadata, on_behalf_of: ignored }),
  success_url: webAddress,
  ui_mode: oneOf('hosted_page', 'embedded_page', 'elements', 'form'),
};

/** The total of the lines. @throws {StripeFault} 400 on mixed currencies, unknown prices, or a bad total */
export function price(items: NonNullable<ReadFields<typeof checkoutFields>['line_items']>) {
  let total = 0;
  let currency: string | undefined;
  const labels: string[] = [];
  for (const [index, item] of items.entries()) {
    const at = `line_items[${index}]`;
    if (item.price !== undefined) throw missing('price', item.price, `${at}[price]`);
    const data = item.price_data;
    if (data?.unit_amount === undefined) {
      throw invalid(
        `Missing required param: ${at}[price_data][unit_amount].`,
        `${at}[price_data][unit_amount]`,
        'parameter_missing',
      );
    }
    const own = readCurrency(data.currency);
    if (currency !== undefined && own !== currency) {
      throw invalid('All line items must have the same currency.', `${at}[price_data][currency]`);
    }
    currency = own;
    total += data.unit_amount * (item.quantity ?? 1);
    labels.push(data.product_data?.name ?? 'Item');
  }
  const known = currency ?? 'usd';
  checkAmount(total, known);
  return { total, currency: known, label: labels.join(', ') };
}

const base = '/v1/checkout/sessions';
const lifeSeconds = { least: 30 * 60, most: 24 * 3600 };

function create(call: Call, params: ReadFields<typeof checkoutFields>): CheckoutSession {
  const mode = params.mode ?? 'payment';
  if (mode === 'subscription') throw invalid('This sandbox has no subscriptions.', 'mode');
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') {
    throw invalid('This sandbox serves hosted pages only.', 'ui_mode');
  }
  if (params.success_url === undefined)
    throw invalid('Missing required param: success_url.', 'success_url', 'parameter_missing');
  const items = params.line_items ?? [];
  if (mode === 'payment' && items.length === 0) {
    throw invalid('Missing required param: line_items.', 'line_items', 'parameter_missing');
  }
  const typesGiven = params.allowed_payment_method_types ?? params.payment_method_types;
  if (mode === 'setup' && params.currency === undefined && typesGiven === undefined) {
    throw invalid('Missing required param: currency.', 'currency', 'parameter_missing');
  }
  const now = call.host.clock.seconds();
  const expires_at = params.expires_at ?? now + lifeSeconds.most;
  if (expires_at < now + lifeSeconds.least || expires_at > now + lifeSeconds.most) {
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      'expires_at',
    );
  }
  const priced = mode === 'payment' ? price(items) : undefined;
  const currency =
    priced?.currency ?? (params.currency === undefined ? undefined : readCurrency(params.currency));
  const cs = `cs_test_${random(40)}`;
  const customer = checkCustomer(call, params.customer);
  const types = intentTypes(call, params, currency);
  const intent =
    priced === undefined
      ? newSetup(call, cs, customer, types, mergeMetadata({}, params.setup_intent_data?.metadata))
      : newPayment(call, {
          ...types,
          amount: priced.total,
          currency: priced.currency,
          customer,
          description: params.payment_intent_data?.description ?? null,
          metadata: mergeMetadata({}, params.payment_intent_data?.metadata),
          receipt_email: params.payment_intent_data?.receipt_email ?? null,
          setup_future_usage: params.payment_intent_data?.setup_future_usage ?? null,
          status: 'requires_payment_method',
          capture_method: params.payment_intent_data?.capture_method ?? 'automatic_async',
          _session: cs,
        });
  const session: CheckoutSession = {
    id: cs,
    object: 'checkout.session',
    amount_subtotal: priced?.total ?? null,
    amount_total: priced?.total ?? null,
    automatic_tax: { enabled: false, status: null },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    created: now,
    currency: currency ?? null,
    customer,
    customer_email: params.customer_email ?? null,
    expires_at,
    livemode: false,
    locale: params.locale ?? null,
    metadata: mergeMetadata({}, params.metadata),
    mode,
    payment_intent: intent.object === 'payment_intent' ? intent.id : null,
    payment_method_types: intent.payment_method_types,
    payment_status: mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: intent.object === 'setup_intent' ? intent.id : null,
    status: 'open',
    success_url: params.success_url,
    ui_mode: 'hosted_page',
    url: `${call.host.publicUrl}/stripe/checkout/${call.account.id}/${cs}`,
    _label: priced?.label ?? 'Save a payment method',
  };
  call.tx.put(call.account.sessions, cs, session);
  later(call, (expires_at - now) * 1000, 'expire-session', { session: cs });
  return session;
}

function newSetup(
  call: Call,
  cs: string,
  customer: string | null,
  types: ReturnType<typeof intentTypes>,
  given: Readonly<Record<string, string>>,
): SetupIntent {
  const seti = newId('seti');
  const intent: SetupIntent = {
    ...commonIntent,
    ...types,
    id: seti,
    object: 'setup_intent',
    client_secret: newSecret(seti),
    created: call.host.clock.seconds(),
    customer,
    description: null,
    last_setup_error: null,
    latest_attempt: null,
    mandate: null,
    metadata: given,
    payment_method: null,
    payment_method_options: {},
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
    _return_url: null,
    _session: cs,
  };
  call.tx.put(call.account.setups, seti, intent);
  emit(call, 'setup_intent.created', intent);
  return intent;
}

function updateSession(
  work: Work,
  session: CheckoutSession,
  change: Partial<CheckoutSession>,
): CheckoutSession {
  const next = { ...session, ...change };
  work.tx.put(work.account.sessions, session.id, next);
  return next;
}

/** Follows the session's intent after the page did something with it. */
export function followIntent(work: Work, intent: PaymentIntent | SetupIntent): CheckoutSession | undefined {
  const session = work.account.sessions.get(intent._session ?? '');
  if (session?.status !== 'open') return session;
  if (!['succeeded', 'processing', 'requires_capture'].includes(intent.status)) return session;
  const paid = intent.object === 'payment_intent' && intent.status === 'succeeded';
  const done = updateSession(work, session, {
    status: 'complete',
    url: null,
    payment_status: session.mode === 'setup' ? 'no_payment_required' : paid ? 'paid' : 'unpaid',
  });
  emit(work, 'checkout.session.completed', done);
  return done;
}

/** After a debit has ended: tells whoever fulfils the session. */
export function followDebit(work: Work, intent: PaymentIntent): void {
  const session = work.account.sessions.get(intent._session ?? '');
  if (session?.status !== 'complete' || session.payment_status === 'paid') return;
  if (intent.status === 'succeeded') {
    emit(
      work,
      'checkout.session.async_payment_succeeded',
      updateSession(work, session, { payment_status: 'paid' }),
    );
  } else if (intent.status === 'requires_payment_method')
    emit(work, 'checkout.session.async_payment_failed', session);
}

/** Ends an open session: its page is dead and its intent cannot be paid any more. */
export function expireSession(work: Work, cs: string): CheckoutSession | undefined {
  const session = work.account.sessions.get(cs);
  if (session?.status !== 'open') return session;
  const expired = updateSession(work, session, { status: 'expired', url: null });
  const payment = work.account.payments.get(session.payment_intent ?? '');
  const ended = { status: 'canceled', next_action: null, _challenge: null } as const;
  if (payment !== undefined) {
    const canceled = updatePayment(work, payment, { ...ended, canceled_at: work.host.clock.seconds() });
    emit(work, 'payment_intent.canceled', canceled);
  }
  const setup = work.account.setups.get(session.setup_intent ?? '');
  if (setup !== undefined) emit(work, 'setup_intent.canceled', updateSetup(work, setup, ended));
  emit(work, 'checkout.session.expired', expired);
  return expired;
}

function find(call: Call, cs: string): CheckoutSession {
  const session = call.account.sessions.get(cs);
  if (session === undefined) throw missing('checkout.session', cs, 'session', true);
  return session;
}

export const checkoutRoutes: readonly Route[] = [
  route('POST', base, checkoutFields, create, { operation: 'charge' }),
  route(
    'GET',
    base,
    {
      ...paging,
      created,
      customer: id(),
      payment_intent: id(),
      status: oneOf('open', 'complete', 'expired'),
    },
    (call, params) =>
      listOf(
        base,
        call.account.sessions,
        params,
        (session) =>
          isWithin(session.created, params.created) &&
          (params.customer === undefined || session.customer === params.customer) &&
          (params.payment_intent === undefined || session.payment_intent === params.payment_intent) &&
          (params.status === undefined || session.status === params.status),
      ),
    { operation: 'find' },
  ),
  route('GET', `${base}/:id`, common, (call, _params, cs = '') => find(call, cs), { operation: 'find' }),
  route(
    'POST',
    `${base}/:id/expire`,
    common,
    (call, _params, cs = '') => {
      const session = find(call, cs);
      if (session.status !== 'open') {
        throw conflict(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        );
      }
      return expireSession(call, cs) ?? session;
    },
    { operation: 'refund' },
  ),
];
