import { AppError } from '../../app-error.ts';
import { recordAuditLines } from '../../audit/record.ts';
import type { BulkMade, BulkOf } from '../../bulk/bulk.ts';
import { sqlState, type Tx } from '../../db/database.ts';
import { lockByCustomer } from '../../db/lock-rows.ts';
import { sql } from '../../db/sql.ts';
import { tableClasses } from '../../db/table-classes.ts';

/** What a customer has from its beginning, and what goes with it. */
const OWN: ReadonlySet<string> = new Set(['customer']);
/** Tables that belong to a customer, though they are spread otherwise. */
const ALSO = ['membership', 'service_item_number', 'provider_reference'];

const FOREIGN_KEY = '23503';

/**
 * Takes customers out again that nothing belongs to yet.
 * @throws {AppError} import.notUndone where one has users, invoices or anything else
 */
export async function takeOutCustomers(
  tx: Tx,
  { resellerId, by }: BulkOf,
  made: readonly BulkMade[],
  now: Date,
): Promise<void> {
  const ids = made.map(({ id }) => id);
  await lockByCustomer(
    tx,
    ids,
    (these) => sql`select 1 from customer where customer_id = ${these} order by customer_id for update`,
  );
  const references = new Map(made.map(({ id, reference }) => [id, reference]));
  const owned = Object.entries(tableClasses).flatMap(([table, kind]) =>
    kind === 'distributed' && !OWN.has(table) ? [table] : [],
  );
  for (const table of [...owned, ...ALSO]) {
    const row = await tx.maybeOne<{ customer_id: string }>(sql`
      select customer_id from ${sql.table(table)} where customer_id = any(${ids}::uuid[]) limit 1`);
    if (row !== undefined)
      throw new AppError('import.notUndone', {
        text: `Customer ${references.get(row.customer_id) ?? ''} is in use: something belongs to it (${table.replaceAll('_', ' ')})`,
      });
  }
  for (const table of ['customer_identity', 'reseller_customer', 'customer'])
    await tx.execute(
      sql`delete from ${sql.table(table)} where reseller_id = ${resellerId} and customer_id = any(${ids}::uuid[])`,
    );
  await recordAuditLines(
    tx,
    made.map(({ reference, id }) => ({
      action: 'customer.removed',
      at: now,
      resellerId,
      customerId: id,
      ...by,
      detail: { reference },
    })),
  );
}

/**
 * Takes users out again who have not begun to use the portal, with what they see.
 * @throws {AppError} import.notUndone where one has chosen a password or is known by a company's sign-in
 */
export async function takeOutUsers(
  tx: Tx,
  { resellerId, by }: BulkOf,
  made: readonly BulkMade[],
  now: Date,
): Promise<void> {
  const ids = made.map(({ id }) => id);
  const begun = await tx.maybeOne<{ email: string }>(sql`
    select u.email from app_user u
     where u.reseller_id = ${resellerId} and u.id = any(${ids}::uuid[])
       and (u.password_hash is not null or exists (select from user_session s where s.user_id = u.id)) limit 1`);
  if (begun !== undefined)
    throw new AppError('import.notUndone', { text: `${begun.email} uses the portal already` });
  try {
    await tx.execute(sql`delete from membership where user_id = any(${ids}::uuid[])`);
    await tx.execute(
      sql`delete from app_user where reseller_id = ${resellerId} and id = any(${ids}::uuid[])`,
    );
  } catch (error) {
    if (sqlState(error)?.code !== FOREIGN_KEY) throw error;
    throw new AppError('import.notUndone', { text: 'One of the users is in use', cause: error });
  }
  await recordAuditLines(
    tx,
    made.map(({ reference, id }) => ({
      action: 'user.removed',
      at: now,
      resellerId,
      userId: id,
      userEmail: reference,
      ...by,
      detail: {},
    })),
  );
}
