/** A card or a bank account being entered: checked, then all but the last four digits forgotten. */
import { digest } from '@counterfoil/sandbox/ids.ts';
import { isIban, isRoutingNumber } from '@counterfoil/sandbox/money/bank-account.ts';
import { cardProblem } from '@counterfoil/sandbox/money/card.ts';
import { group, id, ignored, oneOf, text, whole } from '@counterfoil/sandbox/requests/params.ts';
import { banks, cards, declines } from './data.ts';
import type { MethodType } from './objects.ts';
import { invalid, StripeFault } from './wire.ts';

export const cardFields = group({
  number: text(40),
  exp_month: whole(),
  exp_year: whole(),
  cvc: text(10),
  token: id(),
  name: text(),
  address_line1: text(),
  address_line2: text(),
  address_city: text(),
  address_state: text(),
  address_zip: text(),
  address_country: text(),
  currency: text(),
  networks: ignored,
});

export interface CardEntry {
  readonly number: string;
  readonly exp_month: number | undefined;
  readonly exp_year: number | undefined;
  readonly cvc: string | null | undefined;
}

export interface EnteredCard {
  readonly behaviour: string;
  readonly hash: Readonly<Record<string, unknown>>;
}

/**
 * @throws {StripeFault} 402 card_error with the code and parameter of the wrong field
 */
