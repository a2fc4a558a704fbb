import { OPERATOR_RESET_SECONDS } from '@counterfoil/contract/operator/access/operators.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { sha256 } from '../../secrets.ts';
import * as queries from './queries.ts';

const TOKEN_BYTES = 32;

/** The page that a reset link leads to. */
export const resetUrl = (publicUrl: URL, token: string): string =>
  new URL(`/admin/password/${token}`, publicUrl).href;

/**
 * Makes a link by which an operator chooses a new password; an earlier one ends.
 * @returns 256 bits in base64url, of which only the hash is kept; undefined for one who has no password to lose
 */
export async function issueReset(
  tx: Tx,
  operatorId: string,
  now: Date,
): Promise<{ readonly operator: queries.OperatorRow; readonly token: string } | undefined> {
  const operator = await queries.lockOperatorById(tx, operatorId);
  if (operator === undefined || operator.disabled_at !== null || operator.password_hash === null)
    return undefined;
  const token = newToken(TOKEN_BYTES);
  const expiresAt = new Date(now.getTime() + OPERATOR_RESET_SECONDS * 1000);
  await queries.endResets(tx, operatorId, now);
  await queries.insertReset(tx, { hash: sha256(token), operatorId, now, expiresAt });
  return { operator, token };
}
