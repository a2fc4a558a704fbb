import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Holders } from './holders.ts';

export interface PasskeyRow {
  id: string;
  /** Whose. */
  holder_id: string;
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

const columns = ({ holder }: Holders): Sql => sql`
  id, ${holder} as holder_id, credential_id, public_key, counter, transports, backed_up, name, rp_id, created_at,
  last_used_at`;

/** The newest first. */
export const listPasskeys = (db: Db, of: Holders, holderId: string) =>
  db.many<PasskeyRow>(sql`
    select ${columns(of)} from ${of.passkeys} where ${of.holder} = ${holderId} order by created_at desc, id desc`);

/** Whether a user has one. */
export const hasPasskey = async (db: Db, userId: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from passkey where user_id = ${userId} limit 1`)) !== undefined;

export const findPasskey = (db: Db, of: Holders, credentialId: Buffer) =>
  db.maybeOne<PasskeyRow>(sql`
    select ${columns(of)} from ${of.passkeys} where credential_id = ${credentialId}`);

export interface NewPasskeyRow {
  readonly id: string;
  readonly holderId: string;
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
export const insertPasskey = (tx: Tx, of: Holders, row: NewPasskeyRow) =>
  tx.one<PasskeyRow>(sql`
    insert into ${of.passkeys}
      (id, ${of.holder}, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, rp_id,
       created_at)
    values (${row.id}, ${row.holderId}, ${Buffer.from(row.credentialId)}, ${Buffer.from(row.publicKey)}, ${row.counter},
            ${row.transports}, ${row.deviceType}, ${row.backedUp}, ${row.aaguid}, ${row.name}, ${row.rpId}, ${row.now})
    returning ${columns(of)}`);

/** @returns the passkey under its new name; undefined when the holder has none of that id */
export const renamePasskey = (tx: Tx, of: Holders, holderId: string, id: string, name: string) =>
  tx.maybeOne<PasskeyRow>(sql`
    update ${of.passkeys} set name = ${name} where id = ${id} and ${of.holder} = ${holderId}
    returning ${columns(of)}`);

/** @returns what was removed; undefined when the holder has none of that id */
export const deletePasskey = (tx: Tx, of: Holders, holderId: string, id: string) =>
  tx.maybeOne<{ name: string; rp_id: string }>(sql`
    delete from ${of.passkeys} where id = ${id} and ${of.holder} = ${holderId} returning name, rp_id`);

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
     where p.id = ${id} and u.is_active for no key update of u for update of p`);

export const noteUse = (
  tx: Tx,
  of: Holders,
  id: string,
  use: { readonly counter: number; readonly backedUp: boolean; readonly now: Date },
) =>
  tx.execute(sql`
    update ${of.passkeys}
       set counter = ${use.counter}, backed_up = ${use.backedUp}, last_used_at = ${use.now}
     where id = ${id}`);

/** When the person behind a session proved who they are. */
export const signedInAt = (db: Db, sessionId: string) =>
  db.one<{ created_at: Date }>(sql`select created_at from user_session where id = ${sessionId}`);
