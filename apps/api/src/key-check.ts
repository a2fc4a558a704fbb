import type { Database, Db, Tx } from './db/database.ts';
import { sql } from './db/sql.ts';
import type { SecretKeys, Secrets } from './secrets.ts';

/** `absent`: nothing in the database says which key is its own, so any will do. */
export type KeyStand = 'fits' | 'wrong' | 'absent';

interface KnownKey {
  readonly digest: Buffer;
  readonly digestKey: Buffer | null;
}

/** What the digest key is sealed for. */
const DIGEST_KEY = 'digest key';

/** Whether this process has the key of this database, which is read and not changed. */
export async function readKeyStand(db: Db, secrets: SecretKeys): Promise<KeyStand> {
  const known = await readKnown(db);
  if (known !== undefined) return isKnown(secrets, known) ? 'fits' : 'wrong';
  // Made before keys were checked: what was sealed then tells.
  const sample = await db.maybeOne<{ sealed: Buffer; context: string }>(SEALED);
  return sample === undefined ? 'absent' : opens(secrets, sample) ? 'fits' : 'wrong';
}

/**
 * The same, and keeps what tells a later process where nothing has yet. Of two that start at once with different keys
 * one keeps its own, and the other's is wrong. From then on digests are made as they were in this database.
 */
export async function keepKeyCheck(db: Database, secrets: SecretKeys): Promise<Exclude<KeyStand, 'absent'>> {
  if ((await readKnown(db)) === undefined) {
    if ((await readKeyStand(db, secrets)) === 'wrong') return 'wrong';
    await db.execute(sql`insert into key_check (digest) values (${secrets.check}) on conflict do nothing`);
  }
  const known = await readKnown(db);
  if (known === undefined || !isKnown(secrets, known)) return 'wrong';
  const digestKey = digestKeyOf(secrets, known);
  if (digestKey !== undefined) secrets.useDigestKey(digestKey);
  return 'fits';
}

/** Makes the own key that of the database. What a digest was of is not kept, so the key of digests stays, sealed with the new one. */
export async function keepNewKey(tx: Tx, secrets: SecretKeys): Promise<void> {
  const sealed = secrets.seal(secrets.digestKey.toString('base64'), DIGEST_KEY);
  await tx.execute(sql`update key_check set digest = ${secrets.check}, digest_key_sealed = ${sealed}`);
}

const readKnown = (db: Db): Promise<KnownKey | undefined> =>
  db.maybeOne<KnownKey>(sql`select digest, digest_key_sealed as "digestKey" from key_check`);

const isKnown = ({ check, fallbackCheck }: SecretKeys, { digest }: KnownKey): boolean =>
  digest.equals(check) || (fallbackCheck !== undefined && digest.equals(fallbackCheck));

/** As the database says; else that of the key it was made with. */
function digestKeyOf(secrets: SecretKeys, { digest, digestKey }: KnownKey): Buffer | undefined {
  if (digestKey !== null) return Buffer.from(secrets.open(digestKey, DIGEST_KEY), 'base64');
  return digest.equals(secrets.check) ? undefined : secrets.fallbackDigestKey;
}

/** One thing that was sealed, with where it belongs: what an operator set first, then what was made by itself. */
const SEALED = sql<{ sealed: Buffer; context: string }>`
  (select secrets as sealed, id::text as context from gateway_account
    where secrets is not null order by created_at limit 1)
  union all
  (select client_secret, id::text from company where client_secret is not null order by created_at limit 1)
  union all
  (select secret, 'second-factor:' || user_id from second_factor where secret is not null order by created_at limit 1)
  union all
  (select token_sealed, 'pay-link:' || invoice_id from invoice_pay_link limit 1)
  limit 1`;

function opens(secrets: Secrets, { sealed, context }: { sealed: Buffer; context: string }): boolean {
  try {
    secrets.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
