/** Payment methods, their mandates, one-time tokens and customers: made, entered, attached, changed, ended. */
import { newId, random } from '@counterfoil/sandbox/ids.ts';
import { isIban, isRoutingNumber } from '@counterfoil/sandbox/money/bank-account.ts';
import { type CardProblem, cardProblem } from '@counterfoil/sandbox/money/card.ts';
import {
  group,
  id,
  oneOf,
  type Read,
  type ReadFields,
  required,
  text,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { banks, cards } from './data.ts';
import {
  billingFields,
  cardError,
  conflict,
  invalid,
  isEndive,
  missing,
  needed,
  print,
  StripeFault,
} from './protocol.ts';
import {
  type Acceptance,
  type Billing,
  type Call,
  change,
  type DebitType,
  emit,
  get,
  later,
  type Mandate,
  type Method,
  type MethodType,
  put,
  type Work,
} from './work.ts';

// ---- A card or a bank account being entered: checked, then all but the last four digits forgotten ----

interface Entered {
  readonly behaviour: string;
  readonly hash: Readonly<Record<string, unknown>>;
}

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
});
export type CardEntry = NonNullable<Read<typeof cardFields>>;

const wrongCard: Readonly<Record<CardProblem | 'cvc', readonly [code: string, param: string]>> = {
  number: ['incorrect_number', 'number'],
  month: ['invalid_expiry_month', 'exp_month'],
  year: ['invalid_expiry_year', 'exp_year'],
  cvc: ['invalid_cvc', 'cvc'],
};
export const cardFault = (problem: keyof typeof wrongCard): StripeFault => {
  const [code, param] = wrongCard[problem];
  const what = { number: 'number', month: 'expiration month', year: 'expiration year', cvc: 'security code' };
  return cardError(`Your card's ${what[problem]} is invalid.`, { code, param });
};

/** @throws {StripeFault} 402 card_error with the code and parameter of the wrong field; or for a secret key */
export function enterCard(call: Call, entry: CardEntry | undefined): Entered {
  const { number, exp_month: month = 0, exp_year: year = 0, cvc } = entry ?? {};
  if (number == null) throw needed('card[number]');
  if (!call.publishable) {
    const message = 'Sending credit card numbers directly to the Stripe API is generally unsafe.';
    throw new StripeFault(402, 'invalid_request_error', message);
  }
  const digits = number.replace(/[\s-]/g, '');
  const fullYear = year >= 0 && year < 100 ? 2000 + year : year;
  const problem = cardProblem(digits, month, fullYear, new Date(call.host.clock.now()));
  if (problem !== undefined) throw cardFault(problem);
  const behaviour = cards.nameOf(digits);
  const card = cards.named(behaviour ?? '');
  if (behaviour === undefined || card === undefined) {
    const message = 'Your card was declined. Your request was in test mode, but used a non test card.';
    throw cardError(message, { code: 'card_declined', decline_code: 'test_mode_live_card' });
  }
  if (cvc != null && !(card.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) throw cardFault('cvc');
  return { behaviour, hash: cardHash(behaviour, month, fullYear) };
}

/** The card as it is read back, for a behaviour of the table. */
function cardHash(behaviour: string, exp_month: number, exp_year: number): Entered['hash'] {
  const { brand, country = 'US', funding = 'credit', last4 } = cards.named(behaviour) ?? {};
  // Made from the name in the table: the same card gives the same print, and no number can be found from it.
  return { brand, country, exp_month, exp_year, fingerprint: print('card', behaviour), funding, last4 };
}

const bankFields = {
  au_becs_debit: group({ bsb_number: id(), account_number: id() }),
  us_bank_account: group({
    routing_number: id(),
    account_number: id(),
    account_holder_type: required(oneOf('individual', 'company')),
    account_type: oneOf('checking', 'savings'),
  }),
  bacs_debit: group({ sort_code: id(), account_number: id() }),
  sepa_debit: group({ iban: id() }),
};

type Part = readonly [field: string, isRight: (value: string) => boolean, code: string];
const account = (form: RegExp): Part => [
  'account_number',
  (value) => form.test(value),
  'account_number_invalid',
];
const branch = (field: string, code: string): Part => [field, (value) => /^\d{6}$/.test(value), code];
/** The parts of an account, its number last. */
const bankParts: Readonly<Record<DebitType, readonly Part[]>> = {
  au_becs_debit: [branch('bsb_number', 'invalid_bsb_number'), account(/^\d{4,9}$/)],
  us_bank_account: [['routing_number', isRoutingNumber, 'routing_number_invalid'], account(/^\d{4,17}$/)],
  bacs_debit: [branch('sort_code', 'bank_account_invalid_sort_code'), account(/^\d{8}$/)],
  sepa_debit: [['iban', isIban, 'invalid_bank_account_iban']],
};

/** @throws {StripeFault} 400 naming the wrong field */
function enterBank(type: DebitType, entry: Readonly<Record<string, string | undefined>>): Entered {
  const hash: Record<string, unknown> = {};
  let number = '';
  for (const [field, isRight, code] of bankParts[type]) {
    const param = `${type}[${field}]`;
    hash[field] = number;
    number = (entry[field] ?? '').replace(/[\s-]/g, '').toUpperCase();
    if (number === '') throw needed(param);
    if (!isRight(number)) throw invalid(`The ${field.replaceAll('_', ' ')} is invalid.`, param, code);
    hash[field] = number;
  }
  const behaviour = banks.nameOf(type, number);
  if (banks.named(behaviour)?.notSupported)
    throw invalid('This bank has no SEPA Direct Debit.', 'sepa_debit[iban]', 'sepa_debit_bank_not_supported');
  const { account_number: _account, iban: _iban, ...shown } = hash;
  const last4 = number.slice(-4);
  const own = {
    ...shown,
    ...ofCountry(type, number, entry),
    fingerprint: print(type, behaviour, last4),
    last4,
  };
  return { behaviour, hash: own };
}

function ofCountry(
  type: DebitType,
  iban: string,
  entry: Readonly<Record<string, string | undefined>>,
): object {
  const { account_holder_type, account_type = 'checking' } = entry;
  if (type === 'us_bank_account') return { account_holder_type, account_type, bank_name: 'STRIPE TEST BANK' };
  if (type !== 'sepa_debit') return {};
  return { bank_code: iban.slice(4, iban.startsWith('DE') ? 12 : 9), country: iban.slice(0, 2) };
}

// ---- Methods ----

export const noBilling: Billing = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
};

