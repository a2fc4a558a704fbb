import { randomUUID } from 'node:crypto';
import type { PreparedEntry } from '@counterfoil/contract/paying/entry-config.ts';
import type { Money } from '@counterfoil/domain/money/money.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type {
  Action,
  EntryPrepared,
  EntryRequest,
  GatewayState,
  MethodKind,
} from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import type { EntryPath } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { Database, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { Secrets } from '../../secrets.ts';
import { withTimeout } from '../../with-timeout.ts';
import { billingOwner, type GatewayAccount, type GatewayAccounts } from '../payments/service.ts';
import type { EntryName, TakenEntry } from './entered.ts';
import { type EntryRow, entryColumns } from './entry-row.ts';

export {
  type Entered,
  enteredOf,
  inputOf,
  isEntered,
  namesOf,
  type TakenEntry,
} from './entered.ts';
export { enteredNumbers, METHOD_NUMBERS } from './numbers.ts';

export interface EntryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly accounts: Pick<GatewayAccounts, 'byId' | 'doubt'>;
}

/** What an entry is for, and so all that it can be used for. */
export type EntryUse =
  | { readonly purpose: 'save' }
  | { readonly purpose: 'payOnce'; readonly invoiceId: string }
  | { readonly purpose: 'payOnce'; readonly sessionId: string };

export interface NewEntry {
  readonly scope: CustomerScope;
  readonly account: GatewayAccount;
  readonly use: EntryUse;
  readonly kind: MethodKind;
  readonly scheme?: string | undefined;
  /** What will be taken, fee included, as far as it is known. */
  readonly amount?: Money;
  /** A saved method that is typed again. */
  readonly method?: GatewayState | undefined;
  /** The payer at the gateway, where there is one. */
  readonly payer?: GatewayState | undefined;
  readonly person?: NonNullable<EntryRequest['person']>;
  /** Absolute address of the page that shows it. */
  readonly returnTo: string;
  /** Absolute address of its callback, at the brand's host. */
  readonly callbackUrl: (entryId: string) => string;
}

/**
 * Prepares entries for one who asks, at their account; of a bank account without a scheme, of the kind that is offered. With the id
 * of a saved method of theirs that one is typed again, whatever its kind; with an address its owner is written to there.
 */
export interface Preparer {
  readonly account: GatewayAccount | undefined;
  readonly prepare: (
    kind: MethodKind,
    scheme?: string,
    typed?: { readonly methodId: string | undefined; readonly email: string | undefined },
  ) => Promise<PreparedEntry>;
}

/** Who prepares for a request, by what the path is for. @throws {AppError} as the feature's own calls do */
export type Preparers = Readonly<
  Record<EntryPath['for'], (request: FastifyRequest, name: string) => Promise<Preparer>>
>;

/** The longest wait for the gateway, milliseconds: nothing was typed yet, so the page asks again. */
const ANSWER_WITHIN_MS = 15_000;
const tooLate: EntryPrepared = { is: 'unknown', evidence: `no answer within ${ANSWER_WITHIN_MS} ms` };

// Each new one takes a few old ones away, so that the table stays as small as the last hours were busy.
const SWEPT = 20;

/**
 * Makes at the gateway what a payer's page needs before a method is typed.
 * @throws {AppError} paymentMethod.notOffered where the gateway needs nothing, gateway.misconfigured, server.unavailable
 */
export async function prepareEntry(deps: EntryDeps, wanted: NewEntry): Promise<PreparedEntry> {
  const { account, scope, use, kind, scheme, amount, method, payer, person, returnTo } = wanted;
  const id = randomUUID();
  const asked = account.gateway.prepareEntry?.({
    ref: newGatewayRef(),
    purpose: use.purpose,
    kind,
    ...(scheme !== undefined && { scheme }),
    ...(amount !== undefined && { amount }),
    ...(method !== undefined && { method }),
    ...(payer !== undefined && { payer }),
    ...(person !== undefined && { person }),
    returnTo,
    callbackUrl: wanted.callbackUrl(id),
  });
  if (asked === undefined) throw new AppError('paymentMethod.notOffered');
  const call = asked.catch((error: unknown): EntryPrepared => {
    deps.log.error({ err: error, account: account.id }, 'a gateway adapter threw while preparing an entry');
    return { is: 'unknown', evidence: 'adapter fault' };
  });
  const prepared = await withTimeout(ANSWER_WITHIN_MS, call, tooLate);
  if (prepared.is !== 'ready') throw refusalOf(deps, account, prepared);
  const now = deps.clock.now();
  const { state, action, remote, until } = prepared;
  const digest = remote === undefined ? null : deps.secrets.digest(remote, `entry:${account.id}`);
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`
      delete from payment_entry where id in (
        select id from payment_entry where expires_at < ${new Date(now.getTime() - KEPT_MS)}
         order by expires_at limit ${SWEPT} for update skip locked)`);
    await tx.execute(sql`
      insert into payment_entry (id, customer_id, gateway_account_id, purpose, kind, scheme, invoice_id, session_id,
        remote_digest, gateway_state_sealed, created_at, expires_at)
      values (${id}, ${scope.customerId}, ${account.id}, ${use.purpose}, ${kind}, ${scheme ?? null},
        ${'invoiceId' in use ? use.invoiceId : null}, ${'sessionId' in use ? use.sessionId : null}, ${digest},
        ${deps.secrets.seal(JSON.stringify(state), id)}, ${now}, ${until})`);
  });
  return { entryId: id, action: mutable(action), until: until.toISOString() };
}

