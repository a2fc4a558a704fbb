import { compareMoney, type Money, money, subtractMoney } from '@counterfoil/domain/money/money.ts';
import { upToStep } from '@counterfoil/domain/paying/step.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';
import { type Charging, chargeStep, leastCharge } from './chargeable.ts';
import { Account, postLedger } from './ledger.ts';

/**
 * The customer's unapplied credit. The ledger's account `customerCredit` is the truth; `customer_credit` keeps its
 * balance where it can be locked, and what open attempts hold of it. Its row is locked after the invoices' rows, by
 * everybody, so that two of us never wait for each other.
 */
interface Whose {
  readonly customerId: string;
  readonly currency: string;
}

const unused = sql`greatest(c.balance_minor - c.held_minor - c.overdrawn_minor, 0)`;

/** What can be used now, minor units. */
export async function readCredit(db: Db, { customerId, currency }: Whose): Promise<bigint> {
  const row = await db.maybeOne<{ minor: bigint }>(sqlOnce`
    select ${unused} as minor from customer_credit c
     where c.customer_id = ${customerId} and c.currency = ${currency}`);
  return row?.minor ?? 0n;
}

/** What can be used now in every currency in which there is any. */
export async function listCredits(db: Db, customerId: string): Promise<Money[]> {
  const rows = await db.many<{ currency: string; minor: bigint }>(sql`
    select c.currency, ${unused} as minor from customer_credit c
     where c.customer_id = ${customerId} and ${unused} > 0 order by c.currency`);
  return rows.map(({ currency, minor }) => money(minor, currency));
}

/** The same with the row locked, so that it stays so. The invoices are locked before. */
export async function lockCredit(tx: Tx, { customerId, currency }: Whose): Promise<bigint> {
  const row = await tx.maybeOne<{ minor: bigint }>(sqlOnce`
    select ${unused} as minor from customer_credit c
     where c.customer_id = ${customerId} and c.currency = ${currency} for update`);
  return row?.minor ?? 0n;
}

/** Promises credit to an attempt. More than there is breaks the row's check. */
export async function holdCredit(tx: Tx, { customerId, currency }: Whose, minor: bigint): Promise<void> {
  if (minor <= 0n) return;
  const held = await tx.execute(sqlOnce`
    update customer_credit set held_minor = held_minor + ${minor}
     where customer_id = ${customerId} and currency = ${currency}`);
  if (held !== 1) throw new Error('there is no credit to hold');
}

/**
 * Follows what was just posted to `customerCredit`.
 * @param posted change of the balance: above 0 the customer has more
 * @param released what an attempt that ends had held
 */
export async function followCredit(
  tx: Tx,
  { customerId, currency }: Whose,
  posted: bigint,
  released = 0n,
): Promise<void> {
  if (posted === 0n && released === 0n) return;
  const net = sql`c.balance_minor - c.overdrawn_minor + ${posted}::bigint`;
  const held = sql`c.held_minor - ${released}::bigint`;
  await tx.execute(sqlOnce`
    insert into customer_credit as c (customer_id, currency, balance_minor, overdrawn_minor)
    values (${customerId}, ${currency}, greatest(${posted}::bigint, 0), greatest(-${posted}::bigint, 0))
    on conflict (customer_id, currency) do update
       set balance_minor = greatest(${net}, ${held}), overdrawn_minor = greatest(${held} - (${net}), 0),
           held_minor = ${held}`);
}

/**
 * Follows what was just posted to `customerCredit` of many customers, in an order of its own, so that several at once never wait
 * in a circle.
 * @param posted each customer and currency once; above 0 the customer has more
 */
export async function followCredits(
  tx: Tx,
  posted: readonly (Whose & { readonly minor: bigint })[],
): Promise<void> {
  const changes = posted.filter(({ minor }) => minor !== 0n);
  if (changes.length === 0) return;
  const net = sql`c.balance_minor - c.overdrawn_minor + excluded.balance_minor - excluded.overdrawn_minor`;
  await tx.execute(sql`
    insert into customer_credit as c (customer_id, currency, balance_minor, overdrawn_minor)
    select g.customer, g.currency, greatest(g.minor, 0), greatest(-g.minor, 0)
      from unnest(${changes.map(({ customerId }) => customerId)}::uuid[],
                  ${changes.map(({ currency }) => currency)}::text[], ${changes.map(({ minor }) => `${minor}`)}::bigint[])
             as g(customer, currency, minor)
     order by g.customer, g.currency
    on conflict (customer_id, currency) do update
       set balance_minor = greatest(${net}, c.held_minor), overdrawn_minor = greatest(c.held_minor - (${net}), 0)`);
}

/** Credit of one customer used for one invoice; its row is the caller's to change. */
export interface CreditUse extends Whose {
  readonly sessionId: string;
  readonly attemptId: string | null;
  readonly invoiceId: string;
  readonly minor: bigint;
  readonly at: Date;
}

/** Posts that credit pays an invoice: once for a session and invoice. `followCredit` comes after the last one. */
export async function postCreditUse(tx: Tx, use: CreditUse): Promise<void> {
  const { customerId, sessionId, attemptId, invoiceId, minor, at } = use;
  await tx.execute(sqlOnce`
    insert into credit_use (customer_id, id, session_id, attempt_id, invoice_id, amount_minor, at)
    values (${customerId}, ${newId(at.getTime())}, ${sessionId}, ${attemptId}, ${invoiceId}, ${minor}, ${at})`);
  await postLedger(tx, {
    customerId,
    debit: Account.customerCredit,
    credit: Account.receivable,
    currency: use.currency,
    minor,
    source: 'creditUse',
    sourceId: sessionId,
    leg: `invoice:${invoiceId}`,
    at,
  });
}

/**
 * What credit is used for an amount: as much as there is, or less by so little that the rest can be charged.
 * @param account what is to take the rest
 */
export function coveredBy(credit: bigint, due: Money, account: Charging): Money {
  if (credit <= 0n || credit >= due.minor) return money(credit < due.minor ? 0n : due.minor, due.currency);
  const most = money(credit, due.currency);
  const [step, least] = [chargeStep(account, due.currency), leastCharge(account, due.currency)];
  const bare = subtractMoney(due, most);
  const rest = upToStep(least !== undefined && compareMoney(bare, least) < 0 ? least : bare, step);
  return compareMoney(rest, due) > 0 ? most : subtractMoney(due, rest);
}
