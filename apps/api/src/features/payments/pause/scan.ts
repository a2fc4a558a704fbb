import { sql } from '../../../db/sql.ts';
import type { EngineDeps } from '../attempts/engine.ts';
import { endPause, keepPause, type TakenPause, takePause } from './pause.ts';
import { type TakenIn, takeIn } from './take-in.ts';

/** Clocks differ, and what was being sent while the backup was made may be in it or not. */
const MARGIN_MS = 60 * 60_000;
/** A list of thousands takes minutes. */
const LEASE_MS = 30 * 60_000;
const AGAIN_MS = 60_000;
/** What only a person can put right is looked at again: another version of the program may do better. */
const PROBLEM_AGAIN_MS = 60 * 60_000;

/**
 * Scans the gateways of accounts that are paused, one after another: every charge since the backup is taken in, and what is
 * open is due to be looked up. Then payments are on again for that account. Any number of processes may do so at once.
 * @returns how many accounts were scanned whole
 */
export async function scanPaused(deps: EngineDeps): Promise<number> {
  let ended = 0;
  for (;;) {
    const now = deps.clock.now();
    const pause = await takePause(deps.db, now, new Date(now.getTime() + LEASE_MS));
    if (pause === undefined) return ended;
    if (await scanAccount(deps, pause)) ended += 1;
  }
}

async function scanAccount(deps: EngineDeps, pause: TakenPause): Promise<boolean> {
  const { accountId: account } = pause;
  const later = (ms: number, problem: string | null) =>
    keepPause(deps.db, pause, new Date(deps.clock.now().getTime() + ms), problem);
  const opened = await deps.accounts.byId(account);
  const problem =
    opened === undefined
      ? 'its settings cannot be opened'
      : opened.gateway.listCharges === undefined
        ? 'its gateway cannot list charges'
        : undefined;
  if (opened === undefined || problem !== undefined) {
    if (pause.problem !== problem)
      deps.log.error(
        { account },
        `payments stay off after a restored backup until a person decides: ${problem}`,
      );
    await later(PROBLEM_AGAIN_MS, problem ?? null);
    return false;
  }
  await deps.db.execute(sql`
    update attempt set next_lookup_at = ${deps.clock.now()}
     where gateway_account_id = ${account} and is_open and next_lookup_at > ${deps.clock.now()}`);
  const counts: Record<TakenIn, number> = { known: 0, takenIn: 0, person: 0, foreign: 0 };
  try {
    for await (const listed of opened.gateway.listCharges?.(new Date(pause.since.getTime() - MARGIN_MS)) ??
      [])
      counts[await takeIn(deps, opened, listed)] += 1;
  } catch (error) {
    deps.log.error(
      { err: error, account, ...counts },
      'a scan after a restored backup broke off; it is done again',
    );
    await later(AGAIN_MS, null);
    return false;
  }
  const isEnded = (await endPause(deps.db, pause)) > 0;
  if (isEnded)
    deps.log.warn({ account, ...counts }, 'scanned after a restored backup: payments are on again');
  return isEnded;
}
