import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount, GatewayAccounts } from '../accounts.ts';
import type { EngineDeps } from '../attempts/engine.ts';
import { receiveEvents } from './inbox.ts';

/** Between two polls of one account: an event that no webhook brought is known this much later at most. */
export const POLL_EVERY_MS = 5 * 60_000;
/** Events that are written to the inbox at once, with the cursor behind them. */
const AT_ONCE = 250;
/** New ones of one account in one poll: what is more comes next time, and no other account waits for it. */
const AT_MOST = 5_000;

export interface PollDeps extends Pick<EngineDeps, 'db' | 'clock' | 'secrets' | 'log'> {
  readonly accounts: Pick<GatewayAccounts, 'polled'>;
}

type PolledEvent = GatewayEvent & { readonly cursor: string };

/**
 * Asks each gateway that is to be asked for its events what has happened since the last time, and writes it to the inbox as a
 * webhook's delivery is. The cursor moves once the events before it are written: after a crash some are read again, and each
 * still counts once. An account that cannot be read is tried at its next poll, and delays no other.
 * @param atMost how many that are not read before are read of one account; a batch more at the most
 * @returns how many events were read, by account id; an account that another process has just polled is left out
 */
export async function pollEvents(deps: PollDeps, atMost = AT_MOST): Promise<ReadonlyMap<string, number>> {
  const accounts = await deps.accounts.polled();
  const counts = await Promise.all(
    accounts.map(async (account) => [account.id, await pollAccount(deps, account, atMost)] as const),
  );
  return new Map(counts.flatMap(([id, count]) => (count === undefined ? [] : [[id, count] as const])));
}

async function pollAccount(
  deps: PollDeps,
  account: GatewayAccount,
  atMost: number,
): Promise<number | undefined> {
  const now = deps.clock.now();
  const taken = await deps.db.maybeOne<{ cursor: string | null }>(sql`
    insert into event_cursor as c (gateway_account_id, next_poll_at)
    values (${account.id}, ${new Date(now.getTime() + POLL_EVERY_MS)})
    on conflict (gateway_account_id) do update set next_poll_at = excluded.next_poll_at where c.next_poll_at <= ${now}
    returning cursor`);
  if (taken === undefined) return undefined;
  let count = 0;
  // Some gateways give events before the cursor once more: however many these are, the poll comes past them.
  let fresh = 0;
  try {
    for await (const events of batches(account, taken.cursor ?? undefined)) {
      await receiveEvents(deps, [{ account, trust: 'signed', events }]);
      await moveCursor(deps, account, events.at(-1)?.cursor);
      count += events.length;
      fresh += events.filter(({ cursor }) => cursor !== taken.cursor).length;
      if (fresh >= atMost) break;
    }
  } catch (error) {
    deps.log.error({ err: error, account: account.id }, 'events of a gateway could not be read; asked again');
  }
  return count;
}

async function* batches(account: GatewayAccount, cursor: string | undefined): AsyncGenerator<PolledEvent[]> {
  let batch: PolledEvent[] = [];
  for await (const event of account.gateway.pollEvents?.(cursor) ?? []) {
    batch.push(event);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const moveCursor = (deps: PollDeps, account: GatewayAccount, cursor: string | undefined): Promise<number> =>
  deps.db.execute(sql`
    update event_cursor set cursor = ${cursor ?? null} where gateway_account_id = ${account.id}`);
