import type { BackgroundRound } from '@counterfoil/contract/operator/running/installation.ts';
import type { RoundRow } from './queries.ts';

/** Beside its own pause: what is said of a round is as old as this. */
const SAID_WITHIN_MS = 60_000;

/** Whether a round goes well, as a person would say. */
export function stateOfRound(row: RoundRow, now: Date): BackgroundRound['state'] {
  const { ok_at: ok, failed_at: failed, every_ms: pause } = row;
  if (failed !== null && failed.getTime() > (ok?.getTime() ?? 0)) return 'failing';
  if (ok === null) return 'never';
  return now.getTime() - ok.getTime() > 3 * pause + SAID_WITHIN_MS ? 'overdue' : 'ok';
}

export function presentRound(row: RoundRow, now: Date): BackgroundRound {
  const state = stateOfRound(row, now);
  const last = Math.max(row.ok_at?.getTime() ?? 0, row.failed_at?.getTime() ?? 0);
  return {
    name: row.name,
    everySeconds: row.every_ms / 1_000,
    state,
    lastOkAt: row.ok_at?.toISOString() ?? null,
    lastFailedAt: row.failed_at?.toISOString() ?? null,
    nextAt: last === 0 || state === 'overdue' ? null : new Date(last + row.every_ms).toISOString(),
    problem: state === 'failing' ? row.problem : null,
    isWanted: row.wanted_at !== null,
  };
}
