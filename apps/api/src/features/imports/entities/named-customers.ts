import type { GivenLine } from '../../../bulk/bulk.ts';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { customersNamed } from '../../admin/queries.ts';

/**
 * Rows of a file may name a customer by its name, as exports of accounting programs do: where no reference is so and only one
 * customer is called so, its id takes the place.
 * @param lines as they are read; what is not known stays as it is, and is refused with it
 */
export async function* withCustomersByName(
  db: Database,
  resellerId: number,
  lines: AsyncIterable<readonly GivenLine[]>,
): AsyncGenerator<readonly GivenLine[]> {
  for await (const batch of lines) {
    const names = [...new Set(batch.flatMap((line) => customerOf(line) ?? []))];
    const known =
      names.length === 0 ? new Map<string, string>() : await customersNamed(db, resellerId, names);
    const others = names.filter((name) => !known.has(name));
    const byName =
      others.length === 0 ? new Map<string, string>() : await customersCalled(db, resellerId, others);
    yield byName.size === 0 ? batch : batch.map((line) => named(line, byName));
  }
}

const customerOf = (line: GivenLine): string | undefined => {
  if ('refusal' in line || typeof line.value !== 'object' || line.value === null) return undefined;
  const { customer } = line.value as { readonly customer?: unknown };
  return typeof customer === 'string' && customer.isWellFormed() && !customer.includes('\0')
    ? customer
    : undefined;
};

function named(line: GivenLine, byName: ReadonlyMap<string, string>): GivenLine {
  const customer = byName.get(customerOf(line) ?? '');
  if (customer === undefined || !('value' in line)) return line;
  return { ...line, value: { ...(line.value as object), customer } };
}

/** Customers by their names, of those that only one has. */
async function customersCalled(
  db: Database,
  resellerId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.many<{ name: string; id: string }>(sql`
    select label as name, min(customer_id::text) as id from reseller_customer
     where reseller_id = ${resellerId} and lower(label) = any(${names.map((name) => name.toLowerCase())}::text[])
       and label = any(${[...names]}::text[])
     group by label having count(*) = 1`);
  return new Map(rows.map(({ name, id }) => [name, id]));
}
