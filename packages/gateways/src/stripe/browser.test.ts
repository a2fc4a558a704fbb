import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FieldStates } from '../kit/browser/provider-session.ts';
import { loadScript } from '../kit/browser/script-loader.ts';
import { words } from '../kit/browser/words.ts';
import { fieldOf, paymentMethodOf, tokeniseBank } from './browser/bank-account.ts';
import { CardSession } from './browser/card-session.ts';

vi.mock('../kit/browser/script-loader.ts', () => ({ loadScript: vi.fn() }));
vi.mock('./browser/stripe-script.ts', async (original) => ({
  ...(await original<object>()),
  elementStyle: () => ({}),
  onThemeChange: () => () => undefined,
}));

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

const configOf = (scheme: string) => ({
  public: { publishableKey: 'pk_1', scriptUrl: 'https://js.example' },
  scheme,
});
const person = { name: 'Ada Nakamura', email: 'ada@x.example' };
const createPaymentMethod = vi.fn(async (): Promise<object> => ({ paymentMethod: { id: 'pm_1' } }));

describe('a typed bank account', () => {
  beforeEach(() => {
    const make = () => ({ createPaymentMethod });
    vi.mocked(loadScript)
      .mockReset()
      .mockResolvedValue(make as unknown as StripeConstructor);
  });

  it.each([
    [
      'au_becs_debit',
      { routingNumber: '062000', bankAccountNumber: '000123456' },
      { bsb_number: '062000', account_number: '000123456' },
    ],
    [
      'us_bank_account',
      {
        routingNumber: '110000000',
        bankAccountNumber: '000123456789',
        accountType: 'checking',
        accountHolderType: 'company',
      },
      {
        routing_number: '110000000',
        account_number: '000123456789',
        account_type: 'checking',
        account_holder_type: 'company',
      },
    ],
    [
      'bacs_debit',
      { routingNumber: '108800', bankAccountNumber: '00012345' },
      { sort_code: '108800', account_number: '00012345' },
    ],
    ['sepa_debit', { iban: 'DE89370400440532013000' }, { iban: 'DE89370400440532013000' }],
  ])('is sent to the provider as %s', (scheme, typed, parts) => {
    expect(paymentMethodOf(scheme, typed, person)).toEqual({
      type: scheme,
      [scheme]: parts,
      billing_details: person,
    });
  });

  it('carries what is given of the address, and no empty member', () => {
    const billing = { line1: '1 High St', city: 'Bristol', postalCode: 'BS1 1AA', country: 'GB', state: '' };
    expect(paymentMethodOf('bacs_debit', {}, { ...person, billing })?.billing_details).toEqual({
      ...person,
      address: { line1: '1 High St', city: 'Bristol', postal_code: 'BS1 1AA', country: 'GB' },
    });
  });

  it('becomes a token', async () => {
    const typed = { iban: 'de89 3704 0044 0532 0130 00' };
    expect(await tokeniseBank(configOf('sepa_debit'), typed, person)).toEqual({ token: 'pm_1' });
  });

  it.each(['US64SVBKUS6S3300958879', 'SA0380000000608010167519', ''])(
    'is in a SEPA country: an IBAN such as %j is not sent [payments.stripe.constant.iban]',
    async (iban) => {
      createPaymentMethod.mockClear();
      expect(await tokeniseBank(configOf('sepa_debit'), { iban }, person)).toMatchObject({ field: 'iban' });
      expect(createPaymentMethod).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['au_becs_debit[bsb_number]', 'routingNumber'],
    ['au_becs_debit[account_number]', 'bankAccountNumber'],
    ['billing_details[email]', 'email'],
    ['billing_details[address][postal_code]', 'zip'],
    ['type', undefined],
    [undefined, undefined],
  ])('is refused at the input that %s names', (parameter, field) => {
    expect(fieldOf('au_becs_debit', parameter)).toBe(field);
  });

  it('is refused in the provider’s words, and says so when the provider cannot be reached', async () => {
    const error = { message: 'The BSB is invalid.', param: 'au_becs_debit[bsb_number]' };
    createPaymentMethod.mockResolvedValueOnce({ error });
    const refused = { error: 'The BSB is invalid.', field: 'routingNumber' };
    expect(await tokeniseBank(configOf('au_becs_debit'), {}, person)).toEqual(refused);
    vi.mocked(loadScript).mockRejectedValue(new Error('no script'));
    expect(await tokeniseBank(configOf('au_becs_debit'), {}, person)).toEqual({
      error: expect.stringContaining('could not be reached'),
    });
    expect(await tokeniseBank(configOf('unheard_of'), {}, person)).toHaveProperty('error');
  });
});
