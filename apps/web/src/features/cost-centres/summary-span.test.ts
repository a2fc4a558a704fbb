import { dayOf } from '@counterfoil/domain/time/day.ts';
import { expect, it } from 'vitest';
import { chosenSpan, isReversed, monthKey, offeredMonths, spanDays } from './summary-span.ts';

const today = dayOf(2026, 1, 31);

it('offers this month and the twelve before it, over the turn of the year', () => {
  const months = offeredMonths(today).map(monthKey);
  expect(months).toHaveLength(13);
  expect([months[0], months[1], months[12]]).toEqual(['2026-01', '2025-12', '2025-01']);
});

it('begins with the last whole month, and with it answers what nobody understands', () => {
  for (const span of [undefined, 'x', '2026-13', '2026-1'])
    expect(chosenSpan({ span }, today)).toBe('2025-12');
  expect(spanDays({}, today)).toEqual({ start: '2025-12-01', end: '2025-12-31' });
});

it('knows months, the last twelve and any days', () => {
  expect(spanDays({ span: '2024-02' }, today)).toEqual({ start: '2024-02-01', end: '2024-02-29' });
  expect(spanDays({ span: 'year' }, today)).toEqual({ start: '2025-02-01', end: '2026-01-31' });
  const dates = { span: 'dates', from: '2025-03-05', to: '2025-03-05' };
  expect(spanDays(dates, today)).toEqual({ start: '2025-03-05', end: '2025-03-05' });
});

it('asks for nothing while the days are missing, impossible or reversed', () => {
  const span = 'dates';
  expect(spanDays({ span, from: '2025-03-05' }, today)).toBeNull();
  expect(spanDays({ span, from: '2025-02-30', to: '2025-03-05' }, today)).toBeNull();
  const reversed = { span, from: '2025-03-05', to: '2025-03-04' };
  expect([spanDays(reversed, today), isReversed(reversed), isReversed({ span })]).toEqual([
    null,
    true,
    false,
  ]);
});
