/**
 * The fake Stripe.js: the part of its interface the portal uses, talking to the sandbox it was loaded
 * from. Promises resolve with `{error}`; they do not reject. https://docs.stripe.com/js
 */
import { challenge } from '@counterfoil/sandbox/pages/card-frame/challenge-dialog.ts';
import {
  CardElement,
  type ElementLook,
  integrationError,
} from '@counterfoil/sandbox/pages/card-frame/element.ts';
import type { FieldOptions } from '@counterfoil/sandbox/pages/card-frame/protocol.ts';

type Body = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;
interface Intent extends Body {
  readonly id: string;
  readonly object: 'payment_intent' | 'setup_intent';
  readonly status: string;
  readonly next_action: { readonly type: string; readonly [type: string]: unknown } | null;
}

const script = document.currentScript;
const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : window.location.origin;
const look: ElementLook = {
  frameUrl: `${origin}/stripe/v3/frame.html`,
  className: 'StripeElement',
  types: {
    card: { fields: ['number', 'expiry', 'cvc'], title: 'Secure card payment input frame' },
    cardNumber: { fields: ['number'], title: 'Secure card number input frame' },
    cardExpiry: { fields: ['expiry'], title: 'Secure expiration date input frame' },
    cardCvc: { fields: ['cvc'], title: 'Secure CVC input frame' },
  },
};
const names = {
  number: 'card[number]',
  month: 'card[exp_month]',
  year: 'card[exp_year]',
  cvc: 'card[cvc]',
};

/** `{a:{b:1}}` as `a[b]=1`; absent values are left out. */
function flatten(value: unknown, name: string, into: Record<string, string>): Record<string, string> {
  if (value === undefined || value === null) return into;
  if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value))
      flatten(child, name === '' ? key : `${name}[${key}]`, into);
  } else into[name] = String(value);
  return into;
}

