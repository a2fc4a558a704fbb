import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { formatDecimal } from '@counterfoil/domain/money/money.ts';
import { AppError } from '../../../src/app-error.ts';
import { DatabaseUnavailable } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { findCustomerBrand } from '../../../src/features/brand/queries.ts';
import { brandFromRow } from '../../../src/features/brand/service.ts';
import { payBulk } from '../../../src/features/bulk-pay/pay.ts';
import { makeIntent, type Payer } from '../../../src/features/bulk-pay/service.ts';
import { createPayLink } from '../../../src/features/pay-links/service.ts';
import { followCredit } from '../../../src/features/payments/credit.ts';
import { RefundRefused, refundPayment } from '../../../src/features/payments/refunds/refund.ts';
import { confirmPublicly, paymentDetails, payPublicly } from '../../../src/features/public-pay/service.ts';
import { RequestNumbers } from '../../../src/http/numbers/request-numbers.ts';
import { authorisedCustomer } from '../../../src/http/requests/scope.ts';
import { isForRefunds } from './event-sender.ts';
import { type Market, USD } from './market.ts';

/** A customer with saved methods, and their latest invoices: sets of them overlap. */
export interface Customer {
  readonly id: string;
  readonly methodIds: readonly string[];
  readonly recent: Bill[];
}

export interface Bill {
  readonly id: string;
  readonly customerId: string;
  readonly number: string;
  readonly token: string;
}

/** From where a payer of a link presses. */
const noNumbers = new RequestNumbers({}, new Map());
const origin = { address: '203.0.113.7', agent: 'simulation' };
const RECENT = 8;
/** A browser that waits for an answer gives up. */
const PATIENCE_MS = 40_000;

/** What payers, operators and jobs do; each act is a process of a server that may die in it. */
export class Acts {
  readonly #m: Market;
  #serial = 0;

  constructor(market: Market) {
    this.#m = market;
  }

  /** @returns when it has ended, or nobody waits any more */
  async #act(what: string, work: () => Promise<void>): Promise<void> {
    const { time, trouble, violations } = this.#m;
    const done = time.start(work, (error) => {
      if (error instanceof AppError) trouble.count(`${what}: ${error.code}`);
      else if (error instanceof DatabaseUnavailable) trouble.count(`${what}: no database`);
      else if (error instanceof RefundRefused) trouble.count(`${what}: refused`);
      else
        violations.push(
          `${what} broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
    });
    await Promise.race([done, time.sleep(PATIENCE_MS)]);
  }

  #heard({ status, attemptId, amount }: PayAnswer): void {
    const { told, sumsTold, trouble } = this.#m;
    if (status === 'succeeded' && attemptId !== undefined && amount !== undefined)
      sumsTold.set(attemptId, (sumsTold.get(attemptId) ?? new Set()).add(BigInt(Math.round(amount * 100))));
    trouble.count(`told ${status}`);
    if (attemptId !== undefined) told.set(attemptId, (told.get(attemptId) ?? new Set()).add(status));
  }

  async #rows<T>(text: string, values: unknown[]): Promise<T[]> {
    return (await this.#m.pool.query(text, values)).rows as T[];
  }

  /** A new invoice; half of them are due soon, so that they may be charged by themselves. */
  async newBill(customer: Customer): Promise<Bill> {
    const { trouble, pool, time, deps, resellerId } = this.#m;
    this.#serial += 1;
    const [id, number] = [trouble.uuid(), `INV-${this.#serial}`];
    const payable = BigInt(Math.floor(trouble.between(200, 40_000)));
    const now = time.clock.now();
    const dueOn =
      trouble.random() < 0.4 ? new Date(time.now + 3 * 86_400_000).toISOString().slice(0, 10) : null;
    await pool.query(
      `insert into invoice (customer_id, id, reseller_id, kind, number, supplier_key, issued_on, due_on, currency,
         subtotal_minor, tax_minor, total_minor, payable_minor, status, content_hash, generated_at)
       values ($1, $2, $3, 'invoice', $4, 'supplier', $5, $6, 'USD', $7, 0, $7, $7, 10, $8, $9)`,
      [
        customer.id,
        id,
        resellerId,
        number,
        now.toISOString().slice(0, 10),
        dueOn,
        payable,
        Buffer.alloc(32),
        now,
      ],
    );
    const link = { customerId: customer.id, invoiceId: id, dueOn, now };
    // Not of the database that fails: this is what was there before.
    const token = await this.#m.steady.transaction((tx) => createPayLink(tx, deps.secrets, link));
    const bill = { id, customerId: customer.id, number, token };
    customer.recent.push(bill);
    if (customer.recent.length > RECENT) customer.recent.shift();
    return bill;
  }

  /** What is left to be paid, minor units. */
  async dueOf(bill: Bill): Promise<bigint> {
    const [row] = await this.#rows<{ due_minor: bigint }>(
      'select due_minor from invoice where customer_id = $1 and id = $2',
      [bill.customerId, bill.id],
    );
    return row?.due_minor ?? 0n;
  }

  /** Pays by the link: all that is due, or a part of it. */
  async press(bill: Bill, card: string, key: string | null): Promise<void> {
    const { trouble, deps } = this.#m;
    const due = await this.dueOf(bill);
    const isPart = trouble.random() < 0.15 && due > 400n;
    if (isPart) trouble.count('part payment');
    const asked = isPart ? due / 3n + 100n : due;
    const body = {
      uid: bill.token,
      invoiceNumber: bill.number,
      cardToken: card,
      email: 'jo@mail.example',
      invoiceAmount: formatDecimal(USD(asked)),
      due: formatDecimal(USD(due)),
    };
    await this.#act('press', async () => this.#heard(await payPublicly(deps, body, key, origin, noNumbers)));
  }

  /** A double click: the same call again while the first runs. */
  async twice(bill: Bill, card: string, keys: readonly (string | null)[]): Promise<void> {
    await Promise.all(keys.map((key, n) => this.press(bill, n === 2 ? `${card}b` : card, key)));
  }

  details(bill: Bill): Promise<void> {
    return this.#act('details', async () => {
      await paymentDetails(this.#m.deps, bill.token);
    });
  }

  async #payer(customer: Customer): Promise<Payer> {
    const { deps, resellerId } = this.#m;
    const scope = authorisedCustomer(customer.id, resellerId, 'session');
    const brand = brandFromRow(await findCustomerBrand(deps.db, customer.id, resellerId));
    return { scope, brand, account: await deps.accounts.activeFor(resellerId) };
  }

