import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidValue } from '../result.ts';
import * as d from './dates.ts';

const anyDay = fc.integer({ min: -700_000, max: 2_900_000 }).map((n) => d.dayOfUtcMs(n * 86_400_000));
const day = d.parseDay;

describe('days', () => {
  it.each(['2026-02-28', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('knows %s', (text) => {
    expect(d.parseDay(text)).toBe(text);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
    '٢٠٢٦-٠١-٠١',
  ])('refuses %j', (text) => {
    expect(d.isDay(text)).toBe(false);
    expect(() => d.parseDay(text)).toThrow(InvalidValue);
  });

  it.each([
    [2026, 2, 30],
    [2026, 1.5, 1],
    [Number.NaN, 1, 1],
    [10_000, 1, 1],
  ])('refuses dayOf(%d, %d, %d)', (year, month, dayOfMonth) => {
    expect(() => d.dayOf(year, month, dayOfMonth)).toThrow(InvalidValue);
  });

  it('shows a day as MM.DD.YYYY', () => {
    expect(d.formatDay(d.dayOf(2026, 3, 9))).toBe('03.09.2026');
  });

  it('counts days there and back', async () => {
    await fc.assert(
      fc.property(anyDay, fc.integer({ min: -18_000, max: 18_000 }), (start, n) => {
        const end = d.addDays(start, n);
        expect(d.daysBetween(start, end)).toBe(n);
        expect(d.addDays(end, -n)).toBe(start);
        expect(d.compareDays(start, end)).toBe(Math.sign(-n) || 0);
      }),
    );
  });

  it('does not leave the calendar', () => {
    expect(() => d.addDays(day('9999-12-31'), 1)).toThrow(InvalidValue);
    expect(() => d.addDays(day('0001-01-01'), -1)).toThrow(InvalidValue);
  });
});

describe('periods', () => {
  const march = d.monthPeriod(2026, 3);
  const part = d.periodOf(day('2026-03-02'), day('2026-03-31'));

  it('writes a full month as month and year, anything else as both dates [decisions.5.period-month, decisions.5.period-dates]', () => {
    expect(d.periodText(march)).toBe('March 2026');
    expect(d.periodText(march, 'de-DE')).toBe('März 2026');
    expect(d.periodText(march, 'not a locale')).toBe('March 2026');
    expect(d.periodText(part)).toBe('03.02.2026 – 03.31.2026');
    expect(d.periodText(d.periodOf(day('2026-01-01'), day('2026-02-28')))).toBe('01.01.2026 – 02.28.2026');
  });

  it('names the transactions file [decisions.5.constant.period-month-file, decisions.5.constant.period-dates-file]', () => {
    expect(d.transactionsFileName(march)).toBe('03_2026_Transactions.csv');
    expect(d.transactionsFileName(part)).toBe('2026-03-02_2026-03-31_Transactions.csv');
  });

  it('knows months by their length', async () => {
    expect(d.isFullMonth(d.periodOf(day('2024-02-01'), day('2024-02-28')))).toBe(false);
    expect(d.isFullMonth(d.periodOf(day('2024-02-01'), day('2024-02-29')))).toBe(true);
    await fc.assert(
      fc.property(anyDay, (any) => {
        const month = d.monthOf(any);
        expect(d.isFullMonth(month) && d.isWithin(any, month)).toBe(true);
        expect(d.isWithin(d.addDays(month.start, 40), month)).toBe(false);
      }),
    );
  });

  it('refuses a reversed period', () => {
    expect(() => d.periodOf(day('2026-03-02'), day('2026-03-01'))).toThrow(InvalidValue);
  });

  it.each([
    ['thisMonth', '2026-03-01', '2026-03-31'],
    ['lastMonth', '2026-02-01', '2026-02-28'],
    ['last7Days', '2026-02-26', '2026-03-04'],
    ['last30Days', '2026-02-03', '2026-03-04'],
  ] as const)('usage preset %s is in UTC', (preset, start, end) => {
    expect(d.usagePreset(preset, new Date('2026-03-04T23:59:59Z'))).toEqual({ start, end });
    expect(d.usagePreset(preset, new Date('2026-03-04T00:00:00Z'))).toEqual({ start, end });
  });

  it('finds last month across the year', () => {
    expect(d.usagePreset('lastMonth', new Date('2026-01-31T12:00:00Z')).start).toBe('2025-12-01');
  });
});

describe('time zones', () => {
  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])(
    'knows %s',
    (zone) => {
      expect(d.isTimeZone(zone)).toBe(true);
    },
  );

  it.each(['', 'Mars/Olympus', 'Europe/Berlin ', '../etc/passwd', 'constructor'])('refuses %j', (zone) => {
    expect(d.isTimeZone(zone)).toBe(false);
    expect(() => d.today(zone, new Date(0))).toThrow(InvalidValue);
  });

  it.each([
    ['UTC', '2026-03-04'],
    ['Asia/Tokyo', '2026-03-05'],
    ['Pacific/Kiritimati', '2026-03-05'],
    ['America/New_York', '2026-03-04'],
  ])('today in %s', (zone, expected) => {
    expect(d.today(zone, new Date('2026-03-04T22:30:00Z'))).toBe(expected);
  });

  it.each([
    ['2026-01-15 12:00:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['2026-07-15T12:00:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
    // Clocks jump from 02:00 to 03:00: moved on by the jump.
    ['2026-03-29 01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    // Clocks go back from 03:00 to 02:00: the first of the two.
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
    ['2026-03-08 02:30:00', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    // Half an hour only.
    ['2026-10-04 02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    // A whole day left out.
    ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
    ['2026-06-01 00:00:00', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z'],
  ])('%s in %s', (local, zone, instant) => {
    expect(d.localToInstant(local, zone).toISOString()).toBe(instant);
  });

  it.each([
    '2026-02-29 00:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01 12:60:00',
    '2026-01-01 12:00:60',
    '2026-01-01',
    '2026-01-01 12:00',
    '2026-01-01 12:00:00Z',
    '2026-01-01  12:00:00',
    '',
  ])('refuses local time %j', (local) => {
    expect(() => d.localToInstant(local, 'UTC')).toThrow(InvalidValue);
  });

  it('starts the day at midnight, or where clocks jumped over it', () => {
    expect(d.startOfDay(day('2026-03-29'), 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    // Cairo, last Friday of April: 00:00 becomes 01:00.
    expect(d.startOfDay(day('2026-04-24'), 'Africa/Cairo').toISOString()).toBe('2026-04-23T22:00:00.000Z');
    // Havana, first Sunday of November: 01:00 becomes 00:00, so midnight comes twice.
    expect(d.startOfDay(day('2026-11-01'), 'America/Havana').toISOString()).toBe('2026-11-01T04:00:00.000Z');
  });

  it('finds back every local time that exists, in any zone', async () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Tehran',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
    ];
    const instant = fc.integer({ min: Date.UTC(1975, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 });
    await fc.assert(
      fc.property(fc.constantFrom(...zones), instant, (timeZone, seconds) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        const local = shown.format(seconds * 1000);
        const found = d.localToInstant(local, timeZone);
        // The same text again; earlier than or equal to where we came from, because the first of two counts.
        expect(shown.format(found)).toBe(local);
        expect(found.getTime()).toBeLessThanOrEqual(seconds * 1000);
        expect(local.startsWith(d.today(timeZone, found))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('puts every instant of a day between its start and the next', async () => {
    const zone = 'America/Sao_Paulo';
    const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2030, 0, 1) });
    await fc.assert(
      fc.property(instant, (ms) => {
        const shown = d.today(zone, new Date(ms));
        expect(d.startOfDay(shown, zone).getTime()).toBeLessThanOrEqual(ms);
        expect(d.startOfDay(d.addDays(shown, 1), zone).getTime()).toBeGreaterThan(ms);
      }),
    );
  });

  it.each([
    ['America/New_York', '2026-11-21T04:30:00Z', '2026-11-20', '23:30 EST'],
    ['America/New_York', '2026-07-01T03:59:59Z', '2026-06-30', '23:59 EDT'],
    ['Europe/Berlin', '2026-01-31T23:05:00Z', '2026-02-01', '00:05 CET'],
    ['Australia/Sydney', '2026-01-31T13:00:00Z', '2026-02-01', '00:00 AEDT'],
    ['Asia/Kathmandu', '2026-01-31T18:15:00Z', '2026-02-01', '00:00 UTC+5:45'],
    ['America/Sao_Paulo', '2026-01-31T18:15:00Z', '2026-01-31', '15:15 UTC−3'],
    ['UTC', '2026-01-31T23:59:59.999Z', '2026-01-31', '23:59 UTC'],
  ])('shows an instant by the clocks of %s, which it names', (zone, at, on, time) => {
    expect(d.momentIn(zone, new Date(at))).toEqual({ day: on, time });
  });

  it('gives no name to two offsets, whatever the zone and the time of the year', () => {
    const offsets = new Map<string, string>();
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const at of [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')]) {
        const [name, full] = [d.zoneName(zone, at), d.zoneInFull(zone, at)];
        expect(offsets.get(name) ?? full, zone).toBe(full);
        offsets.set(name, full);
      }
    }
    expect(offsets.get('AEDT')).toBe('AEDT (UTC+11)');
    expect(offsets.get('UTC+5:45')).toBe('UTC+5:45');
    expect(d.zoneInFull('UTC', new Date(0))).toBe('UTC');
    const year = [new Date('2026-01-15T12:00:00Z'), new Date('2026-12-15T12:00:00Z')] as const;
    expect(d.zonesInFull('America/New_York', ...year)).toEqual(['EST (UTC−5)', 'EDT (UTC−4)']);
    expect(d.zonesInFull('America/New_York', year[0], year[0])).toEqual(['EST (UTC−5)']);
  });

  it('reads dates from before time zones had round offsets', () => {
    // Monrovia gave up 44 minutes and 30 seconds in the middle of a quarter of an hour.
    const instants = ['1972-01-06 23:59:30', '1972-01-07 00:44:40'].map((local) =>
      d.localToInstant(local, 'Africa/Monrovia').toISOString(),
    );
    expect(instants).toEqual(['1972-01-07T00:44:00.000Z', '1972-01-07T00:44:40.000Z']);
    expect(d.localToInstant('1800-01-01 00:00:00', 'Europe/Berlin').toISOString()).toBe(
      '1799-12-31T23:06:32.000Z',
    );
  });
});
