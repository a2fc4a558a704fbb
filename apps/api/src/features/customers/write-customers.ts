import type { CustomerValues } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAuditLines } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type CustomerRow, lockCustomersByReference } from './queries.ts';
import { changesBetween, storedAddress, valuesOf } from './values.ts';

/** A customer as it shall be, by the provider's own reference. */
export interface CustomerWrite {
  readonly reference: string;
  readonly values: CustomerValues;
}

export type Outcome = 'created' | 'changed' | 'unchanged';
export interface WrittenCustomer {
  readonly row: CustomerRow;
  readonly outcome: Outcome;
  /** What differs, as the audit trail has it. */
  readonly changes?: Changes;
}
type Changes = Readonly<Record<string, string | number | null>>;

/**
 * Makes customers be as they are given: those that are not known are made, those that differ are changed. As many
 * statements for a thousand as for one, and written in an order of its own, so that several at once never wait in a circle.
 * @param writes each reference once; brands are those of the reseller
 * @param guard looks at each customer before anything of it is changed; what it throws undoes all
 * @returns in the order of the writes
 */
export async function putCustomers(
  tx: Tx,
  resellerId: number,
  writes: readonly CustomerWrite[],
  by: ActedBy,
  now: Date,
  guard?: (write: CustomerWrite, before: CustomerRow | undefined) => void,
): Promise<WrittenCustomer[]> {
  const made = await makeUnknown(tx, resellerId, writes, by, now);
  const others = writes.filter(({ reference }) => !made.has(reference));
  const rows = await lockCustomersByReference(
    tx,
    resellerId,
    others.map(({ reference }) => reference),
  );
  const known = new Map(rows.map((row) => [row.reference, row]));
  for (const write of writes) guard?.(write, known.get(write.reference));
  const changed = await changeCustomers(
    tx,
    others.map(({ reference, values }) => ({ row: knownRow(known, reference), values })),
    by,
    now,
  );
  const after = new Map(changed.map((written) => [written.row.external_ref, written]));
  return writes.map(({ reference }) => {
    const written = made.get(reference) ?? after.get(reference);
    if (written === undefined) throw new Error(`customer ${reference} was not written`);
    return written;
  });
}

function knownRow(known: ReadonlyMap<string, CustomerRow>, reference: string): CustomerRow {
  const row = known.get(reference);
  if (row === undefined) throw new AppError('server.unavailable');
  // Of customers that were made before references were kept with them.
  return row.external_ref === reference ? row : { ...row, external_ref: reference };
}

async function makeUnknown(
  tx: Tx,
  resellerId: number,
  writes: readonly CustomerWrite[],
  by: ActedBy,
  now: Date,
): Promise<Map<string, WrittenCustomer>> {
  const ids = writes.map(() => newId(now.getTime()));
  const taken = await tx.many<{ value: string; customer_id: string }>(sql`
    insert into customer_identity (reseller_id, kind, value, customer_id)
    select ${resellerId}, 'externalRef', g.value, g.id
      from unnest(${writes.map(({ reference }) => reference)}::text[], ${ids}::uuid[]) as g(value, id)
     order by g.value
    on conflict do nothing returning value, customer_id`);
  const idOf = new Map(taken.map((row) => [row.value, row.customer_id]));
  const rows = writes.flatMap(({ reference, values }): CustomerRow[] => {
    const id = idOf.get(reference);
    if (id === undefined) return [];
    return [
      {
        customer_id: id,
        reseller_id: resellerId,
        brand_id: values.brandId,
        external_ref: reference,
        label: values.label,
        email: values.email,
        address: values.address,
        country: values.country,
        created_at: now,
        disabled_at: null,
        version: 1,
      },
    ];
  });
  if (rows.length === 0) return new Map();
  await tx.execute(sql`
    with made as (
      insert into customer (customer_id, reseller_id, external_ref, label, email, country, brand_id, address, created_at)
      select g.id, ${resellerId}, g.ref, g.label, g.email, g.country, g.brand, g.address, ${now}
        from unnest(${rows.map((row) => row.customer_id)}::uuid[], ${rows.map((row) => row.external_ref)}::text[],
                    ${rows.map((row) => row.label)}::text[], ${rows.map((row) => row.email)}::text[],
                    ${rows.map((row) => row.country)}::text[], ${rows.map((row) => row.brand_id)}::int[],
                    ${rows.map((row) => storedAddress(valuesOf(row).address))}::jsonb[])
             as g(id, ref, label, email, country, brand, address)
      returning customer_id, brand_id, label)
    insert into reseller_customer (reseller_id, customer_id, brand_id, label)
    select ${resellerId}, customer_id, brand_id, label from made`);
  await record(
    tx,
    by,
    now,
    rows.map((row) => ({ row, action: 'customer.added', detail: { label: row.label } })),
  );
  return new Map(rows.map((row) => [row.external_ref ?? '', { row, outcome: 'created' }]));
}

/** Changes locked customers to what is given. */
export async function changeCustomers(
  tx: Tx,
  wanted: readonly { readonly row: CustomerRow; readonly values: CustomerValues }[],
  by: ActedBy,
  now: Date,
): Promise<WrittenCustomer[]> {
  const results = wanted.map(({ row, values }) => ({
    row,
    values,
    detail: changesBetween(valuesOf(row), values),
  }));
  const changes = results.flatMap(({ row, values, detail }) =>
    detail === undefined ? [] : [{ row, values, detail }],
  );
  if (changes.length > 0) {
    await tx.execute(sql`
      with given as (
        select * from unnest(${changes.map(({ row }) => row.customer_id)}::uuid[],
                             ${changes.map(({ values }) => values.label)}::text[],
                             ${changes.map(({ values }) => values.email)}::text[],
                             ${changes.map(({ values }) => values.country)}::text[],
                             ${changes.map(({ values }) => values.brandId)}::int[],
                             ${changes.map(({ values }) => storedAddress(values.address))}::jsonb[])
                    as g(id, label, email, country, brand, address)
      ), changed as (
        update customer c
           set label = g.label, email = g.email, country = g.country, brand_id = g.brand, address = g.address,
               version = c.version + 1
          from given g where c.customer_id = g.id
        returning c.reseller_id, c.customer_id, c.brand_id, c.label)
      update reseller_customer r set brand_id = h.brand_id, label = h.label
        from changed h where r.reseller_id = h.reseller_id and r.customer_id = h.customer_id`);
    await record(
      tx,
      by,
      now,
      changes.map(({ row, detail }) => ({ row, action: 'customer.changed', detail })),
    );
  }
  return results.map(({ row, values, detail }) =>
    detail === undefined
      ? { row, outcome: 'unchanged' }
      : { row: changedRow(row, values), outcome: 'changed', changes: detail },
  );
}

const changedRow = (row: CustomerRow, values: CustomerValues): CustomerRow => ({
  ...row,
  label: values.label,
  email: values.email,
  country: values.country,
  brand_id: values.brandId,
  address: values.address,
  version: row.version + 1,
});

/** Writes into the audit trail what was done to customers. */
async function record(
  tx: Tx,
  by: ActedBy,
  at: Date,
  acts: readonly {
    readonly row: CustomerRow;
    readonly action: AuditAction;
    readonly detail: Readonly<Record<string, string | number | null>>;
  }[],
): Promise<void> {
  await recordAuditLines(
    tx,
    acts.map(({ row, action, detail }) => ({
      action,
      at,
      resellerId: row.reseller_id,
      customerId: row.customer_id,
      ...by,
      detail,
    })),
  );
}
