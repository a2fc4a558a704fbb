import { momentOf, type RoundContext } from './context.ts';
import { afterRun, type Next } from './judge.ts';
import { promiseAutoPayMail } from './mail-queue.ts';
import type { AutoPayNotice } from './mails.ts';
import { type BillRow, type EndedRun, lockBill, planOf, writePlan } from './queries.ts';
import type { AutoPayDeps } from './round.ts';

const NOT_DECIDED = 'The payment could not be carried out. Nothing was charged.';

/** Takes in how a run has ended, whoever found it out, and tells the customer what happens next. */
export async function follow(deps: AutoPayDeps, context: RoundContext, ended: EndedRun): Promise<void> {
  const { now } = context;
  await deps.db.transaction(async (tx) => {
    const row = await lockBill(tx, ended);
    const plan = row === undefined ? null : planOf(row);
    if (row === undefined || plan?.state !== 'charging') return;
    const brand = await context.brand(row.brand_id);
    const next = afterRun(plan, ended, momentOf(brand, now).today);
    await writePlan(tx, row, next, now);
    const notice = noticeOf(row, ended, next, ended.method ?? 'your default');
    if (notice !== undefined) await promiseAutoPayMail(tx, row, `run:${plan.runs}`, notice, now);
  });
}

/**
 * What the customer is told: nothing of a success, for the receipt says it, unless less was taken than was charged; and
 * nothing of what mends itself.
 */
function noticeOf(row: BillRow, ended: EndedRun, next: Next, method: string): AutoPayNotice | undefined {
  // Paid otherwise or withdrawn meanwhile: there is nothing left to say.
  if (row.status !== 10 || row.due_minor <= 0n) return undefined;
  if (next.state === 'done') {
    const taken = ended.captured_minor;
    if (taken === null || taken >= ended.amount_minor) return undefined;
    return { mail: 'autoPayPart', taken: String(taken), due: String(row.due_minor), method };
  }
  const total = String(ended.amount_minor);
  if (next.reason === 'authenticate') return { mail: 'autoPayConfirm', total, method };
  if (next.state === 'announced' && next.reason === 'gateway') return undefined;
  return {
    mail: 'autoPayDeclined',
    total,
    method,
    againOn: next.chargeOn,
    why: ended.decline?.text ?? NOT_DECIDED,
    isOtherNeeded: next.reason === 'sameMethod' || next.reason === 'forbidden',
  };
}
