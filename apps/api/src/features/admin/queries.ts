import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * The customer that a person names.
 * @param name its id, or the provider's own reference of it
 * @param resellerId whose customer it has to be; undefined: anybody's
 * @returns a sentence where there is none, or more than one
 */
export async function findCustomerNamed(
  db: Db,
  name: string,
  resellerId: number | undefined,
): Promise<{ readonly customerId: string; readonly resellerId: number } | string> {
  const found = isId(name) ? sql`c.customer_id = ${name}` : sql`i.value = ${name}`;
  const rows = await db.many<{ customer_id: string; reseller_id: number }>(sql`
    select distinct c.customer_id, c.reseller_id
      from customer c left join customer_identity i on i.customer_id = c.customer_id and i.kind = 'externalRef'
     where ${found} and (${resellerId ?? null}::int is null or c.reseller_id = ${resellerId ?? null}) limit 2`);
  const [row] = rows;
  if (rows.length > 1) return `several resellers have a customer ${name}; give its id, or --reseller <id>`;
  if (row !== undefined) return { customerId: row.customer_id, resellerId: row.reseller_id };
  return `there is no customer ${name}${resellerId === undefined ? '' : ` of reseller ${resellerId}`}`;
}

/** Customers of a reseller by the provider's references or our ids: our ids by these names. */
export async function customersNamed(
  db: Db,
  resellerId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(names)];
  const rows = await db.many<{ name: string; id: string }>(sql`
    select i.value as name, i.customer_id as id from customer_identity i
     where i.reseller_id = ${resellerId} and i.kind = 'externalRef' and i.value = any(${distinct}::text[])
     union all
    select r.customer_id::text, r.customer_id from reseller_customer r
     where r.reseller_id = ${resellerId} and r.customer_id = any(${distinct.filter(isId)}::uuid[])`);
  const found = new Map(rows.map(({ name, id }) => [name, id]));
  return new Map(
    distinct.flatMap((name) => {
      const id = found.get(isId(name) ? name.toLowerCase() : name);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}

/** A customer's invoice by its number; the latest where several suppliers use the same. */
export const findInvoiceByNumber = (db: Db, customerId: string, number: string) =>
  db.maybeOne<{ id: string; reseller_id: number; due_on: string | null }>(sql`
    select id, reseller_id, due_on from invoice
     where customer_id = ${customerId} and number = ${number} and kind = 'invoice'
     order by issued_on desc, id desc limit 1`);
