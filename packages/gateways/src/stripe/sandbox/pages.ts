/** The pages at `/stripe`: hosted checkout and the 3-D Secure challenge. */

import type { SandboxHost, SandboxReply, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { challengePage } from '@counterfoil/sandbox/pages/challenge-page.ts';
import { hostedPage, type PageField } from '@counterfoil/sandbox/pages/hosted-page.ts';
import { page, redirect } from '@counterfoil/sandbox/pages/page.ts';
import { decodeForm } from '@counterfoil/sandbox/requests/form.ts';
import { readParams } from '@counterfoil/sandbox/requests/params.ts';
import { type Call, openAccount, taskWork } from './account.ts';
import { followIntent } from './checkout.ts';
import { confirmPayment, confirmSetup } from './confirming.ts';
import { answerChallenge, findChallenge, returnAddress } from './intents.ts';
import { createMethod, methodFields } from './methods.ts';
import type { CheckoutSession, MethodType, PaymentIntent, SetupIntent } from './objects.ts';
import { faultFrom, pinnedVersion } from './wire.ts';

export const checkoutPath = '/stripe/checkout';
const nobody = { frameAncestors: [] };

export async function checkoutPage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const [accountId = '', cs = ''] = request.path.slice(checkoutPath.length + 1).split('/');
  const account = openAccount(host, accountId);
  const session = account.sessions.get(cs);
  const intent =
    account.payments.get(session?.payment_intent ?? '') ?? account.setups.get(session?.setup_intent ?? '');
  if (session === undefined || intent === undefined)
    return page(404, 'Not found', '<h1>This page does not exist</h1>', nobody);
  if (session.status !== 'open') {
    const text = session.status === 'expired' ? 'This page has expired' : 'This payment is already complete';
    return page(410, text, `<h1>${text}</h1><p>Go back to where you came from and start again.</p>`, nobody);
  }
  if (request.method !== 'POST') return page(200, 'Checkout', forms(session, intent), nobody);
  const call: Call = {
    ...taskWork(host, account, host.store.begin()),
    version: pinnedVersion,
    publishable: true,
    clientIp: request.headers['x-forwarded-for'] ?? '127.0.0.1',
  };
  try {
    const done = pay(call, intent, request);
    followIntent(call, done);
    await call.tx.commit();
    host.webhooks.pump();
    const url = done.next_action?.['redirect_to_url'];
    const challenge = url instanceof Object && 'url' in url ? String(url.url) : undefined;
    return redirect(challenge ?? successAddress(session));
  } catch (cause) {
    const fault = faultFrom(cause);
    if (fault === undefined) throw cause;
    if (fault.begun) await call.tx.commit();
    else call.tx.rollback();
    return page(200, 'Checkout', forms(session, intent, fault.message), nobody);
  }
}

/** Where the browser goes when the session is complete; the placeholder becomes the session's id. */
export function successAddress(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function pay(
  call: Call,
  intent: PaymentIntent | SetupIntent,
  request: SandboxRequest,
): PaymentIntent | SetupIntent {
  const { mandate, ...form } = decodeForm(request.body.toString('utf8'));
  const method = createMethod(call, readParams(methodFields, form));
  const session = call.account.sessions.get(intent._session ?? '');
  const how = {
    method,
    returnUrl: session === undefined ? null : successAddress(session),
    acceptance:
      mandate === 'accepted'
        ? {
            accepted_at: call.host.clock.seconds(),
            type: 'online' as const,
            online: { ip_address: call.clientIp, user_agent: request.headers['user-agent'] ?? null },
          }
        : null,
  };
  return intent.object === 'payment_intent'
    ? confirmPayment(call, intent, { ...how, offSession: false, refuseAction: false })
    : confirmSetup(call, intent, how);
}

const holder: readonly PageField[] = [
  ['billing_details[name]', 'Name', 'name'],
  ['billing_details[email]', 'Email', 'email'],
];
const address: readonly PageField[] = [
  ['billing_details[address][line1]', 'Address', 'address-line1'],
  ['billing_details[address][city]', 'City', 'address-level2'],
  ['billing_details[address][postal_code]', 'Postal code', 'postal-code'],
  ['billing_details[address][country]', 'Country (two letters)', 'country'],
];
const fields: Readonly<Record<MethodType, readonly PageField[]>> = {
  card: [
    ['card[number]', 'Card number', 'cc-number'],
    ['card[exp_month]', 'Expiry month', 'cc-exp-month'],
    ['card[exp_year]', 'Expiry year', 'cc-exp-year'],
    ['card[cvc]', 'Security code', 'cc-csc'],
    ['billing_details[name]', 'Name on card', 'cc-name'],
  ],
  au_becs_debit: [
    ...holder,
    ['au_becs_debit[bsb_number]', 'BSB', 'off'],
    ['au_becs_debit[account_number]', 'Account number', 'off'],
  ],
  us_bank_account: [
    ...holder,
    ['us_bank_account[routing_number]', 'Routing number', 'off'],
    ['us_bank_account[account_number]', 'Account number', 'off'],
  ],
  bacs_debit: [
    ...holder,
    ...address,
    ['bacs_debit[sort_code]', 'Sort code', 'off'],
    ['bacs_debit[account_number]', 'Account number', 'off'],
  ],
  sepa_debit: [...holder, ['sepa_debit[iban]', 'IBAN', 'off']],
};
const titles: Readonly<Record<MethodType, string>> = {
  card: 'Card',
  au_becs_debit: 'BECS Direct Debit',
  us_bank_account: 'US bank account',
  bacs_debit: 'Bacs Direct Debit',
  sepa_debit: 'SEPA Direct Debit',
};

function forms(session: CheckoutSession, intent: PaymentIntent | SetupIntent, error?: string): string {
  const types = (Object.keys(fields) as MethodType[]).filter((type) =>
    intent.payment_method_types.includes(type),
  );
  return hostedPage({
    label: session._label,
    amount:
      intent.object === 'payment_intent' ? { minor: intent.amount, currency: intent.currency } : undefined,
    button: session.mode === 'setup' ? 'Save' : 'Pay',
    forms: types.map((type) => ({
      type,
      title: titles[type],
      fields: fields[type],
      hidden: type === 'us_bank_account' ? { 'us_bank_account[account_holder_type]': 'individual' } : {},
      consent: type !== 'card',
    })),
    error,
    back: session.cancel_url,
  });
}

export const challengePath = '/stripe/3ds';

export function cardChallenge(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const id = request.path.slice(challengePath.length + 1);
  const workOf = (account: string) => taskWork(host, openAccount(host, account), host.store.begin());
  const open = findChallenge(host, workOf, id);
  const shown = open && {
    waiting: open.waiting,
    ...(open.intent.object === 'payment_intent'
      ? { amount: { minor: open.intent.amount, currency: open.intent.currency } }
      : {}),
  };
  const options = { frameAncestors: host.portalOrigins, doneScript: '/stripe/v3/challenge-done.js' };
  return challengePage(request, shown, options, async (passed) => {
    if (open === undefined) return undefined;
    const work = workOf(open.challenge.account);
    const intent = answerChallenge(work, open, passed);
    followIntent(work, intent);
    await work.tx.commit();
    host.webhooks.pump();
    return returnAddress(intent);
  });
}
