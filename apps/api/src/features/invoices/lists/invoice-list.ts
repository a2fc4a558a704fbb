import type { InvoiceStateFilter } from '@counterfoil/contract/invoices.ts';
import type { InvoiceOrder } from '@counterfoil/contract/list-orders.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { asNumber, asOrdered, holds, type PagedList, rowById, type SortKey } from '../../../db/page.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { invoiceCount } from '../../statement/queries.ts';
import { invoiceColumns } from '../invoice-row.ts';

/** What an invoice's state depends on beside its row. */
export interface StateContext {
  /** The day in the brand's time zone. */
  readonly today: string;
  /** Payments are on, and there is a gateway to pay through. */
  readonly takesPayments: boolean;
}

/** Which invoices, and in which order. */
export interface InvoiceListing extends StateContext {
  readonly order?: InvoiceOrder | undefined;
  readonly isDescending: boolean;
  readonly search?: string | undefined;
  readonly state?: InvoiceStateFilter | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
}

const { OPEN, PAID, CREDITED, VOID, DISPUTED } = InvoiceStatus;

const isBill = sql`(i.kind = 'invoice' and i.payable_minor >= 0)`;
export const isCredit = sql`(i.kind = 'creditNote' or i.total_minor < 0)`;
/** What is due on it, minor units, as the answer has it: nothing on a credit, nor on what is void. */
export const dueMinor = sql<bigint>`case when ${isBill} and i.status <> ${VOID} then i.due_minor else 0 end`;
/** Its amount with the sign it has for the customer, minor units. */
export const signedMinor = sql<bigint>`case when ${isCredit} then -abs(i.total_minor) else i.total_minor end`;

/** Invoices `i` with what is open of their payments, `c`. */
export const invoicesWithClaims = ({ customerId }: CustomerScope) => sql`
    from invoice i
    left join (select cl.invoice_id, bool_and(a.state = 'requiresAction') as waits
                 from claim cl join attempt a on a.customer_id = cl.customer_id and a.id = cl.attempt_id
                where cl.customer_id = ${customerId} and cl.is_open
                group by cl.invoice_id) c on c.invoice_id = i.id
   where i.customer_id = ${customerId}`;

/** It could be paid, but for a payment that is open. */
const couldBePaid = ({ takesPayments }: StateContext) =>
  sql`(${takesPayments} and i.status = ${OPEN} and ${isBill} and i.due_minor > 0)`;

export const waitsForPayer = (of: StateContext) => sql`(coalesce(c.waits, false) and ${couldBePaid(of)})`;

/** Without a link there is no page to pay it at. */
const hasLink = ({ customerId }: CustomerScope) => sql`exists (
    select from invoice_pay_link l where l.customer_id = ${customerId} and l.invoice_id = i.id and l.retired_at is null)`;

export const canPay = (scope: CustomerScope, of: StateContext) =>
  sql`(${couldBePaid(of)} and c.invoice_id is null and ${hasLink(scope)})`;

/** Pay stands beside it: it can be paid, or its payment waits for the payer, who may begin again. */
export const offersPay = (scope: CustomerScope, of: StateContext) => sql`
  (${couldBePaid(of)} and (c.invoice_id is null or c.waits) and ${hasLink(scope)})`;

/** The state in the words of the contract; as `invoiceLabel` of the domain says it of a row. */
export const stateOf = (of: StateContext) => sql<string>`
  case i.status when ${VOID} then 'void' when ${DISPUTED} then 'disputed' when ${CREDITED} then 'credited'
    when ${PAID} then 'paid'
    else case when c.invoice_id is not null and not ${waitsForPayer(of)} then 'beingConfirmed'
              when i.due_minor > 0 and i.due_on < ${of.today} then 'overdue'
              when i.due_minor < i.payable_minor then 'partPaid' else 'open' end end`;

/** Asked for: a payment being confirmed and a dispute put that off. */
export const isDue = (of: StateContext) => sql`
  (not ${isCredit} and i.status = ${OPEN} and ${dueMinor} > 0 and (c.invoice_id is null or ${waitsForPayer(of)}))`;

/**
 * The state by the words of the portal, in their alphabet: Being confirmed, Credit, Credited, Disputed, Open, Overdue, Paid,
 * Part-paid, Void, Waiting for you.
 */
const rankOfState = (of: StateContext) => sql`
  case when ${isCredit} then case i.status when ${VOID} then 8 when ${DISPUTED} then 3 else 1 end
       when ${waitsForPayer(of)} then 9
       else case ${stateOf(of)} when 'beingConfirmed' then 0 when 'credited' then 2 when 'disputed' then 3 when 'open' then 4
              when 'overdue' then 5 when 'paid' then 6 when 'partPaid' then 7 else 8 end end`;

const keyOf = (order: InvoiceOrder, of: StateContext): Sql => {
  switch (order) {
    case 'number':
      return asOrdered(sql`i.number`);
    case 'amount':
      return asNumber(signedMinor, sql`i.currency`);
    case 'amountDue':
      return asNumber(dueMinor, sql`i.currency`);
    case 'dateInvoice':
      return sql`i.issued_on`;
    case 'dateDue':
      return sql`i.due_on`;
    case 'status':
      return rankOfState(of);
  }
};

/** Alike ones stand newest first, whatever they are sorted by. */
const newestFirst: [SortKey, SortKey] = [
  { by: sql`i.issued_on`, isDescending: true },
  { by: sql`i.id`, isDescending: true },
];

const conditionOf = (scope: CustomerScope, state: InvoiceStateFilter, of: StateContext): Sql => {
  if (state === 'due') return isDue(of);
  return state === 'payable' ? canPay(scope, of) : sql`${stateOf(of)} = ${state}`;
};

/** By its number, or by a part of its day as people read that: '05.2026'. */
const isFound = (search: string): Sql => {
  const byNumber = holds(sql`i.number`, search);
  if (!/^[\d.]*\d\.[\d.]*$|^\.\d[\d.]*$/.test(search)) return byNumber;
  return sql`(${byNumber} or position(${search} in to_char(i.issued_on, 'MM.DD.YYYY')) > 0)`;
};

/** The invoices of a customer as the list is asked for. */
export function invoiceList(scope: CustomerScope, of: InvoiceListing): PagedList {
  const { order, isDescending, search, state, ids } = of;
  // Without what needs it the index alone has all.
  const needsClaims = order === 'status' || state !== undefined;
  const conditions = [
    ...(search === undefined ? [] : [sql`and ${isFound(search)}`]),
    ...(state === undefined ? [] : [sql`and ${conditionOf(scope, state, of)}`]),
    ...(ids === undefined ? [] : [sql`and i.id = any(${[...ids]}::uuid[])`]),
  ];
  const all = needsClaims
    ? invoicesWithClaims(scope)
    : sql`from invoice i where i.customer_id = ${scope.customerId}`;
  return {
    parts: [conditions.length === 0 ? all : sql`${all} ${sql.join(conditions, sql` `)}`],
    isNarrow: conditions.length > 0,
    total: invoiceCount(scope),
    id: sql`i.id`,
    order: order === undefined ? newestFirst : [{ by: keyOf(order, of), isDescending }, ...newestFirst],
    columns: invoiceColumns(scope),
    join: sql`from page p cross join ${rowById('invoice', scope.customerId, sql`p.id`)} i
              join customer cu on cu.customer_id = ${scope.customerId}`,
  };
}
