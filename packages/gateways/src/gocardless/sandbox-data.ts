/** Resources of the sandbox, the rules of the schemes, and what test names do. From the provider's documentation. */
import { random } from '@counterfoil/sandbox/ids.ts';
import { isIban, isRoutingNumber } from '@counterfoil/sandbox/money/bank-account.ts';
import type { PageField } from '@counterfoil/sandbox/pages/hosted-page.ts';
import type { Collection, Store } from '@counterfoil/sandbox/store.ts';

export const gateway = 'gocardless';

export type Texts = Readonly<Record<string, string>>;
/** A body, or a part of one. */
export type Json = Readonly<Record<string, unknown>>;

/** A call as its handler sees it. */
export interface Call {
  readonly id: string;
  /** Second variable step of the path. */
  readonly name: string;
  readonly body: Json;
  readonly query: URLSearchParams;
}

interface Resource {
  readonly id: string;
  readonly created_at: string;
  readonly metadata: Texts;
}
export interface Customer extends Resource {
  readonly email: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
}
export interface BankAccount extends Resource {
  readonly account_holder_name: string;
  readonly account_number_ending: string;
  readonly bank_name: string;
  readonly country_code: string;
  readonly currency: string;
  readonly enabled: boolean;
  readonly links: { readonly customer: string };
  /** By which the same account is known again; never shown. */
  readonly _print: string;
}
export interface Mandate extends Resource {
  readonly status: string;
  readonly scheme: string;
  readonly reference: string;
  readonly next_possible_charge_date: string | null;
  readonly links: {
    readonly customer: string;
    readonly customer_bank_account: string;
    readonly creditor: string;
    readonly new_mandate?: string;
  };
}
export interface BillingRequest extends Resource {
  readonly status: string;
  readonly mandate_request: { readonly currency: string; readonly scheme: string; readonly verify: string };
  readonly links: {
    readonly customer: string;
    readonly creditor: string;
    readonly customer_bank_account?: string;
    readonly mandate_request_mandate?: string;
  };
  /** Actions that were completed; shown as `actions`. */
  readonly _done: readonly string[];
}
export interface Flow {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly authorisation_url: string;
  readonly redirect_uri: string;
  readonly exit_uri: string;
  readonly session_token: null;
  readonly prefilled: Texts;
  readonly links: { readonly billing_request: string };
}
export interface Payment extends Resource {
  readonly status: string;
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: string;
  readonly charge_date: string;
  readonly description: string | null;
  readonly retry_if_possible: boolean;
  readonly links: { readonly mandate: string; readonly creditor: string };
  /** Whether it was taken before, and what was ordered for its later life, milliseconds. */
  readonly _taken: boolean;
  readonly _lateFailureMs?: number | undefined;
  readonly _resubmitMs?: number | undefined;
}
export interface Refund extends Resource {
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly links: { readonly payment: string; readonly mandate: string };
}
export interface Event {
  readonly id: string;
  readonly created_at: string;
  readonly resource_type: string;
  readonly action: string;
  readonly links: Texts;
  readonly details: Json;
  readonly metadata: Texts;
  readonly resource_metadata: Texts;
}
/** Events that are delivered together. */
export interface Batch {
  readonly account: string;
  readonly events: readonly string[];
}

/** Everything of one account. */
export function recordsOf(store: Store, account: string) {
  const of = <T>(name: string): Collection<T> => store.collection<T>(`${gateway}/${account}/${name}`);
  return {
    customers: of<Customer>('customer'),
    accounts: of<BankAccount>('bank-account'),
    mandates: of<Mandate>('mandate'),
    requests: of<BillingRequest>('billing-request'),
    flows: of<Flow>('flow'),
    payments: of<Payment>('payment'),
    refunds: of<Refund>('refund'),
    events: of<Event>('event'),
    /** What a key has made. */
    made: of<string>('made'),
  };
}
export type Records = ReturnType<typeof recordsOf>;

/** An id such as `PM01…`; no run of digits in it looks like an account number. */
export function idOf(prefix: string): string {
  for (;;) {
    const id = prefix + random(14).toUpperCase();
    if (!/\d{6}/.test(id)) return id;
  }
}

/** Members that are told to nobody begin with a line. */
export const shown = (resource: object): Json =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => !name.startsWith('_')));

// ---- Schemes ----

export interface Scheme {
  readonly currency: string;
  readonly country: string;
  /** Members of a bank account, each with its form, its label on the page, and what is said of another form. */
  readonly fields: Readonly<
    Record<string, readonly [is: RegExp | ((text: string) => boolean), label: string]>
  >;
  /** A mandate is only activated by its first payment. */
  readonly activatedByPayment?: true;
}

