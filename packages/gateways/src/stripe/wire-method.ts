/** Stripe's payment methods, setup intents and mandates as saved methods. Pure. */

import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Consent, GatewayState, Mandate, Method } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';

const nullishText = z.nullish(z.string());

/** What a method tells of itself, saved or once it has paid: under its type, the members of {@link shownParts}. */
const typeReply = z.looseObject({ type: z.string() });

const methodReply = z.extend(typeReply, {
  object: z.literal('payment_method'),
  id: z.string().check(z.regex(/^pm_/), z.maxLength(255)),
  customer: z.nullish(z.unknown()),
  billing_details: z.nullish(
    z.looseObject({
      name: nullishText,
      email: nullishText,
      phone: nullishText,
      address: z.nullish(
        z.looseObject({
          line1: nullishText,
          line2: nullishText,
          city: nullishText,
          state: nullishText,
          postal_code: nullishText,
          country: nullishText,
        }),
      ),
    }),
  ),
});
export type MethodReply = z.output<typeof methodReply>;

/** An answer as a payment method; undefined when it is none. */
export function readMethod(value: unknown): MethodReply | undefined {
  const parsed = z.safeParse(methodReply, value);
  return parsed.success ? parsed.data : undefined;
}

/** Only the entries that have a value. */
const present = (entries: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) =>
      value === null || value === undefined || value === '' ? [] : [[key, value] as const],
    ),
  );

/** The owner, as the provider keeps it beside every type. */
export function ownerOf(reply: MethodReply): Record<string, string | null | undefined> {
  const { name, email, phone, address } = reply.billing_details ?? {};
  return {
    name,
    email,
    phone,
    line1: address?.line1,
    line2: address?.line2,
    city: address?.city,
    state: address?.state,
    postalCode: address?.postal_code,
    country: address?.country,
  };
}

/** By type: what a screen shows, under the port's names, and Stripe's; `present` of the manifest gives them the specification's. */
const shownParts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  card: { brand: 'brand', last4: 'last4', expMonth: 'exp_month', expYear: 'exp_year' },
  au_becs_debit: { routing: 'bsb_number', last4: 'last4' },
  us_bank_account: {
    routing: 'routing_number',
    last4: 'last4',
    bankName: 'bank_name',
    accountType: 'account_type',
  },
  bacs_debit: { routing: 'sort_code', last4: 'last4' },
  sepa_debit: { routing: 'bank_code', last4: 'last4', bankCountry: 'country' },
};

const part = z.catch(z.nullish(z.union([z.string(), z.int()])), undefined);

/** One member of what a method tells under its type. */
function partOf(reply: z.output<typeof typeReply>, name: string): string | undefined {
  const own = z.safeParse(z.looseObject({ [name]: part }), reply[reply.type]).data?.[name];
  return own === null || own === undefined || own === '' ? undefined : String(own);
}

/** What a screen shows of a method, without its owner. */
export function partsOf(reply: z.output<typeof typeReply>): Record<string, string> {
  const names = Object.hasOwn(shownParts, reply.type) ? shownParts[reply.type] : undefined;
  return present(
    Object.fromEntries(Object.entries(names ?? {}).map(([own, theirs]) => [own, partOf(reply, theirs)])),
  );
}

const bankTypes = new Set(['au_becs_debit', 'us_bank_account', 'bacs_debit', 'sepa_debit']);

/** Whether a type is debited under a mandate. */
export const isBankType = (type: string): boolean => bankTypes.has(type);

/** Types this adapter can charge. Others in a customer's list (wallets set up elsewhere) are left out. */
export const isKnownType = (type: string): boolean => type === 'card' || bankTypes.has(type);

/** A payment method as a saved one. `more` adds what the method itself does not know: its mandate. */
export function methodFromWire(
  reply: MethodReply,
  more: Pick<Method, 'usable'> & Pick<Partial<Method>, 'mandate'> = { usable: 'now' },
): Method {
  const parts = partsOf(reply);
  const { expMonth: month, expYear: year } = parts;
  const fingerprint = partOf(reply, 'fingerprint');
  const state: GatewayState = {
    paymentMethod: reply.id,
    type: reply.type,
    ...(more.mandate === undefined ? {} : { mandate: more.mandate.remote }),
  };
  return {
    remote: remoteId(reply.id),
    state,
    kind: reply.type === 'card' ? 'card' : 'bank',
    show: { type: reply.type, ...parts, ...present(ownerOf(reply)) },
    ...(month && year ? { expires: `${year}-${month.padStart(2, '0')}` } : {}),
    ...(fingerprint ? { fingerprint } : {}),
    ...more,
  };
}

/** What is shown of a method, under the names of `Method.show`. */
export type Shown = Readonly<Record<string, string>>;

/**
 * What paid, from `payment_method_details` of the charge: type, brand or bank, and last digits.
 * https://docs.stripe.com/api/charges/object#charge_object-payment_method_details
 * @returns undefined where it says nothing a person would know it by
 */
export function shownOfPaid(details: unknown): Shown | undefined {
  const { data: reply } = z.safeParse(typeReply, details);
  if (reply === undefined) return undefined;
  const { brand, bankName, last4 } = partsOf(reply);
  const known = present({ brand, bankName, last4 });
  return Object.keys(known).length === 0 ? undefined : { type: reply.type, ...known };
}

