import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScript } from '../../kit/browser/script-loader.ts';
import { words } from '../../kit/browser/words.ts';
import { CardSession, type FieldStates } from './card-session.ts';

vi.mock('../../kit/browser/script-loader.ts', () => ({ loadScript: vi.fn() }));
vi.mock('./element-style.ts', () => ({ elementStyle: () => ({}), onThemeChange: () => () => undefined }));

type Listener = (event: object) => void;

/** The provider's script as far as a session uses it. */
function provider() {
  const listeners = new Map<string, Map<string, Listener>>();
  const element = (kind: string) => {
    const own = new Map<string, Listener>();
    listeners.set(kind, own);
    return {
      on: (name: string, listener: Listener) => void own.set(name, listener),
      mount: () => undefined,
      destroy: () => undefined,
      update: () => undefined,
      focus: () => undefined,
    };
  };
  const elements = vi.fn(() => ({ create: element }));
  const createToken = vi.fn(async (..._: unknown[]): Promise<object> => ({ token: { id: 'tok_1' } }));
  const make = vi.fn(() => ({ elements, createToken }) as unknown as Stripe);
  vi.mocked(loadScript).mockResolvedValue(make as unknown as StripeConstructor);
  const say = (kind: string, name: string, event: object = {}) => listeners.get(kind)?.get(name)?.(event);
  return { make, elements, createToken, say };
}

async function mounted(separateInputs: boolean) {
  const stripe = provider();
  const session = new CardSession({
    integrationType: 'Stripe',
    how: 'providerFields',
    public: { publishableKey: 'pk_1', scriptUrl: 'https://js.example' },
    separateInputs,
    formFields: [],
    isPrepared: false,
  });
  let states: FieldStates = {};
  session.changed = (now) => {
    states = now;
  };
  const boxes = new Map(session.fields.map((field) => [field, {} as HTMLElement]));
  session.mount(boxes, false, () => undefined);
  await vi.waitFor(() => expect(stripe.elements).toHaveBeenCalled(), 10_000);
  return { ...stripe, session, states: () => states };
}

beforeEach(() => void vi.mocked(loadScript).mockReset());

describe('card entry', () => {
  it('asks the provider for fields in the locale en [payments.stripe.constant.locale]', async () => {
    const { make, elements } = await mounted(false);
    expect(make).toHaveBeenCalledWith('pk_1', { locale: 'en' });
    expect(elements).toHaveBeenCalledWith({ locale: 'en' });
  });

  it('shows the provider’s own message at the field, and blocks on it [payments.card.input-errors-block, payments.stripe.error.card-area]', async () => {
    const { session, say, states } = await mounted(false);
    const message = 'Your card number is invalid.';
    say('card', 'change', { empty: false, complete: false, error: { message } });
    expect(states().card?.error).toBe(message);
    expect(session.problems()).toEqual([{ field: 'card', text: message }]);
    say('card', 'change', { empty: false, complete: true });
    expect([states().card?.error, session.problems()]).toEqual(['', []]);
  });

  it('shows what the provider says against a card at the field it is about [payments.stripe.error.card-area]', async () => {
    const { session, createToken, states } = await mounted(true);
    createToken.mockResolvedValue({ error: { code: 'incorrect_number', message: 'No such card.' } });
    expect(await session.submit({ name: 'Eve' })).toEqual({ error: 'No such card.', field: 'number' });
    expect(states().number?.error).toBe('No such card.');
  });

  it('requires number, expiry and code [payments.card.number-required, payments.card.expiry-required]', async () => {
    const { session, say } = await mounted(true);
    expect(session.problems()).toEqual([
      { field: 'number', text: words.missingNumber },
      { field: 'expiry', text: words.missingExpiry },
      { field: 'cvc', text: words.missingCvc },
    ]);
    say('cardNumber', 'change', { empty: false, complete: true });
    expect(session.problems().map(({ field }) => field)).toEqual(['expiry', 'cvc']);
  });

  it('gives a token, and nothing else of the card', async () => {
    const { session } = await mounted(false);
    expect(await session.submit({ name: 'Eve' })).toEqual({ token: 'tok_1' });
  });

  it('tells the provider the name and what is given of the address, and no empty member', async () => {
    const { session, createToken } = await mounted(false);
    await session.submit({ name: 'Eve', billing: { country: 'AU', city: '' } });
    expect(createToken).toHaveBeenLastCalledWith(expect.anything(), { name: 'Eve', address_country: 'AU' });
    await session.submit({});
    expect(createToken).toHaveBeenLastCalledWith(expect.anything(), {});
  });
});
