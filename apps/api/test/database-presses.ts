import { closedStates } from '@counterfoil/domain/attempt.ts';
import { expect } from 'vitest';
import { DatabaseUnavailable } from '../src/db/database.ts';
import type { FaultRun } from './fault-runs.ts';
import { cards } from './gateway-faults.ts';
import type { OperationsFixture, Ready } from './operations-fixture.ts';
import type { JournalCharge } from './sandbox-fixture.ts';

/** Pressed in each round. */
export const OPERATIONS = [
  'public',
  'public',
  'public',
  'bulk',
  'bulk',
  'bulk, new card',
  'auto-pay',
  'refund',
] as const;
type Operation = (typeof OPERATIONS)[number];

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly data?: { status: string; attemptId: string }; readonly message?: string };
}

/** What is pressed, and by whom: each operation again and again with the same content. */
export interface Pressing {
  readonly operation: Operation;
  readonly ready: Ready;
  /** @returns whether it was refused because the database is away */
  press(): Promise<boolean>;
}

export interface DatabasePresses {
  prepare(operation: Operation): Promise<Pressing>;
  /** Each refund was ordered once, and who ordered it was told no lie. */
  compareRefunds(journal: readonly JournalCharge[]): Promise<void>;
}

/** How each operation is pressed while the database is in trouble, and what it may be told then. */
export function databasePresses(
  operations: OperationsFixture,
  run: FaultRun,
  server: {
    ask(path: string, init: RequestInit): Promise<Answer>;
    waited(ms: number): void;
  },
): DatabasePresses {
  const refundTold = new Map<string, Set<string>>();

  /** @returns whether the database was away */
  async function pressRequest(operation: Operation, { request }: Ready): Promise<boolean> {
    if (request === undefined) throw new Error('there is nothing to ask');
    const { status, retryAfter, body } = await server.ask(request.path, {
      method: 'POST',
      body: JSON.stringify(request.body),
      headers: { 'content-type': 'application/json', ...request.headers },
    });
    run.count(`${operation}: ${status}${body.data === undefined ? '' : ` ${body.data.status}`}`);
    // 409: it is paid already, or being paid.
    expect([200, 409, 503], JSON.stringify(body)).toContain(status);
    if (body.data !== undefined) run.heard(body.data.attemptId, body.data.status);
    if (status !== 503) return false;
    expect(body.message).toBe('Our server returned error, try again later');
    expect(Number(retryAfter)).toBeGreaterThan(0);
    return true;
  }
  /** What has no page: the command ends with the reason, the round is logged and comes again. */
  async function pressInside(operation: Operation, press: () => Promise<void>): Promise<boolean> {
    const begun = performance.now();
    const isAway = await press().then(
      () => false,
      (error: unknown) => {
        expect(error).toBeInstanceOf(DatabaseUnavailable);
        return true;
      },
    );
    server.waited(performance.now() - begun);
    run.count(`${operation}: ${isAway ? 'refused' : 'done'}`);
    return isAway;
  }

  async function prepare(operation: Operation): Promise<Pressing> {
    switch (operation) {
      case 'auto-pay': {
        const ready = await operations.autoPay(cards.good, 'later');
        await run.rows('update autopay_plan set charge_on = charge_on - 3 where customer_id = $1', [
          ready.customerId,
        ]);
        return {
          operation,
          ready,
          press: () => pressInside(operation, async () => void (await ready.press())),
        };
      }
      case 'refund': {
        const ready = await operations.refund();
        const press = async () => {
          const state = String(await ready.press());
          refundTold.set(ready.captureId, (refundTold.get(ready.captureId) ?? new Set()).add(state));
        };
        return { operation, ready, press: () => pressInside(operation, press) };
      }
      default: {
        const make = {
          public: () => operations.publicPay(cards.good),
          bulk: () => operations.bulkSaved(cards.good),
          'bulk, new card': () => operations.bulkToken(cards.good),
        };
        const ready = await make[operation]();
        return { operation, ready, press: () => pressRequest(operation, ready) };
      }
    }
  }

  return {
    prepare,
    async compareRefunds(journal) {
      for (const [captureId, states] of refundTold) {
        const refunds = await run.rows<{ remote: string; reversed: number; state: string }>(
          `select c.remote, c.reversed_minor::int as reversed, a.state from capture c
           join attempt a on a.customer_id = c.customer_id and a.of_capture_id = c.id where c.id = $1`,
          [captureId],
        );
        const [refund] = refunds;
        const sent = journal.find(({ remote }) => remote === refund?.remote)?.refundedMinor ?? 0;
        expect(refunds).toEqual([expect.objectContaining({ reversed: sent })]);
        const stays = (state: string) => (closedStates as readonly string[]).includes(state);
        expect(stays(refund?.state ?? '')).toBe(true);
        expect(refund?.state === 'succeeded').toBe(sent > 0);
        // Whatever was said to be final is what it is.
        for (const state of states) if (stays(state)) expect(state).toBe(refund?.state);
      }
      const refunded = journal.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0);
      const [booked] = await run.rows<{ n: number }>(
        'select coalesce(sum(reversed_minor), 0)::int as n from capture',
      );
      expect(booked?.n).toBe(refunded);
    },
  };
}
