import { money } from '@counterfoil/domain/money/money.ts';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Database, DatabaseUnavailable } from '../../../src/db/database.ts';
import type { BulkPayDeps } from '../../../src/features/bulk-pay/service.ts';
import { randomFrom } from '../seeded.ts';
import { alive, type VirtualTime } from './virtual-time.ts';

/** Everything one simulated market has in common: its time, its chance, its database and what was counted. */
export interface Market {
  readonly time: VirtualTime;
  readonly trouble: Trouble;
  /** The same database, which never fails: for what the simulation itself does. */
  readonly steady: Database;
  /** For its own reading. */
  readonly pool: pg.Pool;
  readonly deps: BulkPayDeps;
  readonly log: Logger;
  readonly resellerId: number;
  readonly accountId: string;
  /** What payers were told of an attempt. */
  readonly told: Map<string, Set<string>>;
  /** How much payers were told that an attempt has taken, minor units. */
  readonly sumsTold: Map<string, Set<bigint>>;
  /** What must never happen and did. */
  readonly violations: string[];
}

/** Chance, seeded; faults can be switched off while everything settles. */
export class Trouble {
  readonly counts: Record<string, number> = {};
  isOn = true;
  readonly random: () => number;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Whether a fault happens now; counted by its name. */
  strikes(fault: string, of: number): boolean {
    if (!this.isOn || this.random() >= of) return false;
    this.count(`fault: ${fault}`);
    return true;
  }

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.random() * all.length)];
  }

  /** A UUID of this chance, so that the order of rows is the same for the same seed. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

export const USD = (minor: bigint) => money(minor, 'USD');

/**
 * The database as processes meet it: sometimes it does not answer, before a transaction or after its commit; sometimes
 * the process dies there, or stands still.
 */
export function fragile(db: Database, time: VirtualTime, trouble: Trouble): Database {
  const read = <T>(work: () => Promise<T>): Promise<T> => {
    const wait = alive();
    if (wait !== undefined) return wait as Promise<T>;
    if (trouble.strikes('a read fails', 0.001)) return Promise.reject(new DatabaseUnavailable('no answer'));
    return work();
  };
  const face: Pick<Database, 'many' | 'maybeOne' | 'one' | 'execute' | 'transaction'> = {
    many: (query) => read(() => db.many(query)),
    maybeOne: (query) => read(() => db.maybeOne(query)),
    one: (query) => read(() => db.one(query)),
    execute: (query) => face.transaction((tx) => tx.execute(query)),
    async transaction(work, options) {
      await alive();
      // Whoever comes between two transactions comes here.
      await time.sleep(trouble.between(0, 40));
      await alive();
      if (trouble.strikes('a transaction fails before it begins', 0.006))
        throw new DatabaseUnavailable('no answer');
      const result = await db.transaction(work, options);
      await alive();
      if (trouble.strikes('a process dies after a commit', 0.004)) return time.bury();
      if (trouble.strikes('a commit is not answered', 0.006)) throw new DatabaseUnavailable('no answer');
      return result;
    },
  };
  return face as Database;
}