/** An address a browser may be sent to; undefined for anything but http(s). */
export function browserAddress(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || !URL.canParse(text)) return undefined;
  const { protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? text : undefined;
}

// ---- Setup intents and mandates: what saving a method came to ----

const setupReply = z.looseObject({
  object: z.literal('setup_intent'),
  id: z.string().check(z.regex(/^seti_/), z.maxLength(255)),
  status: z.string(),
  client_secret: nullishText,
  payment_method: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
  mandate: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
  next_action: z.nullish(
    z.looseObject({
      type: z.string(),
      redirect_to_url: z.nullish(z.looseObject({ url: nullishText })),
      verify_with_microdeposits: z.nullish(z.looseObject({ hosted_verification_url: nullishText })),
    }),
  ),
  last_setup_error: z.nullish(
    z.looseObject({ code: nullishText, decline_code: nullishText, advice_code: nullishText }),
  ),
});
export type SetupReply = z.output<typeof setupReply>;

/** An answer as a setup intent; undefined when it is none. */
export function readSetup(value: unknown): SetupReply | undefined {
  const parsed = z.safeParse(setupReply, value);
  return parsed.success ? parsed.data : undefined;
}

/** The id of something that is an id or the expanded object. */
export const idOf = (value: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof value === 'object' && value !== null ? value.id : (value ?? undefined);

const mandateReply = z.looseObject({
  object: z.literal('mandate'),
  id: z.string().check(z.minLength(1), z.maxLength(255)),
  status: z.string(),
  payment_method_details: z.nullish(
    z.looseObject({
      type: nullishText,
      au_becs_debit: z.nullish(z.looseObject({ url: nullishText })),
      bacs_debit: z.nullish(
        z.looseObject({ network_status: nullishText, reference: nullishText, url: nullishText }),
      ),
      sepa_debit: z.nullish(z.looseObject({ reference: nullishText, url: nullishText })),
    }),
  ),
});

const mandateStates: Readonly<Record<string, Mandate['state']>> = {
  active: 'active',
  pending: 'pending',
  inactive: 'dead',
};
/** Bacs: the bank's own word, later than the mandate's status. */
const bacsStates: Readonly<Record<string, Mandate['state']>> = {
  accepted: 'active',
  pending: 'pending',
  refused: 'dead',
  revoked: 'dead',
};

/** A mandate; one of an unknown status is suspended: kept, but not debited. Undefined when it is no mandate. */
export function mandateFromWire(value: unknown): Mandate | undefined {
  const parsed = z.safeParse(mandateReply, value);
  if (!parsed.success) return undefined;
  const { id, status, payment_method_details: details } = parsed.data;
  const own = mandateStates[status] ?? 'suspended';
  const network = bacsStates[details?.bacs_debit?.network_status ?? ''];
  const state = own === 'active' && network !== undefined ? network : own;
  const document = details?.bacs_debit ?? details?.sepa_debit ?? details?.au_becs_debit;
  const reference = details?.bacs_debit?.reference ?? details?.sepa_debit?.reference;
  const url = browserAddress(document?.url);
  const show = { ...(reference ? { reference } : {}), ...(url === undefined ? {} : { url }) };
  return { remote: remoteId(id), state, scheme: details?.type ?? '', show };
}

/** `mandate_data` of a recorded consent, with the payer's real address and browser. */
export const mandateData = ({
  ip,
  agent,
}: Pick<Consent, 'ip' | 'agent'>): Stripe.SetupIntentCreateParams.MandateData &
  Stripe.PaymentIntentCreateParams.MandateData => ({
  customer_acceptance: { type: 'online', online: { ip_address: ip, user_agent: agent } },
});

const cardFields = { expMonth: 'exp_month', expYear: 'exp_year' } as const;
const billingFields = ['name', 'email'] as const;
const addressFields = {
  line1: 'line1',
  line2: 'line2',
  city: 'city',
  state: 'state',
  postalCode: 'postal_code',
  country: 'country',
} as const;

/** A change of a saved method as `POST /v1/payment_methods/{id}` takes it; undefined when a field cannot be changed. */
export function editRequest(change: GatewayState): Stripe.PaymentMethodUpdateParams | undefined {
  const card: Record<string, number> = {};
  const billing: Record<string, string> = {};
  const address: Record<string, string> = {};
  for (const [field, value] of Object.entries(change)) {
    if (Object.hasOwn(cardFields, field)) {
      if (!/^\d{1,4}$/.test(value)) return undefined;
      card[cardFields[field as keyof typeof cardFields]] = Number(value);
    } else if (Object.hasOwn(addressFields, field)) {
      address[addressFields[field as keyof typeof addressFields]] = value;
    } else if (billingFields.some((one) => one === field)) {
      billing[field] = value;
    } else {
      return undefined;
    }
  }
  const hasAddress = Object.keys(address).length > 0;
  return {
    ...(Object.keys(card).length > 0 ? { card } : {}),
    ...(Object.keys(billing).length > 0 || hasAddress
      ? { billing_details: { ...billing, ...(hasAddress ? { address } : {}) } }
      : {}),
  };
}
