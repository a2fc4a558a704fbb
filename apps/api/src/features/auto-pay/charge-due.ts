import { isPositive } from '@counterfoil/domain/money/money.ts';
import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import { methodForCharge } from '../payment-methods/service.ts';
import {
  attempt,
  type GatewayAccount,
  lockCredit,
  PaymentTerms,
  type Pricing,
  sendUnattended,
} from '../payments/service.ts';
import { payByCredit } from './by-credit.ts';
import { billOf, isReason, momentOf, priceOf, type RoundContext } from './context.ts';
import { judge, type Reason } from './judge.ts';
import { type BillRow, lockBill, planOf, writePlan, writeRun } from './queries.ts';
import type { AutoPayDeps, Done } from './round.ts';

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
  const attempted = await attempt(deps, {
    first: async () => undefined,
    quote: () => quote(deps, context, seen, account),
    other: async () => undefined,
  });
  if (attempted.is === 'settled') {
    const { reason } = attempted.as;
    return reason === undefined ? undefined : { did: 'skip', reason };
  }
  // Somebody started to pay it at this moment: how that ends decides, at the next round.
  if (attempted.is !== 'new') return undefined;
  deps.reached?.('written');
  const sent = await sendUnattended(deps, attempted);
  deps.reached?.('answered');
  return { did: 'charge', state: sent.state };
}

/** Why an invoice is not charged; undefined where there is nothing to do about it now. */
interface NotCharged {
  readonly reason: Reason | undefined;
}

/** Decides under the locks of plan and invoice; run, attempt and claim are committed together. */
async function quote(
  deps: AutoPayDeps,
  context: RoundContext,
  seen: BillRow,
  account: GatewayAccount | undefined,
): Promise<Pricing<NotCharged>> {
  const brand = await context.brand(seen.brand_id);
  const { now } = context;
  const nothing = { is: 'settled', as: { reason: undefined } } as const;
  return async (tx) => {
    const row = await lockBill(tx, seen);
    const plan = row === undefined ? null : planOf(row);
    if (row === undefined || plan === null) return nothing;
    deps.reached?.('deciding');
    const moment = momentOf(brand, now);
    const verdict = judge(billOf(row, brand, account), moment);
    const no = plan.runs + 1;
    const skip = async (reason: Reason) => {
      await writeRun(tx, row, { no, attemptId: null, reason }, now);
      await writePlan(tx, row, { state: 'skipped', reason, runs: no }, now);
      return { is: 'settled', as: { reason } } as const;
    };
    if (verdict.do === 'skip') return skip(verdict.reason);
    if (verdict.do !== 'charge' || account === undefined) return nothing;
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
      return { is: 'settled', as: { reason: 'byCredit' } };
    }
    const source = { by: 'saved', type: method.shown['type'] } as const;
    const way = { kind: method.kind, source, total: price.total };
    const refused = new PaymentTerms(brand, account).refusal(way);
    if (refused !== undefined) return skip(isReason(refused) ? refused : 'noMethod');
    const clientKey = `auto:${row.invoice_id}:${no}`;
    return {
      is: 'charge',
      scope,
      account,
      at: now,
      pay: { saved: method.saved },
      charge: {
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
      },
      also: async (within, { id: attemptId }) => {
        await writeRun(within, row, { no, attemptId, reason: null }, now);
        const firstOn = plan.firstOn ?? moment.today;
        const underWay = { attemptId, methodId: row.method_id, runs: no, firstOn };
        await writePlan(within, row, { state: 'charging', ...underWay }, now);
      },
    };
  };
}
