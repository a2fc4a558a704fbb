import type { InvoiceUsage } from '@counterfoil/contract/invoices.ts';
import { allocateByLargestRemainder } from '@counterfoil/domain/money/allocate.ts';
import { money, moneyToNumber } from '@counterfoil/domain/money/money.ts';
import { type QuantityUnit, unitOf } from '@counterfoil/domain/money/quantity.ts';
import {
  addRate,
  parseRate,
  type Rate,
  rateToMillionths,
  rateToNumber,
  zeroRate,
} from '@counterfoil/domain/money/rate.ts';
import type { LineUsageRow, UsageLineRow } from './invoice-row.ts';

/** A row of the usage table with exact amounts, for screen and CSV alike. */
export interface UsageSum {
  readonly serviceItem: string;
  readonly service: string;
  readonly recordType: string;
  readonly quantity: Rate;
  readonly unit: QuantityUnit | null;
  readonly amountMinor: bigint;
  readonly taxMinor: bigint;
}

/**
 * What an invoice billed for usage, by service item and record type. Each line's amount and tax are split over its
 * records' prices by largest remainder, so that the rows add up to the lines to the minor unit.
 */
export function splitUsage(lines: readonly UsageLineRow[], usage: readonly LineUsageRow[]): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  const byLine = Map.groupBy(usage, (part) => part.line_id);
  for (const line of lines) {
    const parts = byLine.get(line.id) ?? [];
    if (parts.length === 0) continue;
    const prices = parts.map((part) => rateToMillionths(parseRate(part.price, 'round')));
    const units = parts.map((part) => rateToMillionths(parseRate(part.units, 'round')));
    // Records without a price share by what was measured.
    const weights = prices.some((price) => price !== 0n) ? prices : units;
    const amounts = allocateByLargestRemainder(line.amount_minor, weights);
    const taxes = allocateByLargestRemainder(line.tax_minor, weights);
    for (const [index, part] of parts.entries()) {
      const key = JSON.stringify([part.service_item, part.service, part.record_type, part.unit]);
      const before = sums.get(key);
      sums.set(key, {
        serviceItem: part.service_item,
        service: part.service,
        recordType: part.record_type,
        unit: part.unit,
        quantity: addRate(before?.quantity ?? parseRate('0'), parseRate(part.units, 'round')),
        amountMinor: (before?.amountMinor ?? 0n) + (amounts[index] ?? 0n),
        taxMinor: (before?.taxMinor ?? 0n) + (taxes[index] ?? 0n),
      });
    }
  }
  return [...sums.values()];
}

/**
 * Gives usage what it is counted in: what its record type says; where that says nothing, what the line says that billed the very
 * same quantity.
 */
export function unitFinder(
  lines: readonly UsageLineRow[],
  usage: readonly LineUsageRow[],
): <T extends { readonly line_id: string; readonly unit: QuantityUnit | null }>(part: T) => T {
  const sums = new Map<string, Rate>();
  for (const { line_id, units } of usage)
    sums.set(line_id, addRate(sums.get(line_id) ?? zeroRate, parseRate(units, 'round')));
  const own = lines.filter(({ id, quantity }) => sums.get(id) === parseRate(quantity, 'round'));
  const unitOfLine = new Map(own.map(({ id, unit }) => [id, unitOf(unit)]));
  return (part) => ({ ...part, unit: part.unit ?? unitOfLine.get(part.line_id) ?? null });
}

/** The wire form of {@link splitUsage}. */
export function presentUsage(sums: readonly UsageSum[], currency: string): InvoiceUsage[] {
  const number = (minor: bigint) => moneyToNumber(money(minor, currency));
  return sums.map((sum) => ({
    serviceItem: sum.serviceItem,
    service: sum.service,
    recordType: sum.recordType,
    quantity: rateToNumber(sum.quantity),
    unit: sum.unit,
    invoiceAmount: number(sum.amountMinor),
    invoiceTax: number(sum.taxMinor),
    invoiceTotal: number(sum.amountMinor + sum.taxMinor),
  }));
}
