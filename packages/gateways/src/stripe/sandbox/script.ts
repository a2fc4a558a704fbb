/**
 * The fake Stripe.js: the part of its interface the portal uses, talking to the sandbox it was loaded
 * from. Promises resolve with `{error}`; they do not reject. https://docs.stripe.com/js
 */
import {
  CardElement,
  type ElementLook,
  integrationError,
} from '@counterfoil/sandbox/pages/card-frame/element.ts';
import type { FieldOptions } from '@counterfoil/sandbox/pages/card-frame/protocol.ts';

type Body = Readonly<Record<string, unknown>>;

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
function flatten(value: unknown, name = '', into: Record<string, string> = {}): Record<string, string> {
  if (value === undefined || value === null) return into;
  if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value))
      flatten(child, name === '' ? key : `${name}[${key}]`, into);
  } else into[name] = String(value);
  return into;
}

function createStripe(key: string) {
  if (typeof key !== 'string' || !key.startsWith('pk_'))
    throw integrationError('Please call Stripe() with your publishable key. You used another kind of key.');

  /** What was made, under its name, or the error. */
  const told = (name: string, body: Body): Body =>
    body['error'] === undefined ? { [name]: body } : { error: body['error'] };

  async function createPaymentMethod(data: Body): Promise<Body> {
    try {
      const body = new URLSearchParams({ ...flatten(data), key });
      const answer = await fetch(`${origin}/v1/payment_methods`, { method: 'POST', body });
      return told('paymentMethod', (await answer.json()) as Body);
    } catch {
      const message = 'We could not reach the payment provider. Please try again.';
      return { error: { type: 'api_connection_error', message } };
    }
  }

  async function createToken(element: unknown, data: Body = {}): Promise<Body> {
    if (!(element instanceof CardElement))
      throw integrationError('You must provide a Stripe Element to create a token from.');
    const extra = { ...flatten(data, 'card'), key };
    return told('token', await element.send({ path: '/v1/tokens', names, extra }));
  }

  function elements() {
    const group = crypto.randomUUID?.() ?? String(Math.random());
    return {
      create(type: string, options: FieldOptions = {}): CardElement {
        if (!Object.hasOwn(look.types, type))
          throw integrationError(`A valid Element name must be provided. You specified: ${type}.`);
        return new CardElement(type, group, look, options);
      },
    };
  }

  return { elements, createToken, createPaymentMethod };
}

createStripe.version = 'endive';
Object.assign(window, { Stripe: createStripe });
