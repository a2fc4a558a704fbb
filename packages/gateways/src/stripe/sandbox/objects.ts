/**
 * The objects on the wire, field names as Stripe's. A field whose name begins with an underscore is the sandbox's
 * own and never leaves it. Fields that are only sent have no type.
 */
import type { ChargePlan } from '@counterfoil/sandbox/money/movements.ts';

export type Metadata = Readonly<Record<string, string>>;

export interface Address {
  readonly city: string | null;
  readonly country: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postal_code: string | null;
  readonly state: string | null;
}

export interface BillingDetails {
  readonly address: Address;
  readonly email: string | null;
  readonly name: string | null;
  readonly phone: string | null;
  readonly tax_id: string | null;
}

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly address: Address | null;
  readonly balance: number;
  readonly created: number;
  readonly description: string | null;
  readonly email: string | null;
  readonly invoice_prefix: string;
  readonly invoice_settings: {
    readonly custom_fields: null;
    readonly default_payment_method: string | null;
    readonly footer: null;
    readonly rendering_options: null;
  };
  readonly metadata: Metadata;
  readonly name: string | null;
  readonly phone: string | null;
  readonly preferred_locales: readonly string[];
  readonly shipping: unknown;
  readonly tax_exempt: string;
  readonly _deleted?: boolean;
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export type MethodType = 'card' | 'au_becs_debit' | 'us_bank_account' | 'bacs_debit' | 'sepa_debit';

/** What is read of the card or account: brand, last4 and so on, never the whole number. */
export type MethodHash = Readonly<Record<string, unknown>>;

export interface PaymentMethod extends Readonly<Partial<Record<MethodType, MethodHash>>> {
  readonly id: string;
  readonly object: 'payment_method';
  readonly allow_redisplay: 'always' | 'limited' | 'unspecified';
  readonly billing_details: BillingDetails;
  readonly created: number;
  readonly customer: string | null;
  readonly metadata: Metadata;
  readonly type: MethodType;
  /** Name of the behaviour in the card or bank table. */
  readonly _behaviour: string;
  /** Used without a customer or detached: good for nothing any more. */
  readonly _spent: boolean;
  /** Authenticated once for payments without the customer. */
  readonly _authenticated: boolean;
  /** The bank account was verified (US) or needs no verification. */
  readonly _verified: boolean;
  readonly _mandate: string | null;
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface Failure {
  readonly type: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
  readonly charge?: string;
  readonly advice_code?: string;
  readonly network_decline_code?: string;
  readonly doc_url?: string;
  readonly payment_method?: object;
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

interface Intent {
  readonly id: string;
  readonly allowed_payment_method_types: readonly string[] | null;
  readonly automatic_payment_methods: { readonly allow_redirects: string; readonly enabled: boolean } | null;
  readonly cancellation_reason: string | null;
  readonly client_secret: string;
  readonly created: number;
  readonly customer: string | null;
  readonly description: string | null;
  readonly excluded_payment_method_types: readonly string[] | null;
  readonly metadata: Metadata;
  readonly next_action: Readonly<Record<string, unknown>> | null;
  readonly payment_method: string | null;
  readonly payment_method_options: Readonly<Record<string, unknown>>;
  readonly payment_method_types: readonly string[];
  /** Where the browser goes after the challenge. */
  readonly _return_url: string | null;
  /** The open challenge; finishing an older one changes nothing. */
  readonly _challenge: string | null;
  readonly _session: string | null;
  /** Acceptance given with the confirmation, used when the microdeposits are verified. */
  readonly _acceptance: Acceptance | null;
  readonly _attempts: number;
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface PaymentIntent extends Intent {
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly capture_method: 'automatic' | 'automatic_async' | 'manual';
  readonly confirmation_method: 'automatic' | 'manual';
  readonly currency: string;
  readonly latest_charge: string | null;
  readonly receipt_email: string | null;
  readonly setup_future_usage: 'off_session' | 'on_session' | null;
  readonly shipping: unknown;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly status: IntentStatus;
  /** Idempotency key of the request that created it; shown in the sandbox's list of charges. */
  readonly _key: string | null;
  /** Faults that wait until the money moves. */
  readonly _plan: ChargePlan;
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface SetupIntent extends Intent {
  readonly object: 'setup_intent';
  readonly mandate: string | null;
  readonly status: Exclude<IntentStatus, 'requires_capture'>;
  readonly usage: 'off_session' | 'on_session';
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface Acceptance {
  readonly accepted_at: number;
  readonly type: 'online' | 'offline';
  readonly online?: { readonly ip_address: string | null; readonly user_agent: string | null };
}

export interface Mandate {
  readonly id: string;
  readonly object: 'mandate';
  readonly customer_acceptance: Acceptance;
  readonly livemode: false;
  readonly multi_use?: object;
  readonly single_use?: { readonly amount: number; readonly currency: string };
  readonly payment_method: string;
  readonly payment_method_details: Readonly<Record<string, unknown>> & { readonly type: MethodType };
  readonly status: 'active' | 'inactive' | 'pending';
  readonly type: 'multi_use' | 'single_use';
}

/** A one-time token; it holds what a payment method is made of. */
export interface Token {
  readonly id: string;
  readonly object: 'token';
  readonly card: Readonly<Record<string, unknown>>;
  readonly client_ip: string | null;
  readonly created: number;
  readonly livemode: false;
  readonly type: 'card';
  readonly used: boolean;
  readonly _hash: Readonly<Record<string, unknown>>;
  readonly _behaviour: string;
  readonly _billing: BillingDetails;
}

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  /** The event as sent, in JSON: it never changes, whatever becomes of the object. */
  readonly json: string;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly billing_details: BillingDetails;
  readonly captured: boolean;
  readonly created: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description: string | null;
  readonly disputed: boolean;
  readonly metadata: Metadata;
  readonly paid: boolean;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly payment_method_details: Readonly<Record<string, unknown>>;
  readonly receipt_email: string | null;
  readonly refunded: boolean;
  readonly shipping: unknown;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly status: 'succeeded' | 'pending' | 'failed';
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string;
  readonly status: 'needs_response' | 'lost' | 'won';
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly currency: string | null;
  readonly customer: string | null;
  readonly customer_email: string | null;
  readonly expires_at: number;
  readonly locale: string | null;
  readonly metadata: Metadata;
  readonly mode: 'payment' | 'setup';
  readonly payment_intent: string | null;
  readonly payment_method_types: readonly string[];
  readonly payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  readonly setup_intent: string | null;
  readonly status: 'open' | 'complete' | 'expired';
  readonly success_url: string | null;
  readonly ui_mode: 'hosted_page';
  readonly url: string | null;
  readonly _label: string;
  /** What is sent and never read here. */
  readonly [field: string]: unknown;
}
