/** Payment methods and mandates: made, attached, changed, granted, ended. */
import { newId, random } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  group,
  ignored,
  oneOf,
  type Read,
  required,
  text,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, later, type Work } from './account.ts';
import { banks, cards } from './data.ts';
import {
  bankFields,
  cardFields,
  cardHash,
  enterBank,
  enterCard,
  isOutsideEea,
  templateBank,
} from './entry.ts';
import type { Acceptance, Address, BillingDetails, Mandate, MethodType, PaymentMethod } from './objects.ts';
import { conflict, invalid, isSince, mergeMetadata, metadata, missing, StripeFault } from './wire.ts';

const mandateRevisionMs = 2000;

export const mandateData = group({
  customer_acceptance: required(
    group({
      type: required(oneOf('online', 'offline')),
      accepted_at: whole(0),
      online: group({ ip_address: text(), user_agent: text(), infer_from_client: flag }),
      offline: ignored,
    }),
  ),
});

/** The acceptance as it is kept, or `null` when none was given. */
export function acceptanceOf(call: Call, data: Read<typeof mandateData>): Acceptance | null {
  const given = data?.customer_acceptance;
  if (given === undefined) return null;
  const accepted_at = given.accepted_at ?? call.host.clock.seconds();
  if (given.type === 'offline') return { accepted_at, type: 'offline' };
  return {
    accepted_at,
    type: 'online',
    online: {
      ip_address: given.online?.ip_address ?? call.clientIp,
      user_agent: given.online?.user_agent ?? null,
    },
  };
}

/** The method's mandate while it can be used. */
export function liveMandate(work: Work, method: PaymentMethod): Mandate | undefined {
  const mandate = method._mandate === null ? undefined : work.account.mandates.get(method._mandate);
  return mandate?.status === 'inactive' ? undefined : mandate;
}

/** Writes a mandate for the method. Bacs mandates are confirmed by the bank later. */
export function grantMandate(work: Work, method: PaymentMethod, acceptance: Acceptance): Mandate {
  const url = `${work.host.publicUrl}/stripe/mandates/${random(12)}`;
  const mandate: Mandate = {
    id: newId('mandate'),
    object: 'mandate',
    customer_acceptance: acceptance,
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: detailsOf(method, url) },
    status: 'active',
    type: 'multi_use',
  };
  work.tx.put(work.account.mandates, mandate.id, mandate);
  work.tx.put(work.account.methods, method.id, { ...currentMethod(work, method), _mandate: mandate.id });
  if (method.type === 'bacs_debit') later(work, mandateRevisionMs, 'bacs-mandate', { mandate: mandate.id });
  return mandate;
}

function currentMethod(work: Work, method: PaymentMethod): PaymentMethod {
  return work.account.methods.get(method.id) ?? method;
}

function detailsOf(method: PaymentMethod, url: string): object {
  switch (method.type) {
    case 'au_becs_debit':
      return { url };
    case 'bacs_debit':
      return { network_status: 'pending', reference: random(10).toUpperCase(), revocation_reason: null, url };
    case 'sepa_debit':
      return { reference: random(16).toUpperCase(), url };
    default:
      return {};
  }
}

/** Ends a mandate: its method cannot be debited any more. */
export function endMandate(work: Work, mandate: Mandate): void {
  if (mandate.status === 'inactive') return;
  const ended: Mandate = { ...mandate, status: 'inactive' };
  work.tx.put(work.account.mandates, mandate.id, ended);
  emit(work, 'mandate.updated', ended, { status: mandate.status });
}

/** Task: the bank's answer to a new Bacs mandate. */
export function answerBacsMandate(work: Work, id: string): void {
  const mandate = work.account.mandates.get(id);
  if (mandate === undefined || mandate.status === 'inactive') return;
  const method = work.account.methods.get(mandate.payment_method);
  const refused = method !== undefined && banks.named(method._behaviour)?.mandateRefused === true;
  const details = mandate.payment_method_details['bacs_debit'];
  const bacs_debit = {
    ...(details instanceof Object ? details : {}),
    network_status: refused ? 'refused' : 'accepted',
    ...(refused ? { revocation_reason: 'could_not_process' } : {}),
  };
  const answered: Mandate = {
    ...mandate,
    payment_method_details: { type: 'bacs_debit', bacs_debit },
    status: refused ? 'inactive' : 'active',
  };
  work.tx.put(work.account.mandates, id, answered);
  emit(work, 'mandate.updated', answered, {
    payment_method_details: mandate.payment_method_details,
    ...(refused ? { status: mandate.status } : {}),
  });
}

