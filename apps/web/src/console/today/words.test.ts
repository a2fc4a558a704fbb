import type { Need } from '@counterfoil/contract/operator/running/today.ts';
import { expect, it } from 'vitest';
import { ageOf, ageOfNeed, whatOf, whyOf } from './words.ts';

const MINUTE = 60_000;

it.each([
  [-1, '0 min'],
  [59 * MINUTE, '59 min'],
  [185 * MINUTE, '3 h 5 min'],
  [47 * 60 * MINUTE, '47 h 0 min'],
  [48 * 60 * MINUTE, '2 days'],
])('%i ms is %s', (ms, words) => {
  expect(ageOf(ms)).toBe(words);
});

const need = (over: Partial<Need>): Need => ({
  state: '',
  kind: 'paymentInReview',
  id: '1',
  title: 'Harbour Office',
  about: 'INV-7',
  reason: null,
  amount: null,
  currency: null,
  count: 1,
  at: '2026-03-01T10:00:00Z',
  path: '/admin/x',
  ...over,
});

it('a key runs out in so long, everything else waits since', () => {
  const now = Date.parse('2026-03-01T11:00:00Z');
  expect(ageOfNeed(need({}), now)).toBe('1 h 0 min');
  expect(ageOfNeed(need({ at: '2026-03-08T12:00:00Z' }), now)).toBe('in 7 days');
});

it.each([
  [{}, 'Harbour Office · INV-7', 'No look-up can tell what became of it'],
  [
    { kind: 'quarantinedRows', title: 'calls.csv', reason: 'owner', count: 2 },
    '2 rows in calls.csv',
    'customer unknown',
  ],
  [{ kind: 'quarantinedRows', title: 'calls.csv', reason: 'new' }, '1 row in calls.csv', 'not taken in'],
  [{ kind: 'mailsRefused', reason: '550', count: 3 }, '3 mails were not delivered', '550'],
  [
    { kind: 'keyExpires', title: 'erp', about: 'payments:read' },
    'API key erp',
    'What uses it stops then · payments:read',
  ],
  [{ kind: 'jobsFailing', title: 'report', reason: 'it broke' }, '1 job report', 'it broke'],
] as const)('%o is said in words', (over, what, why) => {
  expect([whatOf(need(over)), whyOf(need(over))]).toEqual([what, why]);
});
