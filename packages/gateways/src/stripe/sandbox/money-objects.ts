/** Movements of money on the wire: charges, refunds, disputes. */
import type { BillingDetails, Metadata } from './objects.ts';

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly application: null;
  readonly application_fee: null;
  readonly application_fee_amount: null;
  readonly balance_transaction: string | null;
  readonly billing_details: BillingDetails;
  readonly calculated_statement_descriptor: string;
  readonly captured: boolean;
  readonly created: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description: string | null;
  readonly disputed: boolean;
  readonly failure_balance_transaction: null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly fraud_details: object;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly on_behalf_of: null;
  readonly outcome: Readonly<Record<string, unknown>> | null;
  readonly paid: boolean;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly payment_method_details: Readonly<Record<string, unknown>>;
  readonly receipt_email: string | null;
  readonly receipt_number: null;
  readonly receipt_url: string | null;
  readonly refunded: boolean;
  readonly review: null;
  readonly shipping: unknown;
  readonly source: null;
  readonly source_transfer: null;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly status: 'succeeded' | 'pending' | 'failed';
  readonly transfer_data: null;
  readonly transfer_group: null;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly balance_transaction: string | null;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly destination_details: Readonly<Record<string, unknown>>;
  readonly failure_reason?: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string | null;
  readonly receipt_number: null;
  readonly source_transfer_reversal: null;
  readonly status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  readonly transfer_reversal: null;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly balance_transactions: readonly unknown[];
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly evidence: object;
  readonly evidence_details: {
    readonly due_by: number | null;
    readonly has_evidence: boolean;
    readonly past_due: boolean;
    readonly submission_count: number;
  };
  readonly is_charge_refundable: boolean;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string;
  readonly status: 'needs_response' | 'lost' | 'won';
}
