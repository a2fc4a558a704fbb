/** A charge as the body of a request. Pure: the same charge gives the same body. */
import type Stripe from 'stripe';
import type { Charge, Consent, GatewayRef } from '../port/gateway.ts';
import { mandateData } from './wire-setup.ts';

/** The metadata key that carries our reference. */
export const metadataRef = 'attemptId';
const longestMetadata = 500;

/**
 * `allowed_payment_method_types` since 2026-09-30.endive; until 2026-08-26.dahlia it was `payment_method_types`,
 * which is refused now. https://docs.stripe.com/changelog/endive
 */
export const allowedTypes = (
  type: string,
): Pick<Stripe.PaymentIntentCreateParams, 'allowed_payment_method_types'> => ({
  allowed_payment_method_types: [type as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType],
});

/** Metadata by which a list, a hook and the back office find the attempt. Values are cut at Stripe's 500 characters. */
export function chargeMetadata(ref: GatewayRef, labels: Charge['labels']): Record<string, string> {
  const cut = (value: string): string => value.slice(0, longestMetadata);
  return {
    [metadataRef]: ref,
    reqUid: cut(labels.session),
    customerId: cut(labels.customer),
    invoices: cut(labels.invoice),
  };
}

/** What a charge's request is built from, besides the charge. */
export interface ChargeParts {
  readonly wireAmount: number;
  readonly paymentMethod: string;
  /** Stripe's type of the method (`card`, `sepa_debit`). */
  readonly type: string;
  readonly customer: string | undefined;
  /** From where the holder of an account that is debited once has agreed to it. */
  readonly agreed?: Pick<Consent, 'ip' | 'agent'> | undefined;
}

/**
 * The body of `POST /v1/payment_intents`. The same charge gives the same body, byte for byte: a replay with
 * any difference would be refused.
 */
export function chargeRequest(charge: Charge, parts: ChargeParts): Stripe.PaymentIntentCreateParams {
  const whoIsThere =
    charge.initiator === 'merchant' ? { off_session: true as const } : { return_url: charge.returnTo };
  return {
    amount: parts.wireAmount,
    currency: charge.amount.currency.toLowerCase(),
    ...(parts.customer === undefined ? {} : { customer: parts.customer }),
    payment_method: parts.paymentMethod,
    confirm: true,
    ...whoIsThere,
    ...(parts.agreed === undefined ? {} : { mandate_data: mandateData(parts.agreed) }),
    description: charge.labels.description.slice(0, longestMetadata),
    metadata: chargeMetadata(charge.ref, charge.labels),
    ...allowedTypes(parts.type),
  };
}
