import { type Money, money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { isId, newId } from '@counterfoil/domain/text/ids.ts';
import type { GatewayRef, ListedCharge } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { findCustomerBrand } from '../../brand/queries.ts';
import { brandFromRow } from '../../brand/service.ts';
import type { GatewayAccount } from '../accounts.ts';
import type { ChargeLine } from '../attempts/claims.ts';
import { type EngineDeps, readAttempt } from '../attempts/engine.ts';
import { writeGatewayMade } from '../attempts/gateway-made.ts';
import { settle } from '../attempts/settle.ts';
import { priceFor } from '../price.ts';

/** `takenIn`: it was forgotten here and is a payment again; `person`: it is ours and its customer is not known; `foreign`: it is not ours. */
export type TakenIn = 'known' | 'takenIn' | 'person' | 'foreign';

/** How our references look: a charge of another program at the same account is left alone. */
const OURS = /^[0-9A-Z]{18}$/;

/**
 * Takes in a charge that a gateway lists, after a backup was restored that may not know it. One that is known gets what the
 * gateway says of it. A forgotten one is written again, by the customer and invoices in its labels: it pays them as far as they
 * need it, and the rest is the customer's credit. Any number of times; each charge counts once.
 */
export async function takeIn(
  deps: EngineDeps,
  account: GatewayAccount,
  listed: ListedCharge,
): Promise<TakenIn> {
  const { ref, outcome } = listed;
  if (ref === undefined || !OURS.test(ref)) return 'foreign';
  const known = await deps.db.maybeOne<{ customerId: string; attemptId: string }>(sql`
    select customer_id as "customerId", attempt_id as "attemptId" from attempt_ref where ref = ${ref}`);
  if (known !== undefined) {
    const attempt = await readAttempt(deps, known);
    if (attempt?.gateway_account_id !== account.id || attempt.direction !== 'charge') return 'foreign';
    if (attempt.state !== 'succeeded')
      await settle(deps, known, outcome, 'reconciler', { ...attempt, isListed: true });
    return 'known';
  }
  const customer = await customerOf(deps, account, listed.labels?.customer ?? '');
  if (customer === undefined) {
    const fields = { account: account.id, ref, minor: String(listed.amount.minor), at: listed.at };
    deps.log.error(fields, 'a charge of a restored backup’s time needs a person: its customer is not known');
    return 'person';
  }
  const key = await writeAgain(deps, account, { ...listed, ref }, customer);
  const after = await settle(deps, key, outcome, 'reconciler');
  deps.log.warn(
    { attempt: key.attemptId, ref, minor: String(listed.amount.minor), state: after.state },
    isOpen(after.state) ? 'a forgotten charge is followed again' : 'a forgotten charge was booked again',
  );
  return 'takenIn';
}

interface CustomerRow {
  readonly customerId: string;
  readonly resellerId: number;
}

/** The customer by the label of a charge, where it is one of the account's reseller. */
const customerOf = (deps: EngineDeps, { resellerId }: GatewayAccount, label: string) =>
  isId(label)
    ? deps.db.maybeOne<CustomerRow>(sql`
        select customer_id as "customerId", reseller_id as "resellerId" from customer
         where customer_id = ${label} and reseller_id = ${resellerId}`)
    : undefined;

async function writeAgain(
  deps: EngineDeps,
  account: GatewayAccount,
  { ref, amount, at: sentAt, kind, labels }: ListedCharge & { readonly ref: GatewayRef },
  { customerId, resellerId }: CustomerRow,
): Promise<{ customerId: string; attemptId: string }> {
  const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, resellerId));
  const now = deps.clock.now();
  const attemptId = newId(now.getTime());
  const invoice = labels?.invoice ?? '';
  await deps.db.transaction(async (tx) => {
    const lines = await linesOf(tx, customerId, invoice, amount);
    const paid = lines.reduce((sum, line) => sum + line.amount.minor, 0n);
    // What goes beyond the invoices is the fee where it is just that, and else the customer's credit.
    const { fee } = priceFor(money(paid, amount.currency), kind, brand, account);
    await writeGatewayMade(tx, {
      customerId,
      attemptId,
      resellerId,
      accountId: account.id,
      gateway: account.module.manifest.id,
      direction: 'charge',
      captureId: null,
      ref,
      kind,
      amount,
      fee: paid > 0n && amount.minor - paid === fee.minor ? fee.minor : 0n,
      state: 'unknown',
      remote: null,
      labels: { invoice, description: invoice, customer: customerId, session: attemptId },
      returnTo: '',
      receiptEmail: null,
      method: null,
      answerWithinMs: account.gateway.capabilities.answerWithinMs,
      lines,
      sentAt,
      now,
      evidence: { found: 'at the gateway, after a backup was restored' },
    });
  });
  return { customerId, attemptId };
}

interface DueRow {
  readonly id: string;
  readonly number: string;
  readonly free: bigint;
}

/** What a charge is to pay of the invoices in its label: what they need, and nothing of one that another attempt pays. */
async function linesOf(tx: Tx, customerId: string, label: string, amount: Money): Promise<ChargeLine[]> {
  const numbers = label.split(',').map((one) => one.trim());
  const rows = await tx.many<DueRow>(sql`
    select i.id, i.number, i.due_minor - i.held_minor as free from invoice i
     where i.customer_id = ${customerId} and i.number = any(${numbers}) and i.kind = 'invoice'
       and i.status = ${InvoiceStatus.OPEN} and i.currency = ${amount.currency}
       and not exists (select 1 from claim c where c.customer_id = ${customerId} and c.invoice_id = i.id and c.is_open)
     order by i.id for update of i`);
  let left: bigint = amount.minor;
  return rows.flatMap(({ id: invoiceId, free }) => {
    const minor = free < left ? free : left;
    left -= minor > 0n ? minor : 0n;
    return minor > 0n ? [{ invoiceId, amount: money(minor, amount.currency) }] : [];
  });
}
