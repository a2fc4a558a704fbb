import { money } from '@counterfoil/domain/money/money.ts';
import type { Charge, LookupResult } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import pino from 'pino';
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts';
import { useFixture } from '../fixtures/test-fixture.ts';
import { PROVES, randomFrom, SEED } from './seeded.ts';

export { randomFrom, SEED } from './seeded.ts';

export const PAYMENTS = PROVES ? 50_000 : 200;
export const LANES = 12;
export const ABSENT_AFTER_MS = 120_000;
const strategy = {
  by: 'ref',
  mayCharge: false,
  savedMethodOnly: false,
  firstMs: 0,
  visibleMs: 0,
  validMs: 'unknown',
  maxAttempts: 'any',
  pause: { firstMs: 0, factor: 1, mostMs: 0 },
  absenceProvenMs: ABSENT_AFTER_MS,
} as const;
export const faults: string[] = [];
const log = pino({ level: 'error' }, { write: (line) => void faults.push(line) });
export const fixture = useFixture({
  log,
  callWithinMs: 5_000,
  strategies: [strategy, { ...strategy, by: 'replay', mayCharge: true, validMs: 24 * 3_600_000 }],
});

export const counts: Record<string, number> = {};
export const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};

export interface AtGateway {
  state: 'taken' | 'challenge' | 'declined' | 'closed';
  readonly minor: bigint;
}

/** The gateway's own book: one entry per reference, whatever is sent how often. */
export const book = new Map<string, AtGateway>();
/** Requests on the way: carried out later, within a minute of their sending. */
export const onTheWay: { due: number; run: () => void }[] = [];
export const told = new Map<string, Set<string>>();
/** Seeded, and switched off while everything settles. */
export const trouble = { random: randomFrom(SEED), isOn: true };
export const chance = (of: number) => trouble.isOn && trouble.random() < of;

export function carryOut(charge: Charge): void {
  if (book.has(charge.ref)) return;
  const roll = trouble.random();
  const state = roll < 0.12 ? 'declined' : roll < 0.24 ? 'challenge' : 'taken';
  book.set(charge.ref, { state, minor: charge.amount.minor });
}

export function truth(charge: Charge): LookupResult {
  const known = book.get(charge.ref);
  const remote = remoteId(`r_${charge.ref}`);
  switch (known?.state) {
    case 'taken':
      return { is: 'succeeded', remote, captured: money(known.minor, charge.amount.currency), state: {} };
    case 'challenge':
      return {
        is: 'requiresAction',
        action: { do: 'redirect', to: 'https://bank.example/' },
        remote,
        state: {},
      };
    case 'declined':
      return { is: 'declined', why: { class: 'otherMethod', code: 'no', text: 'Your card was declined' } };
    case 'closed':
      return { is: 'closed' };
    default: {
      const sinceLast = fixture.clock.now().getTime() - charge.lastSentAt.getTime();
      return { is: 'absent', proven: sinceLast >= ABSENT_AFTER_MS };
    }
  }
}

export const unknown = { is: 'unknown', evidence: 'cut' } as const;

export function send(charge: Charge): LookupResult {
  if (chance(0.08)) return unknown;
  if (chance(0.06)) {
    onTheWay.push({
      due: fixture.clock.now().getTime() + trouble.random() * 60_000,
      run: () => carryOut(charge),
    });
    return unknown;
  }
  carryOut(charge);
  return chance(0.12) ? unknown : truth(charge);
}

export function script(): void {
  const { gateway } = fixture;
  gateway.onCharge = async (charge, saveState) => {
    try {
      await saveState({ kept: '1' });
    } catch {
      return { is: 'notAttempted', why: 'unreachable', detail: 'not kept' };
    }
    const found = send(charge);
    return found.is === 'absent' || found.is === 'closed' || found.is === 'inconclusive' ? unknown : found;
  };
  gateway.onLookup = async (charge, by) => {
    if (chance(0.1)) return unknown;
    if (by?.mayCharge === true) return send(charge);
    return chance(0.4) ? { is: 'inconclusive', why: 'not visible yet' } : truth(charge);
  };
  gateway.onCancel = async (charge) => {
    if (chance(0.1)) return unknown;
    const known = book.get(charge.ref);
    if (known?.state === 'challenge') known.state = 'closed';
    return truth(charge);
  };
}

/** A pool whose transactions now and then fail before they begin, or after they were committed. */
export function makeFragile(db: Database): () => void {
  const original = db.transaction.bind(db);
  db.transaction = async (work, options) => {
    if (chance(0.02)) throw new DatabaseUnavailable('no answer');
    const result = await original(work, options);
    if (chance(0.02)) throw new DatabaseUnavailable('no answer');
    return result;
  };
  return () => {
    db.transaction = original;
  };
}

export function pass(ms: number): void {
  fixture.clock.advance(ms);
  const now = fixture.clock.now().getTime();
  for (const request of onTheWay.splice(0)) {
    if (request.due <= now) request.run();
    else onTheWay.push(request);
  }
}

export const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];
