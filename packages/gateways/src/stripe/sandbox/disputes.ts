/** Disputes: a payment that was good is taken back by the bank, and perhaps won again. */

import { newId } from '@counterfoil/sandbox/ids.ts';
import { markCharge } from '@counterfoil/sandbox/money/movements.ts';
import { later, type Work } from './account.ts';
import { updateCharge } from './charging.ts';
import { emit } from './events.ts';
import type { Dispute } from './money-objects.ts';

/** Task: the bank disputes a charge; `lost` at once when there is no contest, as with debits. */
export function openDispute(
  work: Work,
  about: {
    readonly charge: string;
    readonly reason: string;
    readonly status: Dispute['status'];
    readonly wonAfterMs?: number;
  },
): void {
  const charge = work.account.charges.get(about.charge);
  if (charge === undefined || charge.disputed) return;
  const now = work.host.clock.seconds();
  const id = newId('du');
  const dispute: Dispute = {
    id,
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    evidence: {},
    evidence_details: {
      due_by: now + 7 * 24 * 3600,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: about.reason,
    status: about.status,
  };
  work.tx.put(work.account.disputes, id, dispute);
  updateCharge(work, charge, { disputed: true });
  markCharge(work, charge.id, 'charged-back');
  emit(work, 'charge.dispute.created', dispute);
  emit(work, 'charge.dispute.funds_withdrawn', dispute);
  if (about.wonAfterMs !== undefined) later(work, about.wonAfterMs, 'win-dispute', { dispute: id });
  else if (about.status === 'lost') emit(work, 'charge.dispute.closed', dispute);
}

/** Task: the money comes again after all. */
export function winDispute(work: Work, id: string): void {
  const known = work.account.disputes.get(id);
  if (known === undefined || known.status === 'won') return;
  const dispute: Dispute = { ...known, status: 'won' };
  work.tx.put(work.account.disputes, id, dispute);
  markCharge(work, known.charge, 'captured');
  emit(work, 'charge.dispute.funds_reinstated', dispute);
  emit(work, 'charge.dispute.closed', dispute, { status: known.status });
}
