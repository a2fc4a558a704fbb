import type { StripeConstructor } from '@stripe/stripe-js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScript } from '../../kit/browser/script-loader.ts';
import { fieldOf, paymentMethodOf, tokeniseBank } from './bank-account.ts';

vi.mock('../../kit/browser/script-loader.ts', () => ({ loadScript: vi.fn() }));

const configOf = (scheme: string) => ({
  public: { publishableKey: 'pk_1', scriptUrl: 'https://js.example' },
  scheme,
});
const person = { name: 'Ada Nakamura', email: 'ada@x.example' };
const createPaymentMethod = vi.fn(async (): Promise<object> => ({ paymentMethod: { id: 'pm_1' } }));

beforeEach(() => {
  const make = () => ({ createPaymentMethod });
  vi.mocked(loadScript)
    .mockReset()
    .mockResolvedValue(make as unknown as StripeConstructor);
});

describe('a typed bank account', () => {
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