const address = group({
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
});
export const addressFields = address;
export const billingFields = group({
  address,
  email: text(512),
  name: text(),
  phone: text(),
  tax_id: text(),
});

export const methodFields = {
  type: required(oneOf('card', 'au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit')),
  allow_redisplay: oneOf('always', 'limited', 'unspecified'),
  billing_details: billingFields,
  card: cardFields,
  ...bankFields,
  metadata,
  radar_options: ignored,
};
export const methodData = group(methodFields);
type MethodData = NonNullable<Read<typeof methodData>>;

export const noBilling: BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

/** Takes given billing fields into known ones. */
export function mergeBilling(known: BillingDetails, change: Read<typeof billingFields>): BillingDetails {
  if (change === undefined) return known;
  const { address: place, ...rest } = change;
  return { ...known, ...given(rest), address: { ...known.address, ...given(place ?? {}) } };
}

export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

export function addressOf(form: Read<typeof addressFields>): Address {
  return { ...noBilling.address, ...given(form ?? {}) };
}

/** Makes and stores a payment method; the number or token in the data is used up here. */
export function createMethod(call: Call, data: MethodData): PaymentMethod {
  const made =
    data.type === 'card'
      ? fromCard(call, data)
      : { ...enterBank(data.type, data[data.type] ?? {}), billing: noBilling };
  if (data.type !== 'card' && data[data.type] === undefined) {
    throw invalid(`Missing required param: ${data.type}.`, data.type, 'parameter_missing');
  }
  return store(call, data.type, made, {
    billing_details: mergeBilling(made.billing, data.billing_details),
    allow_redisplay: data.allow_redisplay ?? 'unspecified',
    metadata: mergeMetadata({}, data.metadata),
  });
}

function fromCard(call: Call, data: MethodData) {
  const card = data.card;
  if (card?.token !== undefined) return fromToken(call, card.token);
  if (card?.number === undefined || card.number === null) {
    const param = card === undefined ? 'card' : 'card[number]';
    throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
  }
  refuseRawNumber(call);
  const entered = enterCard({ ...card, number: card.number }, new Date(call.host.clock.now()));
  return { ...entered, billing: mergeBilling(noBilling, { ...noChange, name: card.name }) };
}

const noChange = {
  address: undefined,
  email: undefined,
  name: undefined,
  phone: undefined,
  tax_id: undefined,
};

/** Card numbers are taken from the browser's card form only. @throws {StripeFault} 402 for a secret key */
export function refuseRawNumber(call: Call): void {
  if (call.publishable) return;
  throw new StripeFault(
    402,
    'invalid_request_error',
    'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.',
  );
}

function fromToken(call: Call, name: string) {
  const token = call.account.tokens.get(name);
  if (token !== undefined) {
    if (token.used) {
      throw invalid(
        `You cannot use a Stripe token more than once: ${name}.`,
        'card[token]',
        'token_already_used',
      );
    }
    call.tx.put(call.account.tokens, name, { ...token, used: true });
    return { behaviour: token._behaviour, hash: token._hash, billing: token._billing };
  }
  const behaviour = /^tok_(\w+)$/.exec(name)?.[1];
  if (behaviour === undefined || cards.named(behaviour) === undefined)
    throw missing('token', name, 'card[token]');
  return { ...templateCard(call, behaviour), billing: noBilling };
}

function templateCard(work: Work, behaviour: string) {
  const year = new Date(work.host.clock.now()).getUTCFullYear() + 1;
  return { behaviour, hash: cardHash(behaviour, 12, year, false) };
}

