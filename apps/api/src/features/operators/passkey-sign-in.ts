import type { OperatorPasskeySignIn } from '@counterfoil/contract/operator/access/operator-ways.ts';
import { AppError } from '../../app-error.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { countUse, operatorPasskeys, readSignature } from '../passkeys/service.ts';
import { siteAt } from './passkeys.ts';
import * as queries from './queries.ts';
import { mayEnter, type OperatorDeps, openSession, recordRefusal, type SignedIn } from './session.ts';
import { isSsoDemanded } from './sso-queries.ts';

/**
 * Signs an operator in by a passkey alone: its device has verified the person, so that it is both factors.
 * @throws {AppError} passkey.expired; operator.passkeyRefused for whatever else is wrong; operator.passkeyCopied,
 *   operator.ssoDemanded
 */
export async function signInByPasskey(
  deps: OperatorDeps,
  host: string,
  { challengeId, credential }: OperatorPasskeySignIn,
  origin: Origin,
): Promise<SignedIn> {
  const signed = await readSignature(deps, await siteAt(deps, host), challengeId, credential);
  if (signed === 'expired') throw new AppError('passkey.expired');
  if (signed === 'unknown') throw new AppError('operator.passkeyRefused');
  const { passkey } = signed;
  const now = deps.clock.now();
  let isCopy = false;
  const opened = await deps.db.transaction(async (tx): Promise<SignedIn | undefined> => {
    // The operator first, as everywhere: two orders of locking would wait for each other.
    const operator = await queries.lockOperatorById(tx, passkey.holder_id);
    const counter = await queries.lockPasskey(tx, passkey.id);
    // Removed meanwhile, or the operator shut out.
    if (operator === undefined || operator.disabled_at !== null || counter === undefined) return undefined;
    if (!mayEnter(deps, operator)) return undefined;
    isCopy = !(await countUse(tx, operatorPasskeys, signed, counter, now));
    if (isCopy) return undefined;
    if (await isSsoDemanded(tx, operator)) throw new AppError('operator.ssoDemanded');
    const way = { method: 'passkey', passkeyId: passkey.id } as const;
    return { operator, token: await openSession(tx, operator, origin, now, way) };
  });
  if (opened !== undefined) return opened;
  const operator = await queries.findOperator(deps.db, passkey.holder_id);
  const reason = isCopy ? 'passkeyCopied' : 'passkey';
  if (operator !== undefined) await recordRefusal(deps, operator, operator.email, origin, reason);
  throw new AppError(isCopy ? 'operator.passkeyCopied' : 'operator.passkeyRefused');
}
