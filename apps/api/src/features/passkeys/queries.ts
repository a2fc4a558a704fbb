import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: bigint;
  transports: string[];
  backed_up: boolean;
  name: string;
  rp_id: string;
  created_at: Date;
  last_used_at: Date | null;
}

const columns = sql`
  id, user_id, credential_id, public_key, counter, transports, backed_up, name, rp_id, created_at, last_used_at`;

export const listPasskeys = (db: Db, userId: string) =>
  db.many<PasskeyRow>(sql`
    select ${columns} from passkey where user_id = ${userId} order by created_at desc, id desc`);

export const hasPasskey = async (db: Db, userId: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from passkey where user_id = ${userId} limit 1`)) !== undefined;

export const findPasskey = (db: Db, credentialId: Buffer) =>
  db.maybeOne<PasskeyRow>(sql`select ${columns} from passkey where credential_id = ${credentialId}`);

export interface NewPasskeyRow {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly deviceType: 'singleDevice' | 'multiDevice';
  readonly backedUp: boolean;
  readonly aaguid: string;
  readonly name: string;
  readonly rpId: string;
  readonly now: Date;
}

/** @throws {DatabaseError} unique violation: this authenticator's key is known already, here or in another account */
export const insertPasskey = (tx: Tx, row: NewPasskeyRow) =>
  tx.one<PasskeyRow>(sql`
    insert into passkey (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid,
                         name, rp_id, created_at)
    values (${row.id}, ${row.userId}, ${Buffer.from(row.credentialId)}, ${Buffer.from(row.publicKey)}, ${row.counter},
            ${row.transports}, ${row.deviceType}, ${row.backedUp}, ${row.aaguid}, ${row.name}, ${row.rpId}, ${row.now})
    returning ${columns}`);

/** @returns the passkey under its new name; undefined when the user has none of that id */
export const renamePasskey = (tx: Tx, userId: string, id: string, name: string) =>
  tx.maybeOne<PasskeyRow>(sql`
    update passkey set name = ${name} where id = ${id} and user_id = ${userId} returning ${columns}`);

/** @returns what was removed; undefined when the user has none of that id */
export const deletePasskey = (tx: Tx, userId: string, id: string) =>
  tx.maybeOne<{ name: string; rp_id: string }>(sql`
    delete from passkey where id = ${id} and user_id = ${userId} returning name, rp_id`);

/**
 * Ends a user's sessions that were begun with a passkey, or by one of which it is not known which, but for the one asked
 * from. @returns how many
 */
export const endSessionsBegunWith = (
  tx: Tx,
  own: { readonly userId: string; readonly sessionId: string },
  id: string,
  now: Date,
) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'passkey'
     where user_id = ${own.userId} and id <> ${own.sessionId} and ended_at is null
       and method = 'passkey' and coalesce(passkey_id, ${id}) = ${id}`);

/** The counter of a passkey whose user may sign in, both locked until the session is made. */
export const lockForSignIn = (tx: Tx, id: string) =>
  tx.maybeOne<{ counter: bigint }>(sql`
    select p.counter from app_user u join passkey p on p.user_id = u.id
     where p.id = ${id} and u.is_active for share of u for update of p`);

export const noteUse = (tx: Tx, id: string, counter: number, backedUp: boolean, now: Date) =>
  tx.execute(sql`
    update passkey set counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${now} where id = ${id}`);

/** When the person behind a session proved who they are. */
export const signedInAt = (db: Db, sessionId: string) =>
  db.one<{ created_at: Date }>(sql`select created_at from user_session where id = ${sessionId}`);
