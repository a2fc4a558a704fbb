import { isPositive } from '@counterfoil/domain/money.ts';
import { authorisedCustomer } from '../../http/scope.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import { methodForCharge } from '../payment-methods/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import type { AttemptRow } from '../payments/attempts/attempt-row.ts';
import { AttemptInTheWay, type NewCharge, sendCharge, writeAttempt } from '../payments/attempts/charge.ts';
import { closeAttempt } from '../payments/attempts/engine.ts';
import { methodText } from '../payments/attempts/method-text.ts';
import { refusalOf } from '../payments/chargeable.ts';
import { lockCredit } from '../payments/credit.ts';
import { payByCredit } from './by-credit.ts';
import { billOf, isReason, momentOf, priceOf, type RoundContext } from './context.ts';
import { judge, type Reason } from './judge.ts';
import { type BillRow, lockBill, planOf, writePlan, writeRun } from './queries.ts';
import type { AutoPayDeps, Done } from './round.ts';

type Method = NonNullable<Awaited<ReturnType<typeof methodForCharge>>>;

/** What was committed about an invoice. */
type Written =
  | { readonly is: 'charge'; readonly attempt: AttemptRow; readonly method: Method }
  | { readonly is: 'skip'; readonly reason: Reason }
  | undefined;

/** Charges an announced invoice whose day has come, or records why it does not. */
export async function chargeDue(
  deps: AutoPayDeps,
  context: RoundContext,
  seen: BillRow,
): Promise<Pick<Done, 'did' | 'reason' | 'state'> | undefined> {
  const [brand, account] = await Promise.all([
    context.brand(seen.brand_id),
    context.account(seen.reseller_id),
  ]);
  const first = judge(billOf(seen, brand, account), momentOf(brand, context.now));
  if (first.do === 'nothing') return undefined;
  // Keys that are refused would use up runs: the operator puts them right, and the round comes back.
  if (first.do === 'charge' && account !== undefined && !(await deps.accounts.isWorking(account)))
    return undefined;
  const written = await write(deps, context, seen, account);
  if (written === undefined) return undefined;
  if (written.is === 'skip') return { did: 'skip', reason: written.reason };
  deps.reached?.('written');
  if (account === undefined) return undefined;
  const answered = await sendCharge(deps, account, written.attempt, { saved: written.method.saved });
  // Nobody is there to answer the bank's question: it must not be left to capture later.
  const after = answered.state === 'requiresAction' ? await closeAttempt(deps, answered) : answered;
  deps.reached?.('answered');
  return { did: 'charge', state: after.state };
}

/** Decides under the locks of plan and invoice, and commits run, attempt and claim together. */
async function write(
  deps: AutoPayDeps,
  context: RoundContext,
  seen: BillRow,
  account: GatewayAccount | undefined,
): Promise<Written> {
  const brand = await context.brand(seen.brand_id);
  const { now } = context;
  try {
    return await deps.db.transaction(async (tx): Promise<Written> => {
      const row = await lockBill(tx, seen);
      const plan = row === undefined ? null : planOf(row);
      if (row === undefined || plan === null) return undefined;
      deps.reached?.('deciding');
      const moment = momentOf(brand, now);
      const verdict = judge(billOf(row, brand, account), moment);
      const no = plan.runs + 1;
      const skip = async (reason: Reason): Promise<Written> => {
        await writeRun(tx, row, { no, attemptId: null, reason }, now);
        await writePlan(tx, row, { state: 'skipped', reason, runs: no }, now);
        return { is: 'skip', reason };
      };
      if (verdict.do === 'skip') return skip(verdict.reason);
      if (verdict.do !== 'charge' || account === undefined) return undefined;
      const scope = authorisedCustomer(row.customer_id, row.reseller_id, 'system');
      const inside = { db: tx, secrets: deps.secrets };
      const method =
        row.method_id === null ? undefined : await methodForCharge(inside, scope, account, row.method_id);
      if (method === undefined) return skip('noMethod');
      const unused = await lockCredit(tx, { customerId: row.customer_id, currency: row.currency });
      const { due, credit, rest: price } = priceOf(row, { brand, account }, method.kind, unused);
      if (!isPositive(price.due)) {
        await payByCredit(tx, scope, row, brand, now);
        await writeRun(tx, row, { no, attemptId: null, reason: 'byCredit' }, now);
        await writePlan(tx, row, { state: 'done', reason: 'byCredit', runs: no }, now);
        return { is: 'skip', reason: 'byCredit' };
      }
      const source = { by: 'saved', type: method.shown['type'] } as const;
      const refused = refusalOf(account, { kind: method.kind, source, total: price.total });
      if (refused !== undefined) return skip(isReason(refused) ? refused : 'noMethod');
      const clientKey = `auto:${row.invoice_id}:${no}`;
      const charge: NewCharge = {
        origin: 'auto',
        initiator: 'merchant',
        kind: method.kind,
        source,
        lines: [{ invoiceId: row.invoice_id, amount: due }],
        fee: price.fee,
        amount: price.total,
        credit,
        labels: { invoice: row.number, description: `${brand.companyName} ${row.number}` },
        returnTo: (attemptId) => brandUrl(brand, deps.publicUrl, `/payment-result?req_uid=${attemptId}`),
        receiptEmail: brand.settings.emailReceipt ? row.email : null,
        requestDigest: sha256(clientKey),
        clientKey,
        method: { id: method.id, saved: method.saved, payer: method.payer },
        methodShown: methodText(row.method_show ?? {}),
      };
      const attempt = await writeAttempt(tx, scope, account, charge, { secrets: deps.secrets, now });
      await writeRun(tx, row, { no, attemptId: attempt.id, reason: null }, now);
      const firstOn = plan.firstOn ?? moment.today;
      const underWay = { attemptId: attempt.id, methodId: row.method_id, runs: no, firstOn };
      await writePlan(tx, row, { state: 'charging', ...underWay }, now);
      return { is: 'charge', attempt, method };
    });
  } catch (error) {
    // Somebody began to pay it this moment: how that ends decides, at the next round.
    if (error instanceof AttemptInTheWay) return undefined;
    throw error;
  }
}