export const present = <T>(fields: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );

/** Takes given billing fields into known ones. */
export function mergeBilling(known: Billing, given: Read<typeof billingFields>): Billing {
  const { address = {}, ...rest } = given ?? {};
  return { ...known, ...present(rest), address: { ...known.address, ...present(address) } };
}

export const methodFields = {
  type: required(oneOf('card', 'au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit')),
  billing_details: billingFields,
  card: cardFields,
  ...bankFields,
};
type MethodData = ReadFields<typeof methodFields>;

/** Makes and stores a payment method; the number or token in the data is used up here. */
export function createMethod(call: Call, data: MethodData): Method {
  const { type, billing_details: given, card } = data;
  if (data[type] === undefined) throw needed(type);
  const keep = (made: Entered, owner = noBilling) => store(call, type, made, mergeBilling(owner, given));
  if (type !== 'card') return keep(enterBank(type, data[type] ?? {}));
  if (card?.token === undefined) return keep(enterCard(call, card));
  const { token } = card;
  const known = get(call, 'token', token);
  if (known?.used)
    throw invalid(
      `You cannot use a Stripe token more than once: ${token}.`,
      'card[token]',
      'token_already_used',
    );
  if (known !== undefined) {
    change(call, known, { used: true });
    return keep({ behaviour: known._behaviour, hash: known.card }, known._billing);
  }
  const behaviour = /^tok_(\w+)$/.exec(token)?.[1] ?? '';
  if (cards.named(behaviour) === undefined) throw missing('token', token, 'card[token]');
  return keep(templateCard(call, behaviour));
}

const templateCard = (work: Work, behaviour: string): Entered => ({
  behaviour,
  hash: cardHash(behaviour, 12, new Date(work.host.clock.now()).getUTCFullYear() + 1),
});

const store = (
  work: Work,
  type: MethodType,
  made: Entered,
  billing_details: Billing,
  isVerified = false,
): Method =>
  put(work, {
    id: newId('pm'),
    object: 'payment_method',
    billing_details,
    [type]: made.hash,
    customer: null,
    type,
    _behaviour: made.behaviour,
    _spent: false,
    _authenticated: false,
    _verified: isVerified || type !== 'us_bank_account',
    _mandate: null,
  });

const templateTypes: Readonly<Record<string, DebitType>> = {
  auBecsDebit: 'au_becs_debit',
  usBankAccount: 'us_bank_account',
  bacsDebit: 'bacs_debit',
  sepaDebit: 'sepa_debit',
};

/**
 * The method an id names. A template (`pm_card_visa`, `pm_auBecsDebit_success`) makes a new one each time.
 * @throws {StripeFault} 400 resource_missing, or 404 when the id stands in the path
 */
export function findMethod(work: Work, name: string, inPath = false): Method {
  const known = get(work, 'payment_method', name);
  if (known !== undefined) return known;
  const [, kind = '', behaviour = ''] = /^pm_([A-Za-z]+)_(\w+)$/.exec(name) ?? [];
  if (kind === 'card' && cards.named(behaviour) !== undefined)
    return store(work, 'card', templateCard(work, behaviour), noBilling);
  const type = Object.hasOwn(templateTypes, kind) ? templateTypes[kind] : undefined;
  const number = type === undefined ? undefined : banks.numberOf(`${type}/${behaviour}`);
  if (type === undefined || number === undefined)
    throw missing('PaymentMethod', name, 'payment_method', inPath);
  const place = { line1: '1 Test Street', city: 'London', postal_code: 'N1 1AA', country: 'GB' };
  const entry = {
    bsb_number: '000000',
    routing_number: '110000000',
    sort_code: '108800',
    account_number: number,
    account_holder_type: 'individual',
    iban: number,
  };
  const owner = { name: 'Jenny Rosen', email: 'jenny@example.com', phone: null };
  const billing = { ...owner, address: { ...noBilling.address, ...place } };
  return store(work, type, enterBank(type, entry), billing, true);
}

