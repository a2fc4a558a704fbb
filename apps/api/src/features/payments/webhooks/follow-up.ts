import { whyUnavailable } from '../../../db/database.ts';
import { CallSlots } from '../../../limits/call-slots.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { EVENT_WAITS_MS } from '../attempts/schedule.ts';
import { type FollowUpDeps, followUpEvent, type Waits } from './follow-up-event.ts';
import {
  accountsWithEvents,
  endEvent,
  mayBecomeKnown,
  openEvent,
  postponeEvent,
  type TakenEvent,
  takeEvent,
} from './inbox.ts';

/** Workers of one gateway account. */
const AT_ONCE = 8;
/** Calls that a process holds for events, beside those of the reconciler: neither starves the other. */
const SLOTS = { all: 32, slow: 16, each: AT_ONCE };
const FIRST_PAUSE_MS = 2_000;
const MOST_PAUSE_MS = 15 * 60_000;
/** A charge is known in this time, unless its gateway does not answer. */
const KNOWN_WITHIN_MS = 15 * 60_000;
/** A process that must stop has less than ten seconds. */
const STOP_WITHIN_MS = 5_000;

interface Totals {
  /** Events that were tried. */
  readonly tried: number;
  /** Of these, how many are not waiting any more. */
  readonly ended: number;
}

/** What a process does about the events in the inbox, for as long as it lives. */
export interface EventFollower {
  /** Starts to follow what has just been received, by account id. Waits for none of it. */
  begin(due: ReadonlyMap<string, number>): void;
  /** Starts with every account that has something due. Waits for none of them. */
  round(): Promise<void>;
  /** Resolves when nothing that was started is under way. @returns what was done so far */
  idle(): Promise<Totals>;
  /** Starts nothing more; resolves when what was started has ended, or soon: what breaks off is taken again after its lease. */
  stop(): Promise<void>;
}

interface Lane {
  workers: number;
  /** How often `begin` was called: a worker that found nothing looks again where more has come meanwhile. */
  calls: number;
}

/**
 * Follows up events, each by itself and each gateway account by itself: one that cannot be followed, or a gateway that hangs,
 * holds up no other. Any number of processes may do so at once.
 */
export function eventFollower(deps: FollowUpDeps): EventFollower {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const slots = new CallSlots(() => deps.clock.now().getTime(), SLOTS);
  const totals = { tried: 0, ended: 0 };
  let isStopping = false;
  let stopped: Promise<void> | undefined;

  /** @returns whether there may be more */
  async function next(accountId: string): Promise<boolean> {
    if (isStopping) return false;
    const event = await takeEvent(deps, accountId);
    if (event === undefined) return false;
    totals.tried += 1;
    const hasEnded = await followTaken(deps, event).catch(comesRound(accountId));
    if (hasEnded) totals.ended += 1;
    return true;
  }

  const comesRound = (account: string) => (error: unknown) => {
    deps.log.error({ err: error, account }, 'events could not be followed up; they come round again');
    return false;
  };

  async function work(accountId: string, lane: Lane): Promise<void> {
    for (;;) {
      const { calls } = lane;
      const hasMore = await slots.run(accountId, () => next(accountId)).catch(comesRound(accountId));
      if (isStopping || (!hasMore && calls === lane.calls)) break;
    }
    lane.workers -= 1;
    if (lane.workers === 0) lanes.delete(accountId);
  }

  function begin(due: ReadonlyMap<string, number>): void {
    for (const [accountId, count] of due) {
      const lane = lanes.get(accountId) ?? { workers: 0, calls: 0 };
      lane.calls += 1;
      const more = isStopping ? 0 : Math.min(count, AT_ONCE - lane.workers);
      for (let n = 0; n < more; n += 1) {
        lanes.set(accountId, lane);
        lane.workers += 1;
        const worker = work(accountId, lane).finally(() => running.delete(worker));
        running.add(worker);
      }
    }
  }

  async function idle(): Promise<Totals> {
    while (running.size > 0) await Promise.all(running);
    return { ...totals };
  }

  return {
    begin,
    idle,
    async round() {
      const accounts = await accountsWithEvents(deps.db, deps.clock.now());
      begin(new Map(accounts.map(({ id, due }) => [id, due])));
    },
    stop() {
      isStopping = true;
      stopped ??= withTimeout(
        STOP_WITHIN_MS,
        idle().then(() => undefined),
        undefined,
      );
      return stopped;
    },
  };
}

/** Follows up what is due now, once. @returns how many events were tried, and how many of them wait no more */
export async function followUpEvents(deps: FollowUpDeps): Promise<Totals> {
  const follower = eventFollower(deps);
  await follower.round();
  return follower.idle();
}

/** @returns whether it waits no more */
async function followTaken(deps: FollowUpDeps, taken: TakenEvent): Promise<boolean> {
  const now = deps.clock.now().getTime();
  const mayWait = now - taken.receivedAt.getTime() < EVENT_WAITS_MS;
  const fields = { account: taken.accountId, event: taken.key, tries: taken.tries };
  let outcome: string | Waits;
  let isOurs = true;
  try {
    outcome = await follow(deps, taken, mayWait);
  } catch (error) {
    deps.log.error({ err: error, ...fields }, 'following up an event broke off');
    outcome = { waits: 'following it up breaks off' };
    isOurs = whyUnavailable(error) === undefined;
  }
  if (typeof outcome !== 'string') {
    if (!isOurs || (mayWait && (await isWorthWaiting(deps, taken, outcome, now)))) {
      const nextTryAt = new Date(deps.clock.now().getTime() + pauseAfter(taken.tries));
      await postponeEvent(deps, taken, { nextTryAt, problem: outcome.waits });
      return false;
    }
    const { waits: problem, otherwise, ...more } = outcome;
    if (otherwise === undefined)
      deps.log.error({ ...fields, ...more }, `an event of a gateway needs a person: ${problem}`);
    outcome = otherwise ?? `person: ${problem}`;
  }
  await endEvent(deps, taken, outcome);
  return true;
}

async function follow(deps: FollowUpDeps, taken: TakenEvent, mayWait: boolean): Promise<string | Waits> {
  const account = await deps.accounts.byId(taken.accountId);
  if (account === undefined) return { waits: 'the gateway account cannot be opened' };
  return followUpEvent(deps, { account, trust: taken.trust }, openEvent(deps, taken), mayWait);
}

/** Of what may be somebody else's, such as a payment by another program, it is enough to be sure that it is not ours. */
const isWorthWaiting = async (deps: FollowUpDeps, taken: TakenEvent, { otherwise }: Waits, nowMs: number) =>
  otherwise === undefined ||
  nowMs - taken.receivedAt.getTime() < KNOWN_WITHIN_MS ||
  mayBecomeKnown(deps, taken);

/** Between two tries of an event, milliseconds: 2 s at first, then twice as long each time, up to 15 min. */
const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20), MOST_PAUSE_MS);
