/**
 * The objects on the wire, field names as Stripe's. A field whose name begins with an underscore is the
 * sandbox's own and never leaves it.
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
  readonly currency: null;
  readonly default_source: null;
  readonly delinquent: boolean;
  readonly description: string | null;
  readonly discount: null;
  readonly email: string | null;
  readonly invoice_prefix: string;
  readonly invoice_settings: {
    readonly custom_fields: null;
    readonly default_payment_method: string | null;
    readonly footer: null;
    readonly rendering_options: null;
  };
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly name: string | null;
  readonly phone: string | null;
  readonly preferred_locales: readonly string[];
  readonly shipping: unknown;
  readonly tax_exempt: string;
  readonly test_clock: null;
  readonly _deleted?: boolean;
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
  readonly livemode: false;
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
  readonly application: null;
  readonly automatic_payment_methods: { readonly allow_redirects: string; readonly enabled: boolean } | null;
  readonly cancellation_reason: string | null;
  readonly client_secret: string;
  readonly created: number;
  readonly customer: string | null;
  readonly description: string | null;
  readonly excluded_payment_method_types: readonly string[] | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly next_action: Readonly<Record<string, unknown>> | null;
  readonly on_behalf_of: null;
  readonly payment_method: string | null;
  readonly payment_method_configuration_details: null;
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
}

export interface PaymentIntent extends Intent {
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_capturable: number;
  readonly amount_details: Readonly<Record<string, unknown>>;
  readonly amount_received: number;
  readonly application_fee_amount: null;
  readonly canceled_at: number | null;
  readonly capture_method: 'automatic' | 'automatic_async' | 'manual';
  readonly confirmation_method: 'automatic' | 'manual';
  readonly currency: string;
  readonly last_payment_error: Failure | null;
  readonly latest_charge: string | null;
  readonly processing: null;
  readonly receipt_email: string | null;
  readonly review: null;
  readonly setup_future_usage: 'off_session' | 'on_session' | null;
  readonly shipping: unknown;
  readonly source: null;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly status: IntentStatus;
  readonly transfer_data: null;
  readonly transfer_group: null;
  /** Idempotency key of the request that created it; shown in the sandbox's list of charges. */
  readonly _key: string | null;
  /** Faults that wait until the money moves. */
  readonly _plan: ChargePlan;
}

export interface SetupIntent extends Intent {
  readonly object: 'setup_intent';
  readonly last_setup_error: Failure | null;
  readonly latest_attempt: string | null;
  readonly mandate: string | null;
  readonly single_use_mandate: null;
  readonly status: Exclude<IntentStatus, 'requires_capture'>;
  readonly usage: 'off_session' | 'on_session';
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
