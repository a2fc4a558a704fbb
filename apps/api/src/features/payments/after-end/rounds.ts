import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import type { GatewayAccount } from '../accounts.ts';
import { type AttemptRow, chargeFromRow, openGatewayState } from '../attempts/attempt-row.ts';
import { type EngineDeps, readAttempt } from '../attempts/engine.ts';
import { leaseFrom } from '../attempts/schedule.ts';
import { nextRecheckAt } from './plan.ts';
import { checkReversals } from './reversal-check.ts';
import { accountsWithTasks, putBack, type TakenTask, takeTask } from './tasks.ts';

/** Of one account in one round; what is more comes in the next. */
const AT_MOST = 200;
const FIRST_PAUSE_MS = 60_000;
const MOST_PAUSE_MS = 6 * 60 * 60_000;
/** About two days of trying. */
const MOST_TRIES = 16;

/** What a process does about ended attempts, for as long as it lives. */
export interface AfterEndRounds {
  /** Starts with every account that has something due and is not still at it. Waits for none of them. */
  round(): Promise<void>;
  /** Resolves when nothing that was started is under way. @returns how many tasks were tried so far */
  idle(): Promise<number>;
  /** Starts nothing more; resolves when what was started has ended. */
  stop(): Promise<void>;
}

/**
 * Does what is to be done after the end of attempts: each gateway account by itself, one call after another. It delays no
 * payment and changes none: what it finds out is booked as reversals. Any number of processes may do so at once.
 */
export function afterEndRounds(deps: EngineDeps): AfterEndRounds {
  const lanes = new Map<string, Promise<void>>();
  let tried = 0;
  let isStopping = false;

  async function work(accountId: string): Promise<void> {
    const account = await deps.accounts.byId(accountId);
    for (let n = 0; n < AT_MOST && !isStopping; n += 1) {
      const now = deps.clock.now();
      const task = await takeTask(
        deps.db,
        accountId,
        now,
        leaseFrom(now, account?.gateway.capabilities.answerWithinMs),
      );
      if (task === undefined) return;
      tried += 1;
      await perform(deps, account, task);
    }
  }

  return {
    async round() {
      for (const { id } of await accountsWithTasks(deps.db, deps.clock.now())) {
        if (lanes.has(id) || isStopping) continue;
        const lane = work(id)
          .catch((error: unknown) => {
            deps.log.error(
              { err: error, account: id },
              'work on ended payments broke off; it comes round again',
            );
          })
          .finally(() => lanes.delete(id));
        lanes.set(id, lane);
      }
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values());
      return tried;
    },
    async stop() {
      isStopping = true;
      await Promise.all(lanes.values());
    },
  };
}

/** Does what is due now, once. @returns how many tasks were tried */
export async function doAfterEnd(deps: EngineDeps): Promise<number> {
  const rounds = afterEndRounds(deps);
  await rounds.round();
  return rounds.idle();
}

async function perform(
  deps: EngineDeps,
  account: GatewayAccount | undefined,
  task: TakenTask,
): Promise<void> {
  const attempt = await readAttempt(deps, task);
  const isDone =
    account !== undefined &&
    attempt !== undefined &&
    !isOpen(attempt.state) &&
    (task.task === 'cleanUp'
      ? await cleanUp(deps, account, attempt)
      : await checkReversals(deps, account, attempt));
  const now = deps.clock.now();
  const recheckAt =
    task.task === 'recheck' ? nextRecheckAt(attempt?.after_end ?? null, task.endedAt, now) : null;
  if (isDone) return void (await putBack(deps.db, task, recheckAt, true));
  if (task.tries >= MOST_TRIES) {
    deps.log.error(
      { attempt: task.attemptId, account: task.accountId, task: task.task, tries: task.tries },
      task.task === 'cleanUp'
        ? 'what was made at a gateway for one payment could not be removed there; it is given up'
        : 'what became of a payment cannot be asked for: look at its gateway',
    );
    return void (await putBack(deps.db, task, recheckAt, true));
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (task.tries - 1), MOST_PAUSE_MS);
  await putBack(deps.db, task, new Date(now.getTime() + pauseMs), false);
}

async function cleanUp(deps: EngineDeps, { gateway }: GatewayAccount, attempt: AttemptRow): Promise<boolean> {
  const state = openGatewayState(attempt.gateway_state_sealed, attempt.id, deps.secrets) ?? {};
  try {
    await gateway.cleanUp?.(chargeFromRow(attempt, deps.secrets), state);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, attempt: attempt.id }, 'a gateway could not clean up after a payment');
    return false;
  }
}