function store(
  work: Work,
  type: MethodType,
  made: { readonly behaviour: string; readonly hash: Readonly<Record<string, unknown>> },
  rest: Pick<PaymentMethod, 'billing_details' | 'allow_redisplay' | 'metadata'>,
  verified = type !== 'us_bank_account',
): PaymentMethod {
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    ...rest,
    [type]: made.hash,
    created: work.host.clock.seconds(),
    customer: null,
    livemode: false,
    type,
    _behaviour: made.behaviour,
    _spent: false,
    _authenticated: false,
    _verified: verified,
    _mandate: null,
  };
  work.tx.put(work.account.methods, method.id, method);
  return method;
}

/**
 * The method an id names. A template (`pm_card_visa`, `pm_auBecsDebit_success`) makes a new one each time.
 * @throws {StripeFault} 400 resource_missing, or 404 when the id stands in the path
 */
export function findMethod(work: Work, name: string, param: string, inPath = false): PaymentMethod {
  const known = work.account.methods.get(name);
  if (known !== undefined) return known;
  const plain = { billing_details: noBilling, allow_redisplay: 'unspecified', metadata: {} } as const;
  const behaviour = /^pm_card_(\w+)$/.exec(name)?.[1];
  if (behaviour !== undefined && cards.named(behaviour) !== undefined) {
    return store(work, 'card', templateCard(work, behaviour), plain);
  }
  const bank = templateBank(name);
  if (bank === undefined) throw missing('PaymentMethod', name, param, inPath);
  const billing_details = {
    ...noBilling,
    name: 'Jenny Rosen',
    email: 'jenny@example.com',
    address: {
      ...noBilling.address,
      line1: '1 Test Street',
      city: 'London',
      postal_code: 'N1 1AA',
      country: 'GB',
    },
  };
  return store(work, bank.type, bank, { ...plain, billing_details }, true);
}

const spentText =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';

/** @throws {StripeFault} 400 without code when the method is spent or belongs to somebody else */
export function checkUsable(method: PaymentMethod, customer: string | null): void {
  if (method._spent) throw invalid(spentText);
  if (method.customer === null || method.customer === customer) return;
  throw invalid(
    customer === null
      ? `The PaymentMethod ${method.id} belongs to the Customer ${method.customer}. Please include the Customer in the \`customer\` parameter on the intent.`
      : `The PaymentMethod ${method.id} does not belong to the Customer you supplied ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
    'payment_method',
  );
}

export function attach(work: Work, method: PaymentMethod, customer: string): PaymentMethod {
  if (method._spent) throw conflict(spentText);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw conflict('The payment method you provided has already been attached to a customer.');
  }
  const attached = { ...method, customer };
  work.tx.put(work.account.methods, method.id, attached);
  emit(work, 'payment_method.attached', attached);
  return attached;
}

export function detach(work: Work, method: PaymentMethod): PaymentMethod {
  const owner = method.customer;
  if (owner === null) {
    throw conflict(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  }
  const detached = { ...method, customer: null, _spent: true };
  work.tx.put(work.account.methods, method.id, detached);
  const customer = work.account.customers.get(owner);
  if (customer?.invoice_settings.default_payment_method === method.id) {
    const invoice_settings = { ...customer.invoice_settings, default_payment_method: null };
    work.tx.put(work.account.customers, owner, { ...customer, invoice_settings });
  }
  emit(work, 'payment_method.detached', detached, { customer: owner });
  return detached;
}

/** What a debit scheme asks of the account holder. @throws {StripeFault} 400 parameter_missing with the field */
export function checkHolder(method: PaymentMethod, version: string): void {
  const { name, email, address: place } = method.billing_details;
  const need = (value: string | null, field: string) => {
    if (value !== null) return;
    const param = `billing_details[${field}]`;
    throw invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
  };
  if (method.type === 'card') return;
  need(name, 'name');
  if (method.type !== 'us_bank_account') need(email, 'email');
  const ofSepa = method.type === 'sepa_debit' && isOutsideEea(method.sepa_debit ?? {});
  if (method.type === 'bacs_debit' || ofSepa) {
    need(place.line1, 'address][line1');
    need(place.country, 'address][country');
  }
  if (method.type === 'bacs_debit' || (ofSepa && isSince(version, '2026-09-30'))) {
    need(place.city, 'address][city');
    need(place.postal_code, 'address][postal_code');
  }
}
