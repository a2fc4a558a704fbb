import { type Sql, sql } from '../../db/sql.ts';

/** Whose passkeys: users of customers and operators are apart, down to their tables. */
export interface Holders {
  readonly passkeys: Sql;
  readonly challenges: Sql;
  /** The column that says whose. */
  readonly holder: Sql;
  /** The constraint by which an authenticator's key is one person's. */
  readonly uniqueCredential: string;
}

export const users: Holders = {
  passkeys: sql`passkey`,
  challenges: sql`passkey_challenge`,
  holder: sql`user_id`,
  uniqueCredential: 'passkey_credential_id_key',
};

export const operators: Holders = {
  passkeys: sql`operator_passkey`,
  challenges: sql`operator_passkey_challenge`,
  holder: sql`operator_id`,
  uniqueCredential: 'operator_passkey_credential_id_key',
};
