import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { type InvoiceRow, invoiceColumns } from '../invoice-row.ts';
import {
  canPay,
  dueMinor,
  invoicesWithClaims,
  isCredit,
  isDue,
  offersPay,
  type StateContext,
  signedMinor,
  stateOf,
} from './invoice-list.ts';

const { OPEN, PAID, VOID, DISPUTED } = InvoiceStatus;

/** Sums over the invoices of one currency, minor units. */
export interface OverviewRow {
  currency: string;
  invoices: number;
  owed: number;
  offers_pay: number;
  payable: number;
  later: number;
  later_minor: bigint;
  overdue: number;
  overdue_minor: bigint;
  overdue_since: string | null;
  next_day: string | null;
  confirming: number;
  confirming_minor: bigint;
  disputed: number;
  disputed_minor: bigint;
  paid: number;
  paid_minor: bigint;
  credits: number;
  credits_minor: bigint;
  payable_overdue: number;
  payable_overdue_minor: bigint;
  payable_overdue_ids: string[];
  payable_overdue_together_minor: bigint;
  payable_due_ids: string[];
}

/**
 * All invoices of a customer in a few sums. Only open ones are looked at one by one: of the others, which may be tens of
 * thousands, the status says all.
 * @param most ids that are listed of what can be paid
 */
export const sumInvoices = (db: Db, scope: CustomerScope, of: StateContext, most: number) =>
  db.many<OverviewRow>(sql`
    with x as materialized (
           select i.id, i.currency, i.issued_on, i.due_on, ${dueMinor} as due, ${stateOf(of)} as state, ${isDue(of)} as is_due,
                  ${canPay(scope, of)} as payable, ${offersPay(scope, of)} as offers_pay
             ${invoicesWithClaims(scope)} and i.status = ${OPEN}),
         summed as (
           select currency, count(*)::int as invoices, ${counted('owed', 'owed')},
                  ${counted('disputed', 'disputed')}, ${summed('due', 'disputed', 'disputed')},
                  ${counted('paid', 'paid')}, ${summed('signed', 'paid', 'paid')},
                  ${counted('credits', 'credits')}, ${summed('signed', 'credits', 'credits')}
             from (select i.currency, ${dueMinor} as due, ${signedMinor} as signed,
                          not ${isCredit} and i.status not in (${PAID}, ${VOID}) and ${dueMinor} > 0 as owed,
                          not ${isCredit} and i.status = ${DISPUTED} as disputed,
                          not ${isCredit} and i.status = ${PAID} and i.payable_minor >= 0 as paid,
                          ${isCredit} and i.status <> ${VOID} as credits
                     from invoice i where i.customer_id = ${scope.customerId}) y
            group by currency),
         -- Only what can be paid is sorted, not all that there is.
         late as materialized (
           select * from (
             select x.id, x.currency, x.due, row_number() over (
                      partition by x.currency order by x.due_on, x.issued_on desc, x.id desc) as place
               from x where x.payable and x.state = 'overdue') placed
            where place <= ${most})
    select s.*, opened.*,
           array(select l.id from late l where l.currency = s.currency order by l.place) as payable_overdue_ids,
           coalesce((select sum(l.due) from late l where l.currency = s.currency), 0)::bigint as payable_overdue_together_minor,
           array(select x.id from x where x.currency = s.currency and x.payable and x.is_due
                  order by x.due_on nulls last, x.issued_on desc, x.id desc limit ${most}) as payable_due_ids
      from summed s
     cross join lateral (
           select ${counted('offers_pay', 'offers_pay')}, ${counted('payable', 'payable')},
                  ${counted('is_due and not overdue', 'later')}, ${summed('due', 'is_due and not overdue', 'later')},
                  ${counted('is_due and overdue', 'overdue')}, ${summed('due', 'is_due and overdue', 'overdue')},
                  min(due_on) filter (where is_due and overdue) as overdue_since,
                  min(due_on) filter (where is_due and not overdue) as next_day,
                  ${counted("state = 'beingConfirmed'", 'confirming')},
                  ${summed('due', "state = 'beingConfirmed'", 'confirming')},
                  ${counted('payable and overdue', 'payable_overdue')},
                  ${summed('due', 'payable and overdue', 'payable_overdue')}
             from (select x.*, x.state = 'overdue' as overdue from x where x.currency = s.currency) y) opened
     order by s.currency`);

const counted = (condition: string, name: string) =>
  sql`count(*) filter (where ${sql.raw(condition)})::int as ${sql.raw(name)}`;
const summed = (figure: string, condition: string, name: string) =>
  sql`coalesce(sum(${sql.raw(figure)}) filter (where ${sql.raw(condition)}), 0)::bigint as ${sql.raw(`${name}_minor`)}`;

/** Of those that can be paid the one due first. */
export const firstToPay = (db: Db, scope: CustomerScope, of: StateContext) =>
  db.maybeOne<InvoiceRow>(sql`
    select ${invoiceColumns(scope)}
      from (select i.id ${invoicesWithClaims(scope)} and ${offersPay(scope, of)}
             order by i.due_on nulls last, i.issued_on desc, i.id desc limit 1) f
      join invoice i on i.customer_id = ${scope.customerId} and i.id = f.id
      join customer cu on cu.customer_id = i.customer_id`);
