import { addDays, type Day } from '@counterfoil/domain/day.ts';
import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import type { Db } from '../../db/database.ts';
import type { GatewayAccounts } from '../payments/accounts.ts';
import { billOf, momentOf, priceOf, RoundContext } from './context.ts';
import { ANNOUNCED_DAYS, judge, type Reason, type Verdict } from './judge.ts';
import { type BillRow, type Page, pageOpen } from './queries.ts';
import { aboutOf, latestDay } from './service.ts';

/** What a round would do about one invoice, or why it would not. */
export interface Foreseen {
  readonly customerId: string;
  readonly customer: string;
  readonly invoiceId: string;
  readonly invoice: string;
  readonly resellerId: number;
  readonly dueOn: string | null;
  /** With the fee; a decimal without symbol. */
  readonly amount: string;
  readonly currency: string;
  readonly would: Verdict['do'];
  readonly reason: Reason | null;
  readonly chargeOn: Day | string | null;
}

const PAGE = 500;

/** What a round at this moment would do, invoice by invoice. Reads only. */
export async function previewAutoPay(
  deps: { readonly db: Db; readonly accounts: GatewayAccounts },
  now: Date,
  resellerId: number | undefined,
): Promise<readonly Foreseen[]> {
  const context = new RoundContext(deps.db, deps.accounts, now);
  const dueBy = addDays(latestDay(now), ANNOUNCED_DAYS);
  const all: Foreseen[] = [];
  let after: Page['after'];
  for (;;) {
    const rows = await pageOpen(deps.db, dueBy, { after, limit: PAGE, resellerId });
    for (const row of rows) all.push(await foresee(context, row));
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE) return all;
  }
}

async function foresee(context: RoundContext, row: BillRow): Promise<Foreseen> {
  const [brand, account] = await Promise.all([context.brand(row.brand_id), context.account(row.reseller_id)]);
  const verdict = judge(billOf(row, brand, account), momentOf(brand, context.now));
  const { total } = priceOf(row, brand, row.method_kind ?? 'card');
  return {
    ...{ ...aboutOf(row), resellerId: row.reseller_id, dueOn: row.due_on, currency: row.currency },
    amount: formatDecimal(money(total.minor, row.currency)),
    would: verdict.do,
    reason: 'reason' in verdict ? verdict.reason : null,
    chargeOn: 'chargeOn' in verdict ? verdict.chargeOn : row.charge_on,
  };
}
