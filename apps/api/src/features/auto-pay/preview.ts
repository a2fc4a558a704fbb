import { addDays, type Day } from '@counterfoil/domain/day.ts';
import { formatDecimal, isPositive, type Money, subtractMoney } from '@counterfoil/domain/money.ts';
import type { Db } from '../../db/database.ts';
import type { GatewayAccounts } from '../payments/accounts.ts';
import { coveredBy, readCredit } from '../payments/credit.ts';
import { priceFor } from '../payments/price.ts';
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
  /** What would be taken: with the fee, less the customer's credit where it is charged now; a decimal without symbol. */
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
  const credit = new CreditLeft(deps.db);
  let after: Page['after'];
  for (;;) {
    const rows = await pageOpen(deps.db, dueBy, { after, limit: PAGE, resellerId });
    for (const row of rows) all.push(await foresee(context, credit, row));
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE) return all;
  }
}

/** The customers' credit as a round uses it up, invoice by invoice. */
class CreditLeft {
  readonly #left = new Map<string, bigint>();
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Takes what credit pays of an amount. @returns what is left to be charged */
  async pay({ customer_id: customerId, currency }: BillRow, due: Money): Promise<Money> {
    const key = `${customerId} ${currency}`;
    const left = this.#left.get(key) ?? (await readCredit(this.#db, { customerId, currency }));
    const covered = coveredBy(left, due);
    this.#left.set(key, left - covered.minor);
    return subtractMoney(due, covered);
  }
}

async function foresee(context: RoundContext, credit: CreditLeft, row: BillRow): Promise<Foreseen> {
  const [brand, account] = await Promise.all([context.brand(row.brand_id), context.account(row.reseller_id)]);
  const verdict = judge(billOf(row, brand, account), momentOf(brand, context.now));
  const kind = row.method_kind ?? 'card';
  const { due, total: whole } = priceOf(row, brand, kind);
  const rest = verdict.do === 'charge' ? await credit.pay(row, due) : due;
  const isByCredit = verdict.do === 'charge' && !isPositive(rest);
  const total = verdict.do === 'charge' ? priceFor(rest, kind, brand).total : whole;
  return {
    ...{ ...aboutOf(row), resellerId: row.reseller_id, dueOn: row.due_on, currency: row.currency },
    amount: formatDecimal(total),
    would: isByCredit ? 'skip' : verdict.do,
    reason: isByCredit ? 'byCredit' : 'reason' in verdict ? verdict.reason : null,
    chargeOn: 'chargeOn' in verdict ? verdict.chargeOn : row.charge_on,
  };
}