  /** Several invoices in one payment, by a saved method or a new card. */
  async payTogether(customer: Customer, bill: Bill, times: number): Promise<void> {
    const { trouble, deps } = this.#m;
    const open = await this.#rows<{ id: string }>(
      'select id from invoice where customer_id = $1 and id = any($2::uuid[]) and status = 10 and due_minor > 0 order by id',
      [customer.id, customer.recent.map(({ id }) => id)],
    );
    const ids = open.map(({ id }) => id).filter((id) => id === bill.id || trouble.random() < 0.4);
    if (ids.length === 0) return;
    this.#serial += 1;
    const isSaved = trouble.random() < 0.6;
    const method = trouble.oneOf(customer.methodIds);
    const by =
      isSaved && method !== undefined
        ? { cardId: method }
        : { cardToken: `tok_b${this.#serial}`, cardHolder: 'Jo Fox' };
    let uid: string | undefined;
    await this.#act('intent', async () => {
      uid = (await makeIntent(deps, await this.#payer(customer), { invoiceIds: ids })).sessionId;
    });
    const session = uid;
    if (session === undefined) return;
    const pay = () =>
      this.#act('bulk', async () => {
        this.#heard(
          await payBulk(deps, await this.#payer(customer), { uid: session, ...by }, null, origin, noNumbers),
        );
      });
    await Promise.all(Array.from({ length: times }, pay));
  }

  /** The browser is back from the bank. */
  confirm(bill: Bill, attemptId: string): Promise<void> {
    const body = { uid: bill.token, reqUid: attemptId };
    return this.#act('confirm', async () => this.#heard(await confirmPublicly(this.#m.deps, body)));
  }

  attemptsOf(bill: Bill): Promise<{ id: string; ref: string; state: string }[]> {
    return this.#rows(
      `select a.id, a.ref, a.state from claim c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
        where c.customer_id = $1 and c.invoice_id = $2 order by a.id`,
      [bill.customerId, bill.id],
    );
  }

  /** An operator refunds a payment, or a part. */
  async refund(customer: Customer): Promise<void> {
    const { trouble, deps } = this.#m;
    const taken = await this.#rows<{ id: string; ref: string }>(
      `select c.id, a.ref from capture c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
        where c.customer_id = $1 order by c.id desc limit 10`,
      [customer.id],
    );
    const one = trouble.oneOf(taken.filter(({ ref }) => isForRefunds(ref)));
    if (one === undefined) return;
    const minor = trouble.random() < 0.5 ? undefined : BigInt(1 + Math.floor(trouble.random() * 9_000));
    const key = { by: 'amount', after: null } as const;
    const order = { customerId: customer.id, captureId: one.id, minor, by: 'operator', note: 'x', key };
    const act = () =>
      this.#act('refund', async () =>
        trouble.count(`refund ${(await refundPayment(deps, order)).attempt.state}`),
      );
    // Two operators, or one in a hurry.
    await Promise.all(trouble.random() < 0.4 ? [act(), act()] : [act()]);
  }

  /** Credit as a credit note leaves it. */
  async giveCredit(customer: Customer): Promise<void> {
    const { trouble, time, steady } = this.#m;
    const minor = BigInt(Math.floor(trouble.between(500, 15_000)));
    const id = trouble.uuid();
    await steady.transaction(async (tx) => {
      await followCredit(tx, { customerId: customer.id, currency: 'USD' }, minor);
      await tx.execute(sql`
        insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
        values (${customer.id}, ${id}, 'creditNote', 'customerCredit', 'USD', ${minor}, 'invoice', ${id}, 'credit',
                ${time.clock.now()})`);
    });
    trouble.count('credit given');
  }
}
