import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { reconcile } from '../../src/features/payments/attempts/reconcile.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import type { SandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';

/** What every run with faults does afterwards: let time pass, and compare the sandbox's journal with the books. */
export interface FaultRun {
  readonly counts: Record<string, number>;
  count(what: string, by?: number): void;
  rows<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** What somebody was told of an attempt; of one that went through also how much, in units of the currency. */
  heard(attemptId: string, status: string, amount?: number): void;
  /** Lets time pass as it would: the schedule's own rounds first, then its long waits. */
  untilEnded(): Promise<void>;
  /**
   * No attempt is open, every rule of the books holds, no event was left to a person, each charge of the journal is exactly
   * one payment, and nobody was told another sum than was taken.
   */
  judge(): Promise<void>;
}

export function faultRun(sandbox: SandboxFixture): FaultRun {
  const told = new Map<string, Set<string>>();
  const sums = new Map<string, Set<number>>();
  const counts: Record<string, number> = {};
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await sandbox.fixture.database.pool().query(text, values)).rows as T[];

  return {
    counts,
    count,
    rows,
    heard(attemptId, status, amount) {
      told.set(attemptId, (told.get(attemptId) ?? new Set()).add(status));
      if (status === 'succeeded' && amount !== undefined)
        sums.set(attemptId, (sums.get(attemptId) ?? new Set()).add(Math.round(amount * 100)));
    },
    async untilEnded() {
      const steps = [
        ...Array<number>(14).fill(5_000),
        ...Array<number>(6).fill(2 * 60_000),
        ...Array<number>(16).fill(5 * 60_000),
      ];
      for (const step of steps) {
        if ((await rows('select 1 from attempt where is_open')).length === 0) return;
        // What the sandbox carries out late takes real time.
        if (step === 5_000) await sleep(50);
        await sandbox.advance(step);
        await reconcile(sandbox.fixture.engine);
        count('reconciled');
      }
    },
    async judge() {
      expect(await rows('select ref, state from attempt where is_open')).toEqual([]);
      expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
      expect(await rows("select event_key, outcome from inbox where outcome like 'person: %'")).toEqual([]);
      const journal = await sandbox.charges();
      const captures = await rows<{ line: string; attempt_id: string; minor: number; asked: number }>(
        `select c.remote || ' ' || c.amount_minor as line, a.id as attempt_id, c.amount_minor::int as minor,
                a.amount_minor::int as asked from capture c
           join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id`,
      );
      const inBooks = new Set(captures.map((row) => row.line));
      expect(inBooks).toEqual(new Set(journal.map((one) => `${one.remote} ${one.minor}`)));
      expect(captures).toHaveLength(journal.length);
      for (const { attempt_id } of captures)
        expect(told.get(attempt_id) ?? new Set()).not.toContain('failed');
      for (const { attempt_id, minor } of captures)
        expect([...(sums.get(attempt_id) ?? [minor])]).toEqual([minor]);
      // What was acknowledged is still there.
      const written = new Set((await rows<{ id: string }>('select id from attempt')).map(({ id }) => id));
      const paid = new Set(captures.map((row) => row.attempt_id));
      for (const [attemptId, statuses] of told) {
        expect(written).toContain(attemptId);
        if (statuses.has('succeeded')) expect(paid).toContain(attemptId);
      }
      Object.assign(counts, { charges: journal.length, captures: captures.length });
      counts['part captured'] = captures.filter(({ minor, asked }) => minor < asked).length;
      counts['sums told'] = sums.size;
    },
  };
}