/** What a page is told of an entry that was not made. */
function refusalOf(
  { log, accounts }: EntryDeps,
  account: GatewayAccount,
  prepared: Exclude<EntryPrepared, { is: 'ready' }>,
): AppError {
  const { is, ...why } = prepared;
  log.warn({ account: account.id, is, ...why }, 'a gateway prepared no entry');
  if (prepared.is !== 'notAttempted' || prepared.why !== 'config') return new AppError('server.unavailable');
  accounts.doubt(account);
  return new AppError('gateway.misconfigured');
}

/** How long one is remembered beyond its time, so that its late use is told apart from none. */
const KEPT_MS = 24 * 60 * 60_000;

/** An action as the contract has it. */
function mutable(action: Action): PreparedEntry['action'] {
  switch (action.do) {
    case 'browser':
      return { do: 'browser', config: { ...action.config } };
    case 'frame':
      return { do: 'frame', url: action.url, origins: [...action.origins] };
    case 'form':
      return { do: 'form', url: action.url, fields: { ...action.fields }, origins: [...action.origins] };
    case 'redirect':
      return { do: 'redirect', to: action.to };
  }
}

const stateSchema = z.record(z.string(), z.string());
const inputSchema = z.object({
  input: z.union([
    z.object({ token: z.string(), beside: z.exactOptional(stateSchema) }),
    z.object({ fields: stateSchema }),
  ]),
  owner: z.exactOptional(billingOwner),
});

/**
 * Takes an entry for its one use, in the transaction that writes what uses it.
 * @param expected whose, at which account, and for what: another one's is not there
 * @throws {AppError} entry.notFound, entry.expired, entry.used
 */
export async function takeEntry(
  tx: Tx,
  { secrets, now }: { readonly secrets: Secrets; readonly now: Date },
  name: EntryName,
  expected: {
    readonly customerId: string;
    readonly account: Pick<GatewayAccount, 'id'>;
    readonly kind: MethodKind;
    readonly scheme?: string | undefined;
    readonly use: EntryUse;
  },
): Promise<TakenEntry> {
  const { customerId, account, kind, scheme, use } = expected;
  const byName =
    'entryId' in name
      ? sql`e.id = ${isId(name.entryId) ? name.entryId : null}`
      : sql`e.gateway_account_id = ${account.id} and e.remote_digest = ${secrets.digest(name.remote, `entry:${account.id}`)}`;
  const row = await tx.maybeOne<EntryRow>(
    sql`select ${entryColumns} from payment_entry e where ${byName} for update`,
  );
  const isTheirs =
    row !== undefined &&
    row.customer_id === customerId &&
    row.gateway_account_id === account.id &&
    row.kind === kind &&
    (row.scheme === null || row.scheme === scheme) &&
    row.purpose === use.purpose &&
    row.invoice_id === ('invoiceId' in use ? use.invoiceId : null) &&
    row.session_id === ('sessionId' in use ? use.sessionId : null);
  if (!isTheirs) throw new AppError('entry.notFound');
  if (row.used_at !== null) throw new AppError('entry.used');
  if (row.expires_at <= now) throw new AppError('entry.expired');
  // What was posted is a one-time token: nobody needs it after its use.
  await tx.execute(sql`update payment_entry set used_at = ${now}, input_sealed = null where id = ${row.id}`);
  const state = z.parse(stateSchema, JSON.parse(secrets.open(row.gateway_state_sealed, row.id)));
  if (row.input_sealed === null) return { state };
  return { state, ...z.parse(inputSchema, JSON.parse(secrets.open(row.input_sealed, row.id))) };
}
