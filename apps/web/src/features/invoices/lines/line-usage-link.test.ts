import { expect, it } from 'vitest';
import { usageSearch } from './line-usage-link.tsx';

const line = { dateFrom: '2026-02-01', dateTo: '2026-02-28', serviceItem: '+1 202 555 0137' };
const items = [{ id: 'i-1', serviceId: 's-1', serviceItem: '+1 202 555 0137' }];

it.each([
  ['UTC', '2026-02-01', '2026-02-28'],
  ['America/New_York', '2026-02-01', '2026-03-01'],
  ['Australia/Sydney', '2026-01-31', '2026-02-28'],
])('the days of a line in %s are those of UTC that hold an instant of them', (zone, from, to) => {
  expect(usageSearch(line, zone, items)).toEqual({
    timeframe: 'dates',
    from,
    to,
    service: 's-1',
    connection: 'i-1',
  });
});

it('a line of many items, or of one that is gone, leads to all services', () => {
  const all = { timeframe: 'dates', from: '2026-02-01', to: '2026-02-28', service: 'all' };
  expect(usageSearch({ ...line, serviceItem: '' }, 'UTC', items)).toEqual(all);
  expect(usageSearch(line, 'UTC', [])).toEqual(all);
  expect(usageSearch(line, 'UTC', undefined)).toEqual(all);
});

it('a line without days leads nowhere', () => {
  expect(usageSearch({ ...line, dateTo: null }, 'UTC', items)).toBeUndefined();
});
