/** Writes a charge: one try at moving money, good or refused. */

import { newId } from '@counterfoil/sandbox/ids.ts';
import type { Work } from './account.ts';
import type { Decline } from './cards.ts';
import type { Charge } from './money-objects.ts';
import type { PaymentIntent, PaymentMethod } from './objects.ts';

export const approved = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  seller_message: 'Payment complete.',
  type: 'authorized',
};

export function writeCharge(
  work: Work,
  intent: PaymentIntent,
  method: PaymentMethod,
  about: Pick<Charge, 'status' | 'paid' | 'captured' | 'amount_captured'> & {
    readonly challenged: boolean;
    readonly failure?: Decline;
    readonly blocked?: boolean;
  },
): Charge {
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const { status, paid, captured, amount_captured, failure } = about;
  const charge: Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid && captured ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured,
    created: work.host.clock.seconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome:
      failure === undefined
        ? approved
        : {
            ...approved,
            advice_code: failure.advice_code ?? null,
            network_status: about.blocked ? 'not_sent_to_network' : 'declined_by_network',
            reason: failure.decline_code,
            risk_level: about.blocked ? 'highest' : 'normal',
            seller_message: about.blocked ? 'The payment was blocked.' : 'The bank declined the payment.',
            type: about.blocked ? 'blocked' : 'issuer_declined',
          },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: chargedDetails(method, about.challenged) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: paid ? `${work.host.publicUrl}/stripe/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status,
    transfer_data: null,
    transfer_group: null,
  };
  work.tx.put(work.account.charges, id, charge);
  return charge;
}

function chargedDetails(method: PaymentMethod, challenged: boolean): object {
  const hash = method[method.type] ?? {};
  if (method.type !== 'card') return { ...hash, mandate: method._mandate };
  const {
    display_brand: _display,
    three_d_secure_usage: _usage,
    networks: _networks,
    generated_from: _from,
    ...shown
  } = hash;
  return {
    ...shown,
    mandate: null,
    network: hash['brand'],
    three_d_secure: challenged
      ? { authentication_flow: 'challenge', result: 'authenticated', result_reason: null, version: '2.2.0' }
      : null,
  };
}
