import { isId } from '@counterfoil/domain/text/ids.ts';
import type { Db } from '../db/database.ts';
import { findCustomerNamed } from '../features/admin/queries.ts';
import { CommandError } from './command.ts';

/**
 * The id of a customer as `--customer` names one. Whether there is a customer of an id, and whether the command may
 * touch it, the command finds out.
 * @param name an id, or the provider's own reference
 * @param resellerId whose customer it has to be, where that is known
 * @throws {CommandError} when nobody, or a customer of several resellers, has the reference
 */
export async function customerNamed(db: Db, name: string, resellerId?: number): Promise<string> {
  if (isId(name)) return name.toLowerCase();
  const found = await findCustomerNamed(db, name, resellerId);
  if (typeof found === 'string') throw new CommandError(found);
  return found.customerId;
}

/** The same for several, in their order. */
export async function customersNamed(
  db: Db,
  names: readonly string[],
  resellerId?: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await customerNamed(db, name, resellerId));
  return ids;
}
