import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';

/** Agreements of a customer, the oldest first: the first one is also where charges without one are shown. */
export const listAgreements = (db: Db, scope: CustomerScope) =>
  db.many<{ id: string; name: string }>(sql`
    select id, name from agreement where customer_id = ${scope.customerId} order by started_on nulls last, id`);

export interface PeriodRow {
  id: string;
  agreement_id: string;
  period_start: string;
  period_end: string;
}

/** Billing periods of an agreement, newest first. */
export const listPeriods = (db: Db, scope: CustomerScope, agreementId: string) =>
  db.many<PeriodRow>(sql`
    select id, agreement_id, period_start, period_end from billing_period
     where customer_id = ${scope.customerId} and agreement_id = ${agreementId}
     order by period_start desc, period_end desc`);

export const findPeriod = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<PeriodRow>(sql`
    select id, agreement_id, period_start, period_end from billing_period
     where customer_id = ${scope.customerId} and id = ${id}`);

export interface TransactionRow {
  id: string;
  product_label: string;
  product_name: string;
  service_name: string | null;
  service_item: string;
  site_label: string;
  invoice_id: string | null;
  invoice_number: string | null;
  date_from: string | null;
  date_to: string | null;
  amount_minor: bigint;
  currency: string;
  quantity: string;
  unit: string;
  record_unit: QuantityUnit | null;
  extra: string[];
}

// Lines of a void invoice are charged to nobody.
const VOID = 13;

/**
 * The charges of a period, invoiced or not. A line belongs to the period its first day lies in; one without days to
 * that of its invoice. Lines that name no agreement stand with the customer's first.
 */
export const listTransactions = (db: Db, scope: CustomerScope, period: PeriodRow) =>
  db.many<TransactionRow>(sql`
    select l.id, l.product_label, l.product_name, s.name as service_name, l.service_item, l.site_label, l.invoice_id,
           i.number as invoice_number, l.date_from, l.date_to, l.amount_minor, l.currency, l.quantity, l.unit, r.unit as record_unit, l.extra
      from invoice_line l
      left join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
      left join service s on s.id = l.service_id
      left join record_type r on r.id = l.record_type_id
     where l.customer_id = ${scope.customerId}
       and (l.date_from between ${period.period_start} and ${period.period_end}
            or l.date_from is null
               and coalesce(i.period_start, i.issued_on) between ${period.period_start} and ${period.period_end})
       and coalesce(l.agreement_id, i.agreement_id, (
             select id from agreement where customer_id = ${scope.customerId}
              order by started_on nulls last, id limit 1)) = ${period.agreement_id}
       and i.status is distinct from ${VOID}
     order by l.date_from nulls last, i.number nulls last, l.line_no, l.id`);
