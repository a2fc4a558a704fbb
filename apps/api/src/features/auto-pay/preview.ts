import { formatDecimal, isPositive } from '@counterfoil/domain/money/money.ts';
import { addDays, type Day } from '@counterfoil/domain/time/day.ts';
import type { Db } from '../../db/database.ts';
import type { GatewayAccounts } from '../payments/service.ts';
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

interface PreviewDeps {
  readonly db: Db;
  readonly accounts: GatewayAccounts;
  /** Whether the gateways may be asked if they take their keys. */
  readonly asksKeys: boolean;
}

/** What a round at this moment would do, invoice by invoice. Reads only. */
export async function previewAutoPay(
  deps: PreviewDeps,
  now: Date,
  resellerId: number | undefined,
): Promise<readonly Foreseen[]> {
  const context = new RoundContext(deps.db, deps.accounts, now);
  const dueBy = addDays(latestDay(now), ANNOUNCED_DAYS);
  const all: Foreseen[] = [];
  const credit = new CreditLeft();
  let after: Page['after'];
  for (;;) {
    const rows = await pageOpen(deps.db, dueBy, { after, limit: PAGE, resellerId });
    for (const row of rows) all.push(await foresee(deps, context, credit, row));
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE) return all;
  }
}

/** One customer has no more open invoices than a page can bear. */
const MOST_OF_ONE = 10_000;
/** Comes after every invoice of a customer. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface PreviewPage {
  readonly resellerId: number;
  readonly customerId: string | undefined;
  /** The customer after whom the page begins. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * A page of what a round at a moment would do. Invoices of one customer share its credit, so they stay on one page.
 * @returns the invoices, about as many as asked for, and the last customer where others follow
 */
export async function previewPage(
  deps: PreviewDeps,
  now: Date,
  { resellerId, customerId, after, limit }: PreviewPage,
): Promise<{ readonly invoices: readonly Foreseen[]; readonly next: string | null }> {
  const dueBy = addDays(latestDay(now), ANNOUNCED_DAYS);
  const page = { resellerId, customerId, after: after && { customer_id: after, invoice_id: LAST_ID } };
  const read = (limited: Partial<Page>) =>
    pageOpen(deps.db, dueBy, { ...page, after: page.after || undefined, limit: limit + 1, ...limited });
  let rows = await read({});
  const last = rows[limit]?.customer_id;
  let othersFollow = last !== undefined;
  if (last !== undefined) {
    const whole = rows.filter((row) => row.customer_id !== last);
    rows = whole.length > 0 ? whole : await read({ customerId: last, limit: MOST_OF_ONE });
    if (whole.length === 0)
      othersFollow = (await read({ after: { customer_id: last, invoice_id: LAST_ID }, limit: 1 })).length > 0;
  }
  const context = new RoundContext(deps.db, deps.accounts, now);
  const credit = new CreditLeft();
  const invoices: Foreseen[] = [];
  for (const row of rows) invoices.push(await foresee(deps, context, credit, row));
  return { invoices, next: othersFollow ? (invoices.at(-1)?.customerId ?? null) : null };
}

/** The customers' credit as a round uses it up, invoice by invoice. */
class CreditLeft {
  readonly #left = new Map<string, bigint>();

  /** What is left of a customer's credit in an invoice's currency, minor units. */
  of(row: BillRow): bigint {
    return this.#left.get(keyOf(row)) ?? row.credit_minor;
  }

  use(row: BillRow, minor: bigint): void {
    this.#left.set(keyOf(row), this.of(row) - minor);
  }
}

const keyOf = ({ customer_id: customerId, currency }: BillRow): string => `${customerId} ${currency}`;

async function foresee(
  deps: PreviewDeps,
  context: RoundContext,
  credit: CreditLeft,
  row: BillRow,
): Promise<Foreseen> {
  const [brand, account] = await Promise.all([context.brand(row.brand_id), context.account(row.reseller_id)]);
  const unused = credit.of(row);
  const verdict = judge(billOf(row, brand, account, unused), momentOf(brand, context.now));
  const price = priceOf(row, { brand, account }, row.method_kind ?? 'card', unused);
  const isCharge = verdict.do === 'charge';
  // The round leaves such a one alone, and comes back.
  const isRefused =
    isCharge && deps.asksKeys && account !== undefined && !(await deps.accounts.isWorking(account));
  if (isCharge && !isRefused) credit.use(row, price.credit.minor);
  const isByCredit = isCharge && !isRefused && !isPositive(price.rest.due);
  const reason = 'reason' in verdict ? verdict.reason : null;
  return {
    ...aboutOf(row),
    resellerId: row.reseller_id,
    dueOn: row.due_on,
    currency: row.currency,
    amount: formatDecimal((isCharge ? price.rest : price.whole).total),
    would: isRefused ? 'nothing' : isByCredit ? 'skip' : verdict.do,
    reason: isRefused ? 'keys' : isByCredit ? 'byCredit' : reason,
    chargeOn: 'chargeOn' in verdict ? verdict.chargeOn : row.charge_on,
  };
}
