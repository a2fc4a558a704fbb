import type { CustomerUserValues } from '@counterfoil/contract/operator/customers/admin-customers.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { type AuditEvent, recordAuditLines } from '../../audit/record.ts';
import type { BulkOf, BulkWritten } from '../../bulk/bulk.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { enqueueRegistrationMails } from '../auth/service.ts';
import { type CustomerUserRow, lockCustomers, lockUsersByEmail } from './queries.ts';

/** A person at a customer as they are to be, by their address in small letters. */
export interface CustomerUserWrite extends CustomerUserValues {
  readonly customerId: string;
  readonly email: string;
}

/** What became of one. */
export interface WrittenUser {
  readonly user: CustomerUserRow;
  readonly outcome: Exclude<BulkWritten['status'], 'removed'>;
  /** What differs, as the audit trail has it. */
  readonly changes?: BulkWritten['changes'];
}

/**
 * Lets people sign in for customers. Who is new is made a user, without a password, and invited where that is asked for; a
 * user of the reseller gets the name that is given. The same again changes nothing and mails nothing. As many statements for a
 * thousand as for one, in an order of its own, so that several at once never wait in a circle.
 * @param writes each address once
 * @returns in their order; customer.notFound, or customer.userTaken for the address of a user of another reseller, in the
 *   place of what cannot be
 */
export async function putCustomerUsers(
  tx: Tx,
  of: BulkOf,
  writes: readonly CustomerUserWrite[],
  now: Date,
): Promise<readonly (WrittenUser | AppError)[]> {
  const customers = await lockCustomers(
    tx,
    of.resellerId,
    writes.map(({ customerId }) => customerId),
  );
  const known = writes.filter(({ customerId }) => customers.has(customerId));
  const made = await makeUnknown(tx, of.resellerId, known, now);
  const rows = await lockUsersByEmail(
    tx,
    known.map(({ email }) => email),
  );
  const users = new Map(rows.map((row) => [row.email, row]));
  const own = known.flatMap((write) => {
    const user = users.get(write.email);
    return user === undefined || user.reseller_id !== of.resellerId ? [] : [{ write, user }];
  });
  const renamed = own.filter(({ write, user }) => write.displayName !== user.display_name);
  if (renamed.length > 0)
    await tx.execute(sql`
      update app_user u set display_name = g.name
        from unnest(${renamed.map(({ user }) => user.id)}::uuid[],
                    ${renamed.map(({ write }) => write.displayName)}::text[]) as g(id, name)
       where u.id = g.id`);
  const joined = await addMembers(tx, own);
  const acts = own.flatMap(({ write, user }): Act[] => {
    if (made.has(write.email)) {
      const detail = { invited: write.invite, customers: write.customerId };
      return [{ action: 'user.added', write, user, detail }];
    }
    const detail = { 'before.displayName': user.display_name, 'after.displayName': write.displayName };
    return [
      ...(write.displayName === user.display_name
        ? []
        : [{ action: 'user.changed', write, user, detail } as const]),
      ...(joined.has(user.id) ? [{ action: 'user.memberAdded', write, user, detail: {} } as const] : []),
    ];
  });
  await recordAuditLines(
    tx,
    acts.map(({ action, write, user, detail }) => ({
      action,
      at: now,
      resellerId: of.resellerId,
      customerId: write.customerId,
      userId: user.id,
      userEmail: write.email,
      ...of.by,
      detail,
    })),
  );
  await enqueueRegistrationMails(
    tx,
    own.flatMap(({ write, user }) => (write.invite && made.has(write.email) ? [user.id] : [])),
  );
  const touched = new Set(acts.map(({ user }) => user.id));
  return writes.map(({ customerId, email, displayName }) => {
    if (!customers.has(customerId)) return new AppError('customer.notFound');
    const user = users.get(email);
    if (user === undefined) throw new Error('a user was not written');
    if (user.reseller_id !== of.resellerId) return new AppError('customer.userTaken');
    const outcome = made.has(email) ? 'created' : touched.has(user.id) ? 'changed' : 'unchanged';
    const changes =
      outcome === 'changed' && user.display_name !== displayName
        ? { 'before.displayName': user.display_name, 'after.displayName': displayName }
        : undefined;
    return { user: { ...user, display_name: displayName, is_member: true }, outcome, changes };
  });
}

interface Act extends Pick<AuditEvent, 'action' | 'detail'> {
  readonly write: CustomerUserWrite;
  readonly user: Pick<CustomerUserRow, 'id'>;
}

/** Makes users of addresses that nobody has. @returns those addresses */
async function makeUnknown(
  tx: Tx,
  resellerId: number,
  writes: readonly CustomerUserWrite[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ email: string }>(sql`
    insert into app_user (id, reseller_id, email, display_name, created_at)
    select g.id, ${resellerId}, g.email, g.name, ${now}
      from unnest(${writes.map(() => newId(now.getTime()))}::uuid[], ${writes.map(({ email }) => email)}::text[],
                  ${writes.map(({ displayName }) => displayName)}::text[]) as g(id, email, name)
     order by g.email
    on conflict (email) do nothing returning email`);
  return new Set(rows.map(({ email }) => email));
}

/** @returns ids of the users who have not seen their customer before */
async function addMembers(
  tx: Tx,
  members: readonly { readonly write: CustomerUserWrite; readonly user: Pick<CustomerUserRow, 'id'> }[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.many<{ user_id: string }>(sql`
    insert into membership (user_id, customer_id)
    select g.person, g.customer
      from unnest(${members.map(({ user }) => user.id)}::uuid[],
                  ${members.map(({ write }) => write.customerId)}::uuid[]) as g(person, customer)
     order by 1, 2
    on conflict do nothing returning user_id`);
  return new Set(rows.map(({ user_id: id }) => id));
}