const spentText =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment or was detached from a Customer. It may not be used again.';

/** @throws {StripeFault} 400 without code when the method is spent or belongs to somebody else */
export function checkUsable(method: Method, customer: string | null): void {
  if (method._spent) throw invalid(spentText);
  if (method.customer !== null && method.customer !== customer)
    throw invalid(`The PaymentMethod ${method.id} belongs to another Customer.`, 'payment_method');
}

export function attach(work: Work, method: Method, customer: string): Method {
  if (method._spent) throw conflict(spentText);
  if (method.customer === customer) return method;
  if (method.customer !== null)
    throw conflict('The payment method you provided has already been attached to a customer.');
  const attached = change(work, method, { customer });
  emit(work, 'payment_method.attached', attached);
  return attached;
}

const outsideEea = new Set(['GB', 'CH', 'MC', 'SM', 'AD', 'VA', 'JE', 'GG', 'IM', 'GI']);

/** What a debit scheme asks of the account holder. @throws {StripeFault} 400 parameter_missing with the field */
export function checkHolder({ type, billing_details: holder, sepa_debit }: Method, version: string): void {
  if (type === 'card') return;
  const { name, email, address: place } = holder;
  const need = (value: string | null | undefined, field: string): void => {
    if (value == null) throw needed(`billing_details[${field}]`);
  };
  need(name, 'name');
  if (type !== 'us_bank_account') need(email, 'email');
  const isFar = type === 'sepa_debit' && outsideEea.has(String(sepa_debit?.['country']));
  const parts = type === 'bacs_debit' || isFar ? ['line1', 'country'] : [];
  // Asked for since endive.
  if (type === 'bacs_debit' || (isFar && isEndive(version))) parts.push('city', 'postal_code');
  for (const part of parts) need(place[part], `address][${part}`);
}

// ---- Mandates ----

const mandateRevisionMs = 2000;

export const mandateData = group({
  customer_acceptance: required(
    group({
      type: required(oneOf('online')),
      online: group({ ip_address: text(), user_agent: text(), infer_from_client: text() }),
    }),
  ),
});

/** The acceptance as it is kept, or `null` when none was given. */
export function acceptanceOf(call: Call, data: Read<typeof mandateData>): Acceptance | null {
  if (data === undefined) return null;
  const { ip_address = call.clientIp, user_agent = null } = data.customer_acceptance.online ?? {};
  return { type: 'online', online: { ip_address, user_agent } };
}

/** The method's mandate while it can be used. */
export function liveMandate(work: Work, method: Method): Mandate | undefined {
  const mandate = get(work, 'mandate', method._mandate);
  return mandate?.status === 'inactive' ? undefined : mandate;
}

/** Writes a mandate for the method. Bacs mandates are confirmed by the bank later. */
export function grantMandate(work: Work, { id: payment_method, type }: Method, given: Acceptance): Mandate {
  const url = `${work.host.publicUrl}/stripe/mandates/${random(12)}`;
  const reference =
    type === 'bacs_debit' || type === 'sepa_debit' ? { reference: random(10).toUpperCase() } : {};
  const network = type === 'bacs_debit' ? { network_status: 'pending' } : {};
  const mandate = put(work, {
    id: newId('mandate'),
    object: 'mandate',
    customer_acceptance: given,
    payment_method,
    payment_method_details: { type, [type]: { url, ...reference, ...network } },
    status: 'active',
    type: 'multi_use',
  });
  change(work, findMethod(work, payment_method), { _mandate: mandate.id });
  if (type === 'bacs_debit') later(work, mandateRevisionMs, 'bacs-mandate', { mandate: mandate.id });
  return mandate;
}

/** Ends a mandate: its method cannot be debited any more. */
export function endMandate(work: Work, mandate: Mandate): void {
  emit(work, 'mandate.updated', change(work, mandate, { status: 'inactive' }), { status: mandate.status });
}

/** Task: the bank's answer to a new Bacs mandate. */
export function answerBacsMandate(work: Work, name: string): void {
  const mandate = get(work, 'mandate', name);
  if (mandate?.status !== 'active') return;
  const isRefused = banks.named(findMethod(work, mandate.payment_method)._behaviour)?.mandateRefused === true;
  const { bacs_debit, type } = mandate.payment_method_details;
  const network_status = isRefused ? 'refused' : 'accepted';
  const known = bacs_debit instanceof Object ? bacs_debit : {};
  const payment_method_details = { type, bacs_debit: { ...known, network_status } };
  const answered = change(work, mandate, {
    payment_method_details,
    status: isRefused ? 'inactive' : 'active',
  });
  emit(work, 'mandate.updated', answered, { status: mandate.status });
}
