import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import { lockCredit } from '../payments/service.ts';
import { billOf, momentOf, priceOf, type RoundContext } from './context.ts';
import { judge } from './judge.ts';
import { promiseAutoPayMail } from './mail-queue.ts';
import type { AutoPayNotice } from './mails.ts';
import { type BillRow, lockBill, planOf, sumPromised, writePlan } from './queries.ts';
import type { AutoPayDeps, Done } from './round.ts';

/** Tells a customer ahead what will be charged, or that nothing can be. @returns undefined when there was nothing to do */
export async function announce(
  deps: AutoPayDeps,
  context: RoundContext,
  seen: BillRow,
): Promise<Pick<Done, 'did' | 'reason'> | undefined> {
  const [brand, account] = await Promise.all([
    context.brand(seen.brand_id),
    context.account(seen.reseller_id),
  ]);
  const moment = momentOf(brand, context.now);
  if (judge(billOf(seen, brand, account), moment).do === 'nothing') return undefined;
  const did = await deps.db.transaction(async (tx) => {
    const row = await lockBill(tx, seen);
    if (row === undefined) return undefined;
    const verdict = judge(billOf(row, brand, account), moment);
    if (verdict.do === 'tellNoMethod') {
      const isNew = await writePlan(tx, row, { state: 'noMethod' }, context.now);
      const notice: AutoPayNotice = {
        mail: 'autoPayNoMethod',
        dueOn: row.due_on ?? '',
        due: String(row.due_minor),
      };
      if (isNew) await promiseAutoPayMail(tx, row, 'noMethod', notice, context.now);
      return isNew ? verdict.do : undefined;
    }
    if (verdict.do !== 'announce' || row.method_kind === null) return undefined;
    const plan = planOf(row);
    // Another method starts from zero; with the same one earlier tries still count.
    const afresh =
      plan?.methodId === row.method_id ? {} : ({ declines: 0, failures: 0, firstOn: null } as const);
    const { chargeOn } = verdict;
    // Locked, so that of two invoices that are announced at once one sees what the other was promised.
    const unused = await lockCredit(tx, { customerId: row.customer_id, currency: row.currency });
    const left = unused > 0n ? unused - (await sumPromised(tx, row, chargeOn)) : 0n;
    const { due, credit, rest, whole } = priceOf(row, { brand, account }, row.method_kind, left);
    const isWritten = await writePlan(
      tx,
      row,
      {
        ...afresh,
        state: 'announced',
        chargeOn,
        // Credit may be used otherwise before: this is what is charged at most, and the mail says both.
        announcedMinor: whole.total.minor,
        methodId: row.method_id,
      },
      context.now,
    );
    if (!isWritten) return undefined;
    const notice: AutoPayNotice = {
      mail: 'autoPayAhead',
      chargeOn,
      due: String(due.minor),
      credit: String(credit.minor),
      fee: String(rest.fee.minor),
      total: String(rest.total.minor),
      most: String(whole.total.minor),
      method: methodText(row.method_show ?? {}) ?? 'your default',
      asksNobody: !brand.reseller.requireCustomerPermissionForCharging,
    };
    await promiseAutoPayMail(tx, row, `ahead:${chargeOn}:${whole.total.minor}`, notice, context.now);
    return verdict.do;
  });
  if (did === undefined) return undefined;
  deps.reached?.('announced');
  return { did };
}
