import { money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { sha256 } from '../../secrets.ts';
import type { Brand } from '../brand/service.ts';
import { settleByCredit, writeSession } from '../payments/service.ts';
import type { BillRow } from './queries.ts';

/** Pays an invoice that the customer's credit covers whole: no gateway is asked. Invoice and credit are locked. */
export async function payByCredit(
  tx: Tx,
  scope: CustomerScope,
  row: BillRow,
  brand: Brand,
  now: Date,
): Promise<void> {
  const { customer_id: customerId, invoice_id: invoiceId, currency, due_minor: minor } = row;
  const sessionId = newId(now.getTime());
  const quote = {
    currency,
    totalMinor: 0n,
    creditMinor: minor,
    digest: sha256(sessionId),
    lines: [
      { kind: 'invoice', invoiceId, minor },
      { kind: 'adjustment', invoiceId: null, minor: -minor },
    ],
  } as const;
  await writeSession(tx, scope, { id: sessionId, origin: 'auto', quote }, now);
  const lines = [{ invoiceId, amount: money(minor, currency) }];
  const to = brand.settings.emailReceipt ? row.email : null;
  await settleByCredit(tx, { customerId, sessionId, currency, lines, to, at: now });
}
