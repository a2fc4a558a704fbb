/** A Checkout Session on the wire. */
import type { Metadata } from './objects.ts';

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly amount_subtotal: number | null;
  readonly amount_total: number | null;
  readonly automatic_tax: { readonly enabled: boolean; readonly status: null };
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly client_secret: null;
  readonly created: number;
  readonly currency: string | null;
  readonly customer: string | null;
  readonly customer_email: string | null;
  readonly expires_at: number;
  readonly livemode: false;
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
}