function createStripe(key: string) {
  if (typeof key !== 'string' || !key.startsWith('pk_')) {
    throw integrationError('Please call Stripe() with your publishable key. You used another kind of key.');
  }

  async function request(method: 'GET' | 'POST', path: string, params: object): Promise<Body> {
    const fields = new URLSearchParams({ ...flatten(params, '', {}), key });
    try {
      const answer = await fetch(
        method === 'GET' ? `${origin}${path}?${fields.toString()}` : `${origin}${path}`,
        method === 'GET' ? { method } : { method, body: fields },
      );
      return (await answer.json()) as Body;
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message: 'We could not reach the payment provider. Please try again.',
        },
      };
    }
  }

  function pathOf(secret: string): { readonly path: string; readonly name: 'paymentIntent' | 'setupIntent' } {
    const id = secret.split('_secret_', 1)[0] ?? '';
    if (!/^(pi|seti)_\w+$/.test(id) || !secret.includes('_secret_')) {
      throw integrationError(`Invalid value for the client secret: '${secret.slice(0, 8)}…'.`);
    }
    return id.startsWith('pi_')
      ? { path: `/v1/payment_intents/${id}`, name: 'paymentIntent' }
      : { path: `/v1/setup_intents/${id}`, name: 'setupIntent' };
  }

  /** An intent that ended badly is an error to the caller, as with the real script. */
  function settled(body: Body, name: 'paymentIntent' | 'setupIntent'): Result {
    if (body['error'] !== undefined) return { error: body['error'] };
    const failure = body['last_payment_error'] ?? body['last_setup_error'];
    if (body['status'] === 'requires_payment_method' && failure instanceof Object) {
      return { error: { ...failure, [String(body['object'])]: body } };
    }
    return { [name]: body };
  }

  async function retrieve(secret: string): Promise<Result> {
    const { path, name } = pathOf(secret);
    const body = await request('GET', path, { client_secret: secret });
    return body['error'] === undefined ? { [name]: body } : { error: body['error'] };
  }

  /** Does what the intent asks of the customer: a challenge in a dialog, or a page to go to. */
  async function act(secret: string, intent: Intent): Promise<Result> {
    const { path, name } = pathOf(secret);
    const action = intent.next_action;
    if (intent.status !== 'requires_action' || action === null) return settled(intent, name);
    const details = action[action.type] as { readonly url?: string; readonly stripe_js?: string } | undefined;
    if (action.type === 'redirect_to_url' && details?.url !== undefined) {
      window.location.assign(details.url);
      return await new Promise<never>(() => undefined);
    }
    if (action.type === 'use_stripe_sdk' && details?.stripe_js !== undefined) {
      const finished = await challenge(`${origin}${new URL(details.stripe_js).pathname}`, origin);
      if (!finished) {
        const code = `${intent.object}_authentication_failure`;
        return {
          error: {
            type: 'invalid_request_error',
            code,
            message: 'The authentication was not finished.',
            [intent.object]: intent,
          },
        };
      }
    }
    return settled(await request('GET', path, { client_secret: secret }), name);
  }

  function cardElementIn(value: unknown): CardElement | undefined {
    return value instanceof CardElement ? value : undefined;
  }

  function numberElement(element: CardElement): CardElement {
    const siblings = groups.get(element.group);
    return siblings?.get('card') ?? siblings?.get('cardNumber') ?? element;
  }

  async function createPaymentMethod(data: Body): Promise<Result> {
    const element = cardElementIn(data['card']);
    const { card: _card, ...rest } = data;
    const body =
      element === undefined
        ? await request('POST', '/v1/payment_methods', data)
        : await numberElement(element).send({
            path: '/v1/payment_methods',
            names,
            extra: flatten({ type: 'card', ...rest, key }, '', {}),
          });
    return body['error'] === undefined ? { paymentMethod: body } : { error: body['error'] };
  }

  async function createToken(element: unknown, data: Body = {}): Promise<Result> {
    const card = cardElementIn(element);
    if (card === undefined)
      throw integrationError('You must provide a Stripe Element to create a token from.');
    const { currency, ...fields } = data;
    const body = await numberElement(card).send({
      path: '/v1/tokens',
      names,
      extra: { ...flatten({ ...fields, currency }, 'card', {}), key },
    });
    return body['error'] === undefined ? { token: body } : { error: body['error'] };
  }

  async function confirm(
    secret: string,
    data: Body,
    options: { readonly handleActions?: boolean },
  ): Promise<Result> {
    const { path, name } = pathOf(secret);
    const method = data['payment_method'];
    let params: Record<string, unknown> = { ...data, client_secret: secret, use_stripe_sdk: true };
    if (method instanceof Object && 'card' in method && cardElementIn(method.card) !== undefined) {
      const made = await createPaymentMethod({ type: 'card', ...method });
      if (made['error'] !== undefined) return { error: made['error'] };
      params = { ...params, payment_method: (made['paymentMethod'] as { readonly id: string }).id };
    } else if (method instanceof Object) {
      const { payment_method: _method, ...rest } = params;
      params = { ...rest, payment_method_data: method };
    }
    const body = await request('POST', `${path}/confirm`, params);
    if (body['error'] !== undefined) return { error: body['error'] };
    if (options.handleActions === false) return settled(body, name);
    return await act(secret, body as Intent);
  }

  /** A debit is confirmed with the consent the account holder has just given on the page. */
  const confirmDebit =
    (type: string) =>
    (secret: string, data: Body = {}) => {
      const method = data['payment_method'];
      const consent = {
        customer_acceptance: { type: 'online', online: { user_agent: navigator.userAgent } },
      };
      const filled = method instanceof Object ? { payment_method: { type, ...method } } : {};
      return confirm(secret, { mandate_data: consent, ...data, ...filled }, { handleActions: false });
    };

  const groups = new Map<string, Map<string, CardElement>>();

  function elements() {
    const group = crypto.randomUUID?.() ?? String(Math.random());
    const made = new Map<string, CardElement>();
    groups.set(group, made);
    return {
      create(type: string, options: FieldOptions = {}): CardElement {
        if (!Object.hasOwn(look.types, type))
          throw integrationError(`A valid Element name must be provided. You specified: ${type}.`);
        const element = new CardElement(type, group, look, options);
        made.set(element.type, element);
        return element;
      },
      getElement(type: string | { readonly __elementType?: string }): CardElement | null {
        const name = typeof type === 'string' ? type : type.__elementType;
        return made.get(name ?? '') ?? null;
      },
      update: () => Promise.resolve(),
      fetchUpdates: () => Promise.resolve({}),
      submit: () => Promise.resolve({}),
    };
  }

  return {
    elements,
    createToken,
    createPaymentMethod,
    retrievePaymentIntent: retrieve,
    retrieveSetupIntent: retrieve,
    confirmCardPayment: (secret: string, data: Body = {}, options = {}) => confirm(secret, data, options),
    confirmCardSetup: (secret: string, data: Body = {}, options = {}) => confirm(secret, data, options),
    confirmAuBecsDebitSetup: confirmDebit('au_becs_debit'),
    confirmAuBecsDebitPayment: confirmDebit('au_becs_debit'),
    confirmBacsDebitSetup: confirmDebit('bacs_debit'),
    confirmBacsDebitPayment: confirmDebit('bacs_debit'),
    confirmSepaDebitSetup: confirmDebit('sepa_debit'),
    confirmSepaDebitPayment: confirmDebit('sepa_debit'),
    confirmUsBankAccountSetup: confirmDebit('us_bank_account'),
    confirmUsBankAccountPayment: confirmDebit('us_bank_account'),
    verifyMicrodepositsForSetup: async (secret: string, data: Body) => {
      const { path, name } = pathOf(secret);
      return settled(
        await request('POST', `${path}/verify_microdeposits`, { ...data, client_secret: secret }),
        name,
      );
    },
    async handleNextAction({ clientSecret }: { readonly clientSecret: string }): Promise<Result> {
      const { path } = pathOf(clientSecret);
      const body = await request('GET', path, { client_secret: clientSecret });
      return body['error'] === undefined ? await act(clientSecret, body as Intent) : { error: body['error'] };
    },
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

createStripe.version = 'endive';
Object.assign(window, { Stripe: createStripe });
