/** Stripe's setup intents and mandates: what saving a method came to. Pure. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Consent, GatewayState, Mandate } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { browserAddress } from './wire.ts';

const nullishText = z.nullish(z.string());

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
