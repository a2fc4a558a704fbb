import { addDays, type Day, dayOfUtcMs } from '@counterfoil/domain/time/day.ts';
import { announce } from './announce.ts';
import { chargeDue } from './charge-due.ts';
import { RoundContext } from './context.ts';
import { follow } from './follow.ts';
import { ANNOUNCED_DAYS } from './judge.ts';
import { type BillRow, listEnded, type Page, pageToAnnounce, pageToCharge } from './queries.ts';
import type { AutoPayDeps, Done } from './round.ts';

export type { AutoPayDeps, Done, Step } from './round.ts';

const PAGE = 200;
/** Customers whose invoices are announced or charged at the same time in one process. */
const AT_ONCE = 4;
/** The day is already another one somewhere. */
const EAST_MS = 14 * 3_600_000;

/** The latest day that it is anywhere. */
export const latestDay = (now: Date): Day => dayOfUtcMs(now.getTime() + EAST_MS);

/**
 * One round: takes in how earlier runs have ended, charges what was announced and is due, announces what will be.
 * Any number of processes may run it at once; each invoice is one process's at a time, and what is written (plan, run,
 * attempt, mail) carries unique keys, so that it happens once wherever a process dies.
 */
export async function autoPayRound(
  deps: AutoPayDeps,
  only: { readonly resellerId?: number | undefined } = {},
): Promise<readonly Done[]> {
  const context = new RoundContext(deps.db, deps.accounts, deps.clock.now());
  const { resellerId } = only;
  const done: Done[] = [];
  const note = (row: BillRow, what: Pick<Done, 'did' | 'reason' | 'state'> | undefined) => {
    if (what !== undefined) done.push({ ...aboutOf(row), ...what });
  };
  await followEnded(deps, context, resellerId);
  const last = latestDay(context.now);
  const pages = [
    (page: Page) => pageToCharge(deps.db, last, page),
    (page: Page) => pageToAnnounce(deps.db, addDays(last, ANNOUNCED_DAYS), page),
  ];
  for (const [index, read] of pages.entries()) {
    const act = index === 0 ? chargeDue : announce;
    await eachOf(resellerId, read, (row) =>
      act(deps, context, row)
        .then((what) => note(row, what))
        .catch((error: unknown) => {
          deps.log.error({ err: error, invoice: row.invoice_id }, 'auto-pay: an invoice comes round again');
        }),
    );
  }
  await followEnded(deps, context, resellerId);
  return done;
}

export const aboutOf = (row: BillRow) => ({
  customerId: row.customer_id,
  customer: row.label,
  invoiceId: row.invoice_id,
  invoice: row.number,
});

/** Takes in the ends of runs, whoever found them out. */
async function followEnded(
  deps: AutoPayDeps,
  context: RoundContext,
  resellerId: number | undefined,
): Promise<void> {
  for (const ended of await listEnded(deps.db, resellerId, 1_000)) {
    await follow(deps, context, ended).catch((error: unknown) => {
      deps.log.error({ err: error, attempt: ended.attempt_id }, 'auto-pay: an end comes round again');
    });
  }
}

/** A customer's invoices one after the other, in their order: each is promised and uses the credit that those before it left. */
async function eachOf(
  resellerId: number | undefined,
  read: (page: Page) => Promise<BillRow[]>,
  work: (row: BillRow) => Promise<void>,
): Promise<void> {
  let after: Page['after'];
  for (;;) {
    const rows = await read({ after, limit: PAGE, resellerId });
    const queue = Map.groupBy(rows, (row) => row.customer_id).values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const ofCustomer of queue) for (const row of ofCustomer) await work(row);
      }),
    );
    after = rows.at(-1);
    if (after === undefined || rows.length < PAGE) return;
  }
}
