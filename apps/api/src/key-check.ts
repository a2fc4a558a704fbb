import type { Database, Db } from './db/database.ts';
import { sql } from './db/sql.ts';
import type { Secrets } from './secrets.ts';

/** `absent`: nothing in the database says which key is its own, so any will do. */
export type KeyStand = 'fits' | 'wrong' | 'absent';

/** What a database keeps to tell its key by. */
export const keyCheckOf = (secrets: Secrets): Buffer => secrets.digest('key check', 'key check');

/** Whether this process has the key of this database, which is read and not changed. */
export async function readKeyStand(db: Db, secrets: Secrets): Promise<KeyStand> {
  const known = await readDigest(db);
  if (known !== undefined) return known.equals(keyCheckOf(secrets)) ? 'fits' : 'wrong';
  // Made before keys were checked: what was sealed then tells.
  const sample = await db.maybeOne<{ sealed: Buffer; context: string }>(SEALED);
  return sample === undefined ? 'absent' : opens(secrets, sample) ? 'fits' : 'wrong';
}

/**
 * The same, and keeps what tells a later process where nothing has yet. Of two that start at once with different keys
 * one keeps its own, and the other's is wrong.
 */
export async function keepKeyCheck(db: Database, secrets: Secrets): Promise<Exclude<KeyStand, 'absent'>> {
  const known = await readDigest(db);
  if (known !== undefined) return known.equals(keyCheckOf(secrets)) ? 'fits' : 'wrong';
  if ((await readKeyStand(db, secrets)) === 'wrong') return 'wrong';
  await db.execute(
    sql`insert into key_check (digest) values (${keyCheckOf(secrets)}) on conflict do nothing`,
  );
  return (await readDigest(db))?.equals(keyCheckOf(secrets)) === true ? 'fits' : 'wrong';
}

const readDigest = async (db: Db): Promise<Buffer | undefined> =>
  (await db.maybeOne<{ digest: Buffer }>(sql`select digest from key_check`))?.digest;

/** One thing that was sealed, with where it belongs: what an operator set first, then what was made by itself. */
const SEALED = sql<{ sealed: Buffer; context: string }>`
  (select secrets as sealed, id::text as context from gateway_account
    where secrets is not null order by created_at limit 1)
  union all
  (select client_secret, id::text from company where client_secret is not null order by created_at limit 1)
  union all
  (select secret, 'second-factor:' || user_id from second_factor where secret is not null order by created_at limit 1)
  union all
  (select token_sealed, 'pay-link:' || invoice_id from pay_link limit 1)
  limit 1`;

function opens(secrets: Secrets, { sealed, context }: { sealed: Buffer; context: string }): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
