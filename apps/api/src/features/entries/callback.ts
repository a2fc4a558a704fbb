import { isId } from '@counterfoil/domain/text/ids.ts';
import type { EntryCallback, GatewayState } from '@counterfoil/gateways/port/gateway.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { isUniqueViolation } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { refuseCardNumbers } from '../../http/guards/number-guard.ts';
import { type GatewayAccount, isTokenOf } from '../payments/service.ts';
import { type EntryRow, entryColumns } from './entry-row.ts';
import type { EntryDeps } from './service.ts';

export interface CallbackDeps extends EntryDeps {
  /** Whether a token is that of a method which another customer of the account has saved: who posts it has not entered it. */
  readonly isSavedByAnother: (customerId: string, accountId: string, token: string) => Promise<boolean>;
}

/** It is not told whose it is. */
const OTHERS = 'This card or account cannot be used here. Please use another one';

const stateSchema = z.record(z.string(), z.string());

/**
 * Takes in what a gateway's page posts to an entry's callback. It is kept once, and proves nothing: whoever uses the entry
 * pays or saves with it, for what the entry is for.
 * @returns the code that the page around its frame is told; undefined: that it is done
 * @throws {AppError} entry.notFound, entry.expired, entry.used also for a second one, request.invalid where the gateway's
 *   adapter refuses it or what it names is another customer's, entry.notEntered where the gateway's page took no method
 */
export async function receiveCallback(
  deps: CallbackDeps,
  id: string,
  fields: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const row = isId(id)
    ? await deps.db.maybeOne<EntryRow>(sql`select ${entryColumns} from payment_entry e where e.id = ${id}`)
    : undefined;
  if (row === undefined) throw new AppError('entry.notFound');
  if (row.used_at !== null || row.input_sealed !== null) throw new AppError('entry.used');
  if (row.expires_at <= deps.clock.now()) throw new AppError('entry.expired');
  const account = await deps.accounts.byId(row.gateway_account_id);
  const state = z.parse(stateSchema, JSON.parse(deps.secrets.open(row.gateway_state_sealed, row.id)));
  const read = account && readCallback(deps, account, state, fields);
  if (account === undefined || read === undefined) throw new AppError('entry.notFound');
  const refused = (why: string, told = new AppError('request.invalid')) => {
    deps.log.warn({ account: account.id, entry: row.id, why }, 'what was posted to an entry was refused');
    return told;
  };
  if (read.is === 'refused') throw refused(read.why);
  // The entry stays: the payer corrects what was typed.
  if (read.is === 'declined') throw new AppError('entry.notEntered', { text: read.text });
  const { input, owner, once, message } = read;
  if ('secrets' in input) throw refused('a number');
  if ('token' in input && !isTokenOf(account, input.token)) throw refused('no token of the provider');
  if ('token' in input && (await deps.isSavedByAnother(row.customer_id, account.id, input.token)))
    throw refused("another customer's method", new AppError('entry.notEntered', { text: OTHERS }));
  // Not all that was posted: a number of a transaction may read like a card's, and is kept nowhere.
  refuseCardNumbers({ ...('token' in input ? { beside: input.beside } : input), owner });
  const sealed = deps.secrets.seal(JSON.stringify({ input, ...(owner && { owner }) }), row.id);
  const posted = once === undefined ? null : deps.secrets.digest(once, `posted:${account.id}`);
  const kept = await deps.db
    .transaction((tx) =>
      tx.execute(sql`
        update payment_entry set input_sealed = ${sealed}, remote_digest = coalesce(${posted}, remote_digest)
         where id = ${row.id} and input_sealed is null and used_at is null`),
    )
    .catch((error: unknown) => {
      // What was posted to another entry.
      if (isUniqueViolation(error, 'payment_entry_remote')) return 0;
      throw error;
    });
  if (kept !== 1) throw new AppError('entry.used');
  return message;
}

/** Whatever is posted there by anybody, it is refused and breaks nothing. */
function readCallback(
  { log }: EntryDeps,
  { id, gateway }: GatewayAccount,
  state: GatewayState,
  fields: Readonly<Record<string, string>>,
): EntryCallback | undefined {
  try {
    return gateway.readCallback?.(state, fields);
  } catch (error) {
    log.error({ err: error, account: id }, 'a gateway adapter threw while reading a callback');
    return { is: 'refused', why: 'adapter fault' };
  }
}
