import { methodText } from '@counterfoil/domain/paying/method-text.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Db } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ComingCharge } from '../../letters/auto-pay-slip.ts';
import type { GatewayAccounts } from '../payments/service.ts';
import { billOf, momentOf, priceOf, RoundContext } from './context.ts';
import { foreseenDay } from './judge.ts';
import { listOwed } from './queries.ts';

/**
 * What auto-pay will do about a customer's open invoices in one currency, the first day first: a round's own judgement and
 * prices, with the credit used up in the same order. Reads only and asks no gateway.
 */
export async function foreseeCharges(
  deps: { readonly db: Db; readonly accounts: GatewayAccounts },
  scope: CustomerScope,
  currency: string,
  now: Date,
): Promise<readonly ComingCharge[]> {
  const context = new RoundContext(deps.db, deps.accounts, now);
  const rows = await listOwed(deps.db, { customerId: scope.customerId, currency });
  const [first] = rows;
  if (first === undefined) return [];
  const [brand, account] = await Promise.all([
    context.brand(first.brand_id),
    context.account(first.reseller_id),
  ]);
  const { today } = momentOf(brand, now);
  const coming = rows
    .map((row) => ({ row, chargeOn: foreseenDay(billOf(row, brand, account), today) }))
    .toSorted((a, b) => orderOf(a) - orderOf(b) || (a.row.invoice_id < b.row.invoice_id ? -1 : 1));
  let unused = first.credit_minor;
  return coming.flatMap(({ row }): ComingCharge[] => {
    const { method_kind: kind } = row;
    // With less credit left another amount is taken, which the gateway may not take.
    const chargeOn = foreseenDay(billOf(row, brand, account, unused), today);
    if (chargeOn === undefined || kind === null) return [];
    const { due, credit, rest, whole } = priceOf(row, { brand, account }, kind, unused);
    unused -= credit.minor;
    return [
      {
        invoiceId: row.invoice_id,
        chargeOn,
        dueMinor: due.minor,
        creditMinor: credit.minor,
        feeMinor: rest.fee.minor,
        totalMinor: rest.total.minor,
        mostMinor: whole.total.minor,
        method: methodText(row.method_show ?? {}) ?? 'your default payment method',
        asksNobody: !brand.reseller.requireCustomerPermissionForCharging,
      },
    ];
  });
}

const orderOf = ({ chargeOn }: { readonly chargeOn: Day | undefined }): number =>
  chargeOn === undefined ? Number.POSITIVE_INFINITY : Date.parse(chargeOn);