const number = (from: number, to = from) => new RegExp(`^\\d{${from},${to}}$`);

export const schemes: Readonly<Record<string, Scheme>> = {
  becs: {
    currency: 'AUD',
    country: 'AU',
    fields: { branch_code: [number(6), 'BSB'], account_number: [number(5, 9), 'Account number'] },
    activatedByPayment: true,
  },
  becs_nz: {
    currency: 'NZD',
    country: 'NZ',
    fields: {
      bank_code: [number(2), 'Bank'],
      branch_code: [number(4), 'Branch'],
      account_number: [number(9, 10), 'Account number with suffix'],
    },
    activatedByPayment: true,
  },
  bacs: {
    currency: 'GBP',
    country: 'GB',
    fields: { branch_code: [number(6), 'Sort code'], account_number: [number(8), 'Account number'] },
  },
  sepa_core: {
    currency: 'EUR',
    country: 'DE',
    fields: { iban: [isIban, 'IBAN'] },
    activatedByPayment: true,
  },
  ach: {
    currency: 'USD',
    country: 'US',
    fields: {
      bank_code: [isRoutingNumber, 'Routing number'],
      account_number: [number(4, 17), 'Account number'],
      account_type: [/^(checking|savings)$/, 'Type of account: checking or savings'],
    },
    activatedByPayment: true,
  },
  pad: {
    currency: 'CAD',
    country: 'CA',
    fields: {
      bank_code: [number(3, 4), 'Institution'],
      branch_code: [number(5), 'Transit number'],
      account_number: [number(7, 12), 'Account number'],
    },
  },
  autogiro: {
    currency: 'SEK',
    country: 'SE',
    fields: {
      branch_code: [number(4), 'Clearing number'],
      account_number: [number(6, 12), 'Account number'],
    },
  },
  betalingsservice: {
    currency: 'DKK',
    country: 'DK',
    fields: { bank_code: [number(3, 4), 'Bank'], account_number: [number(6, 10), 'Account number'] },
  },
};

/** People type them with spaces and dashes. */
export const typed = (text: unknown): string => (typeof text === 'string' ? text.replace(/[\s-]/g, '') : '');

export const fitsField = ([is]: Scheme['fields'][string], text: string): boolean =>
  is instanceof RegExp ? is.test(text) : is(text.toUpperCase());

export const pageFields = (scheme: Scheme): readonly PageField[] => [
  ['given_name', 'First name (where it differs)', 'given-name'],
  ['account_holder_name', 'Account holder', 'name'],
  ...Object.entries(scheme.fields).map(([name, [, label]]) => [name, label, 'off'] as const),
];

/** Four digits of accounts in New Zealand, two of all others. */
export const endingOf = (currency: string, digits: string): string =>
  digits.slice(currency === 'NZD' ? -4 : -2);

// ---- What names of customers do ----

export type Behaviour = 'Penniless' | 'Fickle' | 'Late' | 'Invalid' | 'Expired' | 'Switching';

// ---- Words ----

/** Causes by resource and action; the others are called after both. */
const causes: Readonly<Record<string, string>> = {
  'payments/confirmed': 'payment_confirmed',
  'payments/paid_out': 'payment_paid_out',
  'payments/failed': 'insufficient_funds',
  'payments/charged_back': 'authorisation_disputed',
  'payments/resubmission_requested': 'payment_retried',
  'mandates/failed': 'invalid_bank_details',
  'mandates/transferred': 'bank_account_transferred',
};
const codes: Readonly<Record<string, string>> = { bacs: 'ARUDD-0', ach: 'ACH_RETURN-R01' };

/** What an event says of its cause. */
export function detailsOf(type: string, action: string, scheme: string): Json {
  const resource = type.replace(/s$/, '');
  const fromBank = action === 'failed' || action === 'charged_back';
  const code = fromBank ? codes[scheme] : undefined;
  return {
    origin: fromBank ? 'bank' : 'gocardless',
    cause: causes[`${type}/${action}`] ?? `${resource}_${action}`,
    description: `The ${resource.replace('_', ' ')} was ${action.replaceAll('_', ' ')}.`,
    ...(fromBank ? { scheme } : {}),
    ...(code === undefined ? {} : { reason_code: code }),
  };
}

const dayMs = 24 * 60 * 60_000;

/** The working day that a debit can be made on at the earliest, YYYY-MM-DD. */
export function chargeDay(now: number): string {
  let at = now + 2 * dayMs;
  while ([0, 6].includes(new Date(at).getUTCDay())) at += dayMs;
  return new Date(at).toISOString().slice(0, 10);
}
