import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptEvent, AttemptState } from './attempt.ts';
import * as a from './attempt.ts';

/** Written out apart from the table under test; columns in the order of `a.attemptEvents`. */
const expected: Record<AttemptState, string> = {
  sending:
    'succeeded requiresAction pending declined notAttempted unknown absent closed needsReview sending sending',
  requiresAction:
    'succeeded requiresAction pending declined requiresAction requiresAction absent closed requiresAction succeeded absent',
  pending:
    'succeeded pending pending declined pending pending needsReview closed needsReview pending pending',
  unknown:
    'succeeded requiresAction pending declined notAttempted unknown absent closed needsReview succeeded absent',
  needsReview:
    'succeeded needsReview needsReview declined notAttempted needsReview absent closed needsReview succeeded absent',
  succeeded: 'succeeded '.repeat(11),
  declined: 'declined '.repeat(11),
  notAttempted: 'notAttempted '.repeat(11),
  absent: 'absent '.repeat(11),
  closed: 'closed '.repeat(11),
};

const cells = a.attemptStates.flatMap((state) => {
  const row = expected[state].trim().split(' ');
  return a.attemptEvents.map((event, i): [AttemptState, AttemptEvent, string | undefined] => [
    state,
    event,
    row[i],
  ]);
});

describe('transitions', () => {
  it.each(cells)('%s + %s → %s', (state, event, to) => {
    expect(a.nextAttemptState(state, event)).toBe(to);
  });

  it('has no cell beside these', () => {
    expect(cells).toHaveLength(110);
    expect(new Set(Object.keys(a.transitions))).toEqual(new Set(a.attemptStates));
    for (const row of Object.values(a.transitions)) {
      expect(new Set(Object.keys(row))).toEqual(new Set(a.attemptEvents));
    }
  });

  const events = fc.array(fc.constantFrom(...a.attemptEvents), { maxLength: 30 });

  it('never leaves an end and never returns to sending', async () => {
    await fc.assert(
      fc.property(events, (list) => {
        let state: AttemptState = a.firstAttemptState;
        for (const event of list) {
          const to = a.nextAttemptState(state, event);
          if (!a.isOpen(state)) expect(to).toBe(state);
          if (state !== 'sending') expect(to).not.toBe('sending');
          expect(a.nextAttemptState(to, event)).toBe(
            a.isOpen(to) && event === 'absentProven' ? 'absent' : to,
          );
          state = to;
        }
      }),
    );
  });

  it('leaves requiresAction only by evidence, a recorded word or close', () => {
    for (const event of ['unknown', 'notAttempted', 'flagForReview'] as const) {
      expect(a.nextAttemptState('requiresAction', event)).toBe('requiresAction');
    }
  });

  it('believes every open state when money was taken', () => {
    for (const state of a.openStates) expect(a.nextAttemptState(state, 'succeeded')).toBe('succeeded');
  });

  it('can end every open state', () => {
    for (const state of a.openStates) {
      const ends = a.attemptEvents
        .map((event) => a.nextAttemptState(state, event))
        .filter((to) => !a.isOpen(to));
      expect(ends).not.toEqual([]);
    }
  });
});

it('tells open from closed', () => {
  expect(a.attemptStates.filter(a.isOpen)).toEqual([...a.openStates]);
});

it.each<[AttemptState, string, string]>([
  ['sending', 'processing seconds', 'processing seconds'],
  ['requiresAction', 'requires_action', 'requires_action'],
  ['pending', 'processing seconds', 'processing days'],
  ['unknown', 'processing seconds', 'processing seconds'],
  ['needsReview', 'processing seconds', 'processing seconds'],
  ['succeeded', 'succeeded', 'succeeded'],
  ['declined', 'failed', 'failed'],
  ['notAttempted', 'failed', 'failed'],
  ['absent', 'failed', 'failed'],
  ['closed', 'failed', 'failed'],
])('%s is told as "%s" at once and "%s" later', (state, atOnce, later) => {
  const told = (settles: 'atOnce' | 'later') => Object.values(a.publicStatusOf(state, settles)).join(' ');
  expect([told('atOnce'), told('later')]).toEqual([atOnce, later]);
});
