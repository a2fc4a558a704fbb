import { describe, expect, it } from 'vitest';
import {
  chosenPart,
  chosenTimeframe,
  daysOf,
  filterOf,
  isNarrowed,
  onService,
  orderOf,
  pageSizeOf,
  timeframes,
  type UsageChoice,
  unknownThings,
} from './usage-filter.ts';

const id = (last: number) => `018cc251-f400-7000-a1e3-${String(last).padStart(12, '0')}`;

describe('the timeframe', () => {
  it('has four presets and free dates; anything else is the last 30 days', () => {
    expect(timeframes).toEqual(['thisMonth', 'lastMonth', 'last7Days', 'last30Days', 'dates']);
    for (const timeframe of [undefined, '', 'x', 'THISMONTH'])
      expect(chosenTimeframe({ timeframe })).toBe('last30Days');
  });

  // Offsets move the reader's day, never the day of UTC.
  it.each([
    ['thisMonth', '2026-03-01T00:30:00+02:00', '2026-02-01', '2026-02-28'],
    ['thisMonth', '2026-02-28T23:30:00-05:00', '2026-03-01', '2026-03-31'],
    ['thisMonth', '2024-02-29T12:00:00Z', '2024-02-01', '2024-02-29'],
    ['lastMonth', '2026-01-01T00:00:00Z', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2026-01-01T00:00:00+13:00', '2025-11-01', '2025-11-30'],
    ['lastMonth', '2026-03-31T23:59:59Z', '2026-02-01', '2026-02-28'],
    ['last7Days', '2026-01-03T23:59:59.999Z', '2025-12-28', '2026-01-03'],
    ['last7Days', '2026-01-03T23:00:00-01:00', '2025-12-29', '2026-01-04'],
    ['last30Days', '2024-03-01T05:00:00Z', '2024-02-01', '2024-03-01'],
    ['last30Days', '2026-01-01T00:00:00Z', '2025-12-03', '2026-01-01'],
  ])(
    '%s at %s is %s to %s [portal.usage.control.preset.{this-month,last-month,last-7-days,last-30-days}, portal.usage.presets-utc]',
    (timeframe, now, start, end) => {
      expect(daysOf({ timeframe }, new Date(now))).toEqual({ start, end });
    },
  );

  it('takes any days, and says what is wrong with them', () => {
    const read = (from?: string, to?: string) => daysOf({ timeframe: 'dates', from, to }, new Date());
    expect(read('2026-02-01', '2026-02-01')).toEqual({ start: '2026-02-01', end: '2026-02-01' });
    expect(read('2026-02-01')).toEqual([{ field: 'to', kind: 'missing' }]);
    expect(read('2026-02-30', '2026-03-01')).toEqual([{ field: 'from', kind: 'missing' }]);
    expect(read('2026-02-02', '2026-02-01')).toEqual([{ field: 'to', kind: 'reversed' }]);
  });
});

describe('what was chosen in the chart', () => {
  const range = { start: '2026-01-15', end: '2026-03-10' } as never;
  it.each([
    ['2026-02-03', { start: '2026-02-03', end: '2026-02-03' }],
    ['2026-02', { start: '2026-02-01', end: '2026-02-28' }],
    ['2026-01', { start: '2026-01-15', end: '2026-01-31' }],
    ['2026-03', { start: '2026-03-01', end: '2026-03-10' }],
    ['2026-01-14', undefined],
    ['2026-04', undefined],
    ['2026-13', undefined],
    ['0000-01', undefined],
    ['2026-02-30', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('%s', (only, part) => {
    expect(chosenPart({ only }, range)).toEqual(part);
  });
});

describe('the filter of the calls', () => {
  const range = { start: '2026-02-01', end: '2026-02-28' } as never;
  it('names only what is chosen; missing means all', () => {
    const days = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };
    expect(filterOf({}, null, range)).toEqual(days);
    const choice = { agreement: id(1), connection: id(2), type: id(3), number: ' +44 ' };
    expect(filterOf(choice, id(4), range)).toEqual({
      ...days,
      agreement: id(1),
      serviceItem: id(2),
      recordType: id(3),
      number: '+44',
      service: id(4),
    });
    expect(filterOf({ number: '  ' }, null, range)).toEqual(days);
    expect(filterOf({ number: '1'.repeat(300) }, null, range).number).toHaveLength(100);
  });
  it('is narrowed by anything but timeframe and service', () => {
    expect(isNarrowed({ timeframe: 'lastMonth', service: id(1), only: '2026-02' })).toBe(false);
    for (const name of ['agreement', 'connection', 'type', 'number'])
      expect(isNarrowed({ [name]: 'x' })).toBe(true);
  });
});

it('another service takes type and connection back to all, and leaves the rest [portal.usage.service-resets-type, portal.usage.service-resets-connection]', () => {
  const before: UsageChoice = {
    agreement: id(1),
    service: id(2),
    connection: id(3),
    type: id(4),
    number: '1',
  };
  expect({ ...before, ...onService(id(5)) }).toEqual({ agreement: id(1), service: id(5), number: '1' });
});

describe('what the URL names and is not there', () => {
  const known = {
    service: [{ id: id(1) }],
    agreement: [{ id: id(2) }],
    connection: undefined,
    type: [],
  };
  it('is said by name', () => {
    expect(unknownThings({ service: id(1), agreement: id(2) }, known)).toEqual([]);
    expect(unknownThings({ service: id(9), agreement: id(9), type: id(9) }, known)).toEqual([
      'service',
      'agreement',
      'type',
    ]);
  });
  it('waits for the list, unless it cannot be an id at all', () => {
    expect(unknownThings({ connection: id(9) }, known)).toEqual([]);
    expect(unknownThings({ connection: "1' or 1=1" }, known)).toEqual(['connection']);
  });
  it('nothing and all are known', () => {
    expect(unknownThings({ service: 'all', connection: '', type: undefined }, known)).toEqual([]);
  });
});

describe('order', () => {
  const shown = { hasCostCentre: true };
  it('is the newest first, until a column is chosen', () => {
    const newest = { order: 'date', orderDirection: 'desc' };
    expect(orderOf(null, shown)).toEqual(newest);
    expect(orderOf({ column: 'price', direction: 'asc' }, shown)).toEqual({
      order: 'price',
      orderDirection: 'asc',
    });
    expect(orderOf({ column: 'row', direction: 'asc' }, shown)).toEqual(newest);
    expect(orderOf({ column: 'costCentre', direction: 'asc' }, { hasCostCentre: false })).toEqual(newest);
  });
});

it('a page has the rows the URL says, else those the person likes, else 100', () => {
  expect([pageSizeOf(25, 50), pageSizeOf(undefined, 50), pageSizeOf(undefined, undefined)]).toEqual([
    25, 50, 100,
  ]);
  expect([pageSizeOf(7, 50), pageSizeOf(1000, '25'), pageSizeOf(undefined, {})]).toEqual([50, 100, 100]);
});
