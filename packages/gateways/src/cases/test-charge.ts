/** Charges and refunds for tests of gateways: valid as they are; a test states only what matters to it. */
import { money } from '@counterfoil/domain/money/money.ts';
import type { Charge, Outcome, Refund } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';

/** A customer's one-off of 125.50 AUD, sent now. Without `source` its token is lost. */
export const testCharge = (over: Partial<Charge> = {}): Charge => {
  const sentAt = over.sentAt ?? new Date();
  return {
    ref: newGatewayRef(),
    sentAt,
    lastSentAt: over.lastSentAt ?? sentAt,
    amount: money(12_550n, 'AUD'),
    fee: money(50n, 'AUD'),
    initiator: 'customer',
    source: 'lost',
    labels: {
      invoice: '1001,1002',
      description: 'Invoices 1001 and 1002',
      customer: '0193a1b2-0000-7000-8000-000000000001',
      session: '0193a1b2-0000-7000-8000-000000000002',
    },
    payer: {},
    returnTo: 'https://portal.example/pay/9f2c?attempt=1',
    ...over,
  };
};

/** A full refund of a charge that succeeded. */
export const testRefund = (
  charge: Charge,
  outcome: Extract<Outcome, { is: 'succeeded' }>,
  over: Partial<Refund> = {},
): Refund => {
  const sentAt = over.sentAt ?? new Date();
  return {
    ref: newGatewayRef(),
    sentAt,
    lastSentAt: over.lastSentAt ?? sentAt,
    amount: outcome.captured,
    of: {
      ref: charge.ref,
      remote: outcome.remote,
      state: outcome.state,
      captured: outcome.captured,
      refundedBefore: money(0n, outcome.captured.currency),
    },
    ...over,
  };
};
