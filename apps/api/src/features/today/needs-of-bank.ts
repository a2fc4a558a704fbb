import { bankEntryReasonTexts } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Db } from '../../db/database.ts';
import { suggestedEntries, suggestedTotals } from '../bank-entries/queries.ts';
import { LISTED, type Needs } from './needs.ts';

/** Entries of bank statements that a person decides, most money first, then the oldest. */
export async function bankEntryNeeds(db: Db, resellerId: number): Promise<Needs> {
  const totals = await suggestedTotals(db, resellerId);
  if (totals.length === 0) return { count: 0, sums: [], oldestAt: null, items: [] };
  const rows = await suggestedEntries(db, resellerId, LISTED);
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    sums: totals.map(({ currency, minor }) => ({ currency, amount: formatDecimal(money(minor, currency)) })),
    oldestAt: totals.reduce<Date | null>(
      (first, { oldest }) => (first === null || oldest < first ? oldest : first),
      null,
    ),
    items: rows.map((row) => ({
      kind: 'bankEntrySuggested' as const,
      id: row.id,
      title: row.party_name || row.bank_reference || row.booked_on,
      about: row.remittance.replaceAll(/\s+/g, ' ').slice(0, 80) || null,
      reason: row.reasons.map((reason) => bankEntryReasonTexts[reason])[0] ?? null,
      amount: formatDecimal(money(row.amount_minor, row.currency)),
      currency: row.currency,
      count: 1,
      at: row.created_at.toISOString(),
      path: `/admin/payments/bank/${row.id}`,
    })),
  };
}
