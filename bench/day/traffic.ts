import { setTimeout as sleep } from 'node:timers/promises';
import { Caller, Refused } from './caller.ts';
import { openBooks } from './programs.ts';
import type { DayServer } from './server.ts';
import { openDesk, type Visit } from './visitors.ts';

/** What goes on all day, until it is stopped. */
export interface Traffic {
  /** Calls that were answered so far. */
  calls(): number;
  /** Payments that were taken so far. */
  payments(): number;
  /** Visits that ended because the server had no time; on a machine with other work to do. */
  turnedAway(): number;
  /** Waits until nobody is in the midst of a visit, and lets nobody begin one before `work` is done. */
  quiet<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws {Error} the first that went wrong in a visit */
  stop(): Promise<void>;
}

/** Between two visits of the same kind: with it the traffic is as much whether the machine is busy or not. */
const PAUSE_MS = 400;
/** After the last answer, until what it left to be done is done. */
const SETTLE_MS = 300;

export async function startTraffic(server: DayServer): Promise<Traffic> {
  const caller = new Caller(server.port);
  const desk = openDesk(server, caller);
  const books = await openBooks(server, caller);
  const visits: readonly Visit[] = [
    desk.readPortal,
    desk.readPortal,
    desk.readUsage,
    desk.printPapers,
    desk.makeReport,
    desk.lookAround,
    books.bill,
    books.payLinks,
    books.payAsUser,
    books.readConsole,
  ];
  let isOver = false;
  let failure: unknown;
  let turnedAway = 0;
  let gate: Promise<void> = Promise.resolve();
  const busy = new Set<Promise<void>>();
  const goOn = async (visit: Visit) => {
    while (!isOver && failure === undefined) {
      await gate;
      const one = visit().catch((error: unknown) => {
        if (error instanceof Refused && error.status === 503) turnedAway += 1;
        else failure ??= error;
      });
      busy.add(one);
      await one;
      busy.delete(one);
      await sleep(PAUSE_MS);
    }
  };
  const all = visits.map(goOn);
  return {
    calls: () => caller.count,
    payments: () => books.payments(),
    turnedAway: () => turnedAway,
    async quiet(work) {
      if (failure !== undefined) throw failure;
      const opened = Promise.withResolvers<void>();
      gate = opened.promise;
      try {
        await Promise.all(busy);
        await sleep(SETTLE_MS);
        return await work();
      } finally {
        opened.resolve();
      }
    },
    async stop() {
      isOver = true;
      await Promise.all(all);
      books.close();
      caller.close();
      if (failure !== undefined) throw failure;
    },
  };
}
