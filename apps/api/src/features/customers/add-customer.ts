import { newId } from '@counterfoil/domain/text/ids.ts';
import { type Db, isUniqueViolation, type Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import {
  type Added,
  AdminRefused,
  checkedCountry,
  checkedEmail,
  checkedName,
  requireReseller,
} from '../admin/service.ts';

/** What imports know a customer by. */
export interface CustomerIdentity {
  readonly kind: 'endpoint' | 'legalId' | 'name' | 'accountCode';
  readonly value: string;
}

export interface CustomerAddress {
  readonly lines: readonly string[];
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly region?: string | undefined;
}

export interface NewCustomer {
  /** Absent: a new one. */
  readonly id?: string | undefined;
  readonly resellerId: number;
  readonly label: string;
  readonly brandId?: number | undefined;
  /** The provider's own number of the customer, unique within the reseller. */
  readonly externalRef?: string | undefined;
  readonly email?: string | undefined;
  readonly country?: string | undefined;
  readonly address?: CustomerAddress | undefined;
  readonly identities?: readonly CustomerIdentity[] | undefined;
}

/**
 * Makes a customer known, with everything imports find it by. A customer with the same external reference, label
 * and e-mail address stays as it is.
 * @throws {AdminRefused} for an unknown reseller, a brand of somebody else, an identity another customer has
 */
export async function addCustomer(
  tx: Tx,
  wanted: NewCustomer,
  now: Date,
): Promise<{ id: string; added: Added }> {
  const { resellerId } = wanted;
  await requireReseller(tx, resellerId);
  const label = checkedName('label', wanted.label);
  const externalRef = wanted.externalRef?.trim() || undefined;
  const known = externalRef === undefined ? undefined : await findByRef(tx, resellerId, externalRef);
  if (known !== undefined) {
    const email = wanted.email === undefined ? known.email : checkedEmail(wanted.email);
    if (known.label === label && known.email === email) return { id: known.customer_id, added: 'unchanged' };
    throw new AdminRefused(
      `the reference '${externalRef}' is that of customer '${known.label}' (${known.customer_id}); 'customer set' changes it`,
    );
  }
  await requireBrand(tx, resellerId, wanted.brandId);
  const id = wanted.id ?? newId(now.getTime());
  const email = wanted.email === undefined ? null : checkedEmail(wanted.email);
  const country = wanted.country === undefined ? null : checkedCountry(wanted.country);
  await tx.execute(sql`
    insert into customer (customer_id, reseller_id, brand_id, external_ref, label, email, address, country, created_at)
    values (${id}, ${resellerId}, ${wanted.brandId ?? null}, ${externalRef ?? null}, ${label}, ${email},
            ${JSON.stringify(wanted.address ?? {})}, ${country}, ${now})`);
  await tx.execute(sql`
    insert into reseller_customer (reseller_id, customer_id, brand_id, label)
    values (${resellerId}, ${id}, ${wanted.brandId ?? null}, ${label})`);
  const ref = externalRef === undefined ? [] : [{ kind: 'externalRef', value: externalRef }];
  for (const { kind, value } of [...ref, ...(wanted.identities ?? [])]) {
    await addIdentity(tx, resellerId, id, kind, checkedName(kind, value));
  }
  return { id, added: 'created' };
}

/**
 * Makes a customer known to imports by more.
 * @returns what it was not known by before
 * @throws {AdminRefused} for what another customer of the reseller is known by
 */
export async function addIdentities(
  tx: Tx,
  resellerId: number,
  customerId: string,
  identities: readonly CustomerIdentity[],
): Promise<readonly CustomerIdentity[]> {
  const added: CustomerIdentity[] = [];
  for (const { kind, value: given } of identities) {
    const value = checkedName(kind, given);
    const isKnown = await tx.maybeOne(sql`
      select 1 from customer_identity
       where reseller_id = ${resellerId} and kind = ${kind} and value = ${value} and customer_id = ${customerId}`);
    if (isKnown !== undefined) continue;
    await addIdentity(tx, resellerId, customerId, kind, value);
    added.push({ kind, value });
  }
  return added;
}

async function addIdentity(
  tx: Tx,
  resellerId: number,
  customerId: string,
  kind: string,
  value: string,
): Promise<void> {
  try {
    await tx.execute(sql`
      insert into customer_identity (reseller_id, kind, value, customer_id)
      values (${resellerId}, ${kind}, ${value}, ${customerId})`);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AdminRefused(`another customer of reseller ${resellerId} is known by ${kind} '${value}'`);
  }
}

const findByRef = (db: Db, resellerId: number, ref: string) =>
  db.maybeOne<{ customer_id: string; label: string; email: string | null }>(sql`
    select c.customer_id, c.label, c.email from customer_identity i join customer c on c.customer_id = i.customer_id
     where i.reseller_id = ${resellerId} and i.kind = 'externalRef' and i.value = ${ref}`);

async function requireBrand(tx: Tx, resellerId: number, brandId: number | undefined): Promise<void> {
  if (brandId === undefined) return;
  const row = await tx.maybeOne(
    sql`select 1 from brand where id = ${brandId} and reseller_id = ${resellerId}`,
  );
  if (row === undefined) throw new AdminRefused(`reseller ${resellerId} has no brand ${brandId}`);
}
