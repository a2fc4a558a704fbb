import { composeEInvoice, type SellerFacts } from './compose.ts';
import type { EAllowance, EInvoice, EPeriod, ETax } from './model.ts';
import type { EInvoiceRow, ELineRow } from './queries.ts';
import { checkEInvoice, checkLines, type Finding } from './rules.ts';

/**
 * Checks an invoice of any length some lines at a time, and keeps none of them: what they come to is added up. That no two lines
 * have one number, the database sees to.
 */
export class CheckInParts {
  private readonly row: EInvoiceRow;
  private readonly facts: SellerFacts;
  private readonly period: EPeriod | null;
  private readonly forms = new Set<Finding['of']>();
  private readonly taxes = new Map<string, ETax>();
  /** What was added up; of lines and allowances only one that says what all of them do. */
  private whole: EInvoice | undefined;
  private negative: EAllowance | undefined;

  /** @param period of the document, in view of all of its lines */
  constructor(row: EInvoiceRow, facts: SellerFacts, period: EPeriod | null) {
    this.row = row;
    this.facts = facts;
    this.period = period;
  }

  /** Checks the next lines. */
  add(rows: readonly ELineRow[]): void {
    const part = composeEInvoice(this.row, rows, this.facts, this.period);
    for (const { of } of checkLines(part)) this.forms.add(of);
    for (const tax of part.taxes) this.addTax(tax);
    this.negative ??= part.allowances.find(({ amountMinor }) => amountMinor < 0n);
    const before = this.whole;
    const [line] = part.lines;
    if (before === undefined) this.whole = { ...part, lines: line === undefined ? [] : [line] };
    else
      this.whole = {
        ...before,
        lines: before.lines.length > 0 || line === undefined ? before.lines : [line],
        totals: {
          ...before.totals,
          linesMinor: before.totals.linesMinor + part.totals.linesMinor,
          allowancesMinor: before.totals.allowancesMinor + part.totals.allowancesMinor,
          chargesMinor: before.totals.chargesMinor + part.totals.chargesMinor,
        },
      };
  }

  /** @returns which forms something keeps it from */
  end(): ReadonlySet<Finding['of']> {
    const whole = this.whole ?? composeEInvoice(this.row, [], this.facts, this.period);
    const allowances = this.negative === undefined ? [] : [this.negative];
    for (const { of } of checkEInvoice({ ...whole, allowances, taxes: [...this.taxes.values()] }))
      this.forms.add(of);
    return this.forms;
  }

  private addTax(tax: ETax): void {
    const key = `${tax.category} ${tax.percent ?? ''}`;
    const before = this.taxes.get(key);
    this.taxes.set(key, {
      ...tax,
      taxableMinor: (before?.taxableMinor ?? 0n) + tax.taxableMinor,
      taxMinor: (before?.taxMinor ?? 0n) + tax.taxMinor,
    });
  }
}
