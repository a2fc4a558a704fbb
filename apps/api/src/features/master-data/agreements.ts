import type {
  AgreementValues,
  BillingPeriodValues,
} from '@counterfoil/contract/operator/billing/agreements.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { customersNamed } from '../admin/queries.ts';
import {
  type Adoptable,
  customerJoin,
  type Entity,
  type EntityRow,
  ownedColumns,
  type StoredRow,
  thingsOf,
} from './entity.ts';
import { refuseUsedBy } from './in-use.ts';
import { agreementsNamed, invalid, notKnown } from './named.ts';
import { refusingDuplicates } from './put-entities.ts';

interface KeptAgreement {
  readonly name: string;
  readonly startedOn: string | null;
}

/** Agreements of customers. */
export const agreements: Entity<AgreementValues, KeptAgreement> = {
  kind: 'agreement',
  select: (where) => sql<StoredRow<KeptAgreement>>`
    select ${ownedColumns}, json_build_object('name', t.name, 'startedOn', t.started_on) as kept
      from agreement t ${customerJoin} ${where}`,
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    return asked.map(({ values: { customer, name, startedOn } }) => {
      const customerId = customers.get(customer);
      return customerId === undefined ? notKnown('customer') : { customerId, kept: { name, startedOn } };
    });
  },
  // An import knows an agreement by this name already.
  async adopt(tx, wanted) {
    return tx.many<Adoptable>(sql`
      select g.at::int, a.customer_id, a.id
        from unnest(${wanted.map(({ customerId }) => customerId)}::uuid[],
                    ${wanted.map(({ reference }) => reference)}::text[]) with ordinality as g(customer, reference, at)
        join agreement a on a.customer_id = g.customer and a.external_ref = g.reference`);
  },
  async write(tx, _resellerId, changes) {
    await refusingDuplicates(
      tx.execute(sql`
        insert into agreement (customer_id, id, external_ref, name, started_on)
        select g.customer, g.id, g.reference, g.name, g.started
          from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[],
                      ${changes.map(({ reference }) => reference)}::text[],
                      ${changes.map(({ kept }) => kept.name)}::text[],
                      ${changes.map(({ kept }) => kept.startedOn)}::date[])
                 as g(customer, id, reference, name, started)
        on conflict (customer_id, id) do update
           set external_ref = excluded.external_ref, name = excluded.name, started_on = excluded.started_on`),
    );
  },
  async remove(tx, _resellerId, rows) {
    await refuseUsed(tx, rows);
    await tx.execute(sql`
      delete from agreement t using ${thingsOf(rows)} where t.customer_id = g.customer and t.id = g.id`);
  },
};

/** @throws {AppError} reference.inUse */
async function refuseUsed(tx: Tx, rows: readonly EntityRow<unknown>[]): Promise<void> {
  const used = ['billing_period', 'service_item', 'invoice', 'invoice_line', 'usage_item_month'];
  await refuseUsedBy(tx, rows, used, 'agreement_id');
}

interface KeptPeriod {
  readonly agreement: string;
  readonly from: string;
  readonly to: string;
}

/** Billing periods of agreements. */
export const billingPeriods: Entity<BillingPeriodValues, KeptPeriod> = {
  kind: 'billingPeriod',
  select: (where) => sql<StoredRow<KeptPeriod>>`
    select ${ownedColumns}, json_build_object(
             'agreement', coalesce(a.external_ref, a.id::text), 'from', t.period_start, 'to', t.period_end) as kept
      from billing_period t join agreement a on a.customer_id = t.customer_id and a.id = t.agreement_id
           ${customerJoin} ${where}`,
  async understand(tx, resellerId, asked) {
    const customers = await customersNamed(
      tx,
      resellerId,
      asked.map(({ values }) => values.customer),
    );
    const found = await agreementsNamed(
      tx,
      asked.flatMap(({ values }) => {
        const customerId = customers.get(values.customer);
        return customerId === undefined ? [] : [{ customerId, name: values.agreement }];
      }),
    );
    return asked.map(({ values: { customer, agreement: name, from, to } }) => {
      const customerId = customers.get(customer);
      if (customerId === undefined) return notKnown('customer');
      const agreement = found.get({ customerId, name });
      if (agreement === undefined) return notKnown('agreement');
      if (to < from) return invalid('to', 'is before the first day');
      return { customerId, kept: { agreement: agreement.reference, from, to }, agreementId: agreement.id };
    });
  },
  async adopt(tx, wanted) {
    return tx.many<Adoptable>(sql`
      select g.at::int, t.customer_id, t.id
        from unnest(${wanted.map(({ customerId }) => customerId)}::uuid[],
                    ${wanted.map(({ agreementId }) => agreementId ?? null)}::uuid[],
                    ${wanted.map(({ kept }) => kept.from)}::date[], ${wanted.map(({ kept }) => kept.to)}::date[])
               with ordinality as g(customer, agreement, first, last, at)
        join billing_period t on t.customer_id = g.customer and t.agreement_id = g.agreement
         and t.period_start = g.first and t.period_end = g.last`);
  },
  async write(tx, _resellerId, changes) {
    await refusingDuplicates(
      tx.execute(sql`
        insert into billing_period (customer_id, id, agreement_id, period_start, period_end)
        select g.customer, g.id, g.agreement, g.first, g.last
          from unnest(${changes.map(({ customerId }) => customerId)}::uuid[], ${changes.map(({ id }) => id)}::uuid[],
                      ${changes.map(({ agreementId }) => agreementId ?? null)}::uuid[],
                      ${changes.map(({ kept }) => kept.from)}::date[], ${changes.map(({ kept }) => kept.to)}::date[])
                 as g(customer, id, agreement, first, last)
        on conflict (customer_id, id) do update
           set agreement_id = excluded.agreement_id, period_start = excluded.period_start,
               period_end = excluded.period_end`),
    );
  },
  async remove(tx, _resellerId, rows) {
    await tx.execute(sql`
      delete from billing_period t using ${thingsOf(rows)} where t.customer_id = g.customer and t.id = g.id`);
  },
};