export function enterCard(entry: CardEntry, now: Date): EnteredCard {
  const number = entry.number.replace(/[\s-]/g, '');
  const month = entry.exp_month ?? 0;
  const year = fullYear(entry.exp_year ?? 0);
  switch (cardProblem(number, month, year, now)) {
    case 'number':
      throw fieldFault('incorrect_number', 'number', 'Your card number is incorrect.');
    case 'month':
      throw fieldFault('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
    case 'year':
      throw fieldFault('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  const behaviour = cards.nameOf(number);
  const card = behaviour === undefined ? undefined : cards.named(behaviour);
  if (behaviour === undefined || card === undefined) {
    throw new StripeFault(402, 'card_error', declines.live.message, {
      code: declines.live.code,
      decline_code: declines.live.decline_code,
    });
  }
  const cvc = entry.cvc ?? undefined;
  if (cvc !== undefined && !(card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw fieldFault('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return { behaviour, hash: cardHash(behaviour, month, year, cvc !== undefined) };
}

/** The card as it is read back, for a behaviour of the table. */
export function cardHash(
  behaviour: string,
  month: number,
  year: number,
  cvcGiven: boolean,
): Readonly<Record<string, unknown>> {
  const card = cards.named(behaviour) ?? { brand: 'unknown', last4: '0000' };
  return {
    brand: card.brand,
    checks: {
      address_line1_check: card.line1Check ?? null,
      address_postal_code_check: card.postalCheck ?? null,
      cvc_check: cvcGiven ? (card.cvcCheck ?? 'pass') : null,
    },
    country: card.country ?? 'US',
    display_brand: card.brand,
    exp_month: month,
    exp_year: year,
    // Made from the name in the table: the same card gives the same print, and no number can be found from it.
    fingerprint: digest('card', behaviour).replace(/[-_]/g, '').slice(0, 16),
    funding: card.funding ?? 'credit',
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

function fullYear(year: number): number {
  return year >= 0 && year < 100 ? 2000 + year : year;
}

function fieldFault(code: string, param: string, message: string): StripeFault {
  return new StripeFault(402, 'card_error', message, { code, param });
}

type DebitType = Exclude<MethodType, 'card'>;

export const bankFields = {
  au_becs_debit: group({ bsb_number: id(), account_number: id() }),
  us_bank_account: group({
    routing_number: id(),
    account_number: id(),
    account_holder_type: oneOf('individual', 'company'),
    account_type: oneOf('checking', 'savings'),
    financial_connections_account: ignored,
  }),
  bacs_debit: group({ sort_code: id(), account_number: id() }),
  sepa_debit: group({ iban: id() }),
};

export interface BankEntry {
  readonly bsb_number?: string | undefined;
  readonly routing_number?: string | undefined;
  readonly sort_code?: string | undefined;
  readonly account_number?: string | undefined;
  readonly account_holder_type?: string | undefined;
  readonly account_type?: string | undefined;
  readonly iban?: string | undefined;
}

export interface EnteredBank {
  readonly behaviour: string;
  readonly hash: Readonly<Record<string, unknown>>;
}

/** @throws {StripeFault} 400 naming the wrong field */
export function enterBank(type: DebitType, entry: BankEntry): EnteredBank {
  switch (type) {
    case 'au_becs_debit': {
      const bsb = digitsOf(type, 'bsb_number', entry.bsb_number, /^\d{6}$/, 'invalid_bsb_number');
      const account = digitsOf(
        type,
        'account_number',
        entry.account_number,
        /^\d{4,9}$/,
        'account_number_invalid',
      );
      return entered(type, banks.nameOf(type, account), account, { bsb_number: bsb });
    }
    case 'bacs_debit': {
      const sort = digitsOf(type, 'sort_code', entry.sort_code, /^\d{6}$/, 'bank_account_invalid_sort_code');
      const account = digitsOf(
        type,
        'account_number',
        entry.account_number,
        /^\d{8}$/,
        'account_number_invalid',
      );
      return entered(type, banks.nameOf(type, account), account, { sort_code: sort });
    }
    case 'us_bank_account': {
      const routing = digitsOf(
        type,
        'routing_number',
        entry.routing_number,
        /^\d{9}$/,
        'routing_number_invalid',
      );
      if (!isRoutingNumber(routing)) throw wrong(type, 'routing_number', 'routing_number_invalid');
      const account = digitsOf(
        type,
        'account_number',
        entry.account_number,
        /^\d{4,17}$/,
        'account_number_invalid',
      );
      if (entry.account_holder_type === undefined) {
        const param = 'us_bank_account[account_holder_type]';
        throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
      }
      return entered(type, banks.nameOf(type, account), account, {
        account_holder_type: entry.account_holder_type,
        account_type: entry.account_type ?? 'checking',
        bank_name: 'STRIPE TEST BANK',
        financial_connections_account: null,
        networks: { preferred: 'ach', supported: ['ach'] },
        routing_number: routing,
        status_details: {},
      });
    }
    case 'sepa_debit': {
      const iban = (entry.iban ?? '').replace(/\s/g, '').toUpperCase();
      if (iban === '') throw missingField(type, 'iban');
      if (!isIban(iban))
        throw invalid('The IBAN you provided is invalid.', 'sepa_debit[iban]', 'invalid_bank_account_iban');
      const behaviour = banks.nameOf(type, iban);
      if (banks.named(behaviour)?.notSupported) {
        throw invalid(
          'The bank of this IBAN does not support SEPA Direct Debit.',
          'sepa_debit[iban]',
          'sepa_debit_bank_not_supported',
        );
      }
      return entered(type, behaviour, iban, {
        bank_code: iban.slice(4, iban.startsWith('DE') ? 12 : 9),
        branch_code: '',
        country: iban.slice(0, 2),
        generated_from: { charge: null, setup_attempt: null },
      });
    }
  }
}

const templateTypes = new Map<string, DebitType>([
  ['auBecsDebit', 'au_becs_debit'],
  ['usBankAccount', 'us_bank_account'],
  ['bacsDebit', 'bacs_debit'],
  ['sepaDebit', 'sepa_debit'],
]);

/** The method a template such as `pm_usBankAccount_success` stands for. */
export function templateBank(name: string): (EnteredBank & { readonly type: DebitType }) | undefined {
  const [, kind = '', suffix = ''] = /^pm_([a-zA-Z]+Debit|usBankAccount)_(\w+)$/.exec(name) ?? [];
  const type = templateTypes.get(kind);
  const account = type === undefined ? undefined : banks.numberOf(`${type}/${suffix}`);
  if (type === undefined || account === undefined) return undefined;
  const entry: BankEntry = {
    bsb_number: '000000',
    routing_number: '110000000',
    sort_code: '108800',
    account_number: account,
    account_holder_type: 'individual',
    iban: account,
  };
  return { type, ...enterBank(type, entry) };
}

/** Whether the IBAN's country lies outside the EEA, where a billing address is needed. */
export function isOutsideEea(iban: { readonly country?: unknown }): boolean {
  return ['GB', 'CH', 'MC', 'SM', 'AD', 'VA', 'JE', 'GG', 'IM', 'GI'].includes(String(iban.country));
}

function entered(type: DebitType, behaviour: string, account: string, hash: object): EnteredBank {
  const fingerprint = digest(type, behaviour, account.slice(-4)).replace(/[-_]/g, '').slice(0, 16);
  return { behaviour, hash: { ...hash, fingerprint, last4: account.slice(-4) } };
}

function digitsOf(
  type: string,
  field: string,
  value: string | undefined,
  form: RegExp,
  code: string,
): string {
  const digits = (value ?? '').replace(/[\s-]/g, '');
  if (digits === '') throw missingField(type, field);
  if (!form.test(digits)) throw wrong(type, field, code);
  return digits;
}

function missingField(type: string, field: string) {
  const param = `${type}[${field}]`;
  return invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
}

function wrong(type: string, field: string, code: string) {
  return invalid(`The ${field.replaceAll('_', ' ')} you provided is invalid.`, `${type}[${field}]`, code);
}
