import { describe, expect, it } from 'vitest';
import {
  durationText,
  kindOfUnit,
  quantityUnits,
  unitLabel,
  unitOf,
  unitOfLine,
  writtenUnitLabel,
} from './quantity.ts';
import { parseRate } from './rate.ts';

describe('units of quantities', () => {
  it.each([
    ['SEC', 'second'],
    ['4L', 'megabyte'],
    ['MB', 'megabyte'],
    ['kB', 'kilobyte'],
    ['AD', 'byte'],
    ['Minutes', 'minute'],
    ['messages', 'message'],
    ['MON', 'month'],
    // A megabit is no megabyte, and what only counts is no unit.
    ['Mb', null],
    ['C62', null],
    ['', null],
    ['segments', null],
  ])('%s is read as %s', (text, unit) => {
    expect(unitOf(text)).toBe(unit);
  });

  it('each is its own word, and has a label or is a time', () => {
    for (const unit of quantityUnits) {
      expect(unitOf(unit)).toBe(unit);
      expect(unitLabel(unit) === '').toBe(kindOfUnit(unit) === 'time');
    }
    expect([unitLabel('message', true), unitLabel('message'), unitLabel('gigabyte', true)]).toEqual([
      'message',
      'messages',
      'GB',
    ]);
    expect(['MON', 'C62', 'KGM'].map((text) => writtenUnitLabel(text))).toEqual(['months', '', 'KGM']);
  });

  it.each([
    ['SEC', 'megabyte', 'second'],
    ['C62', 'message', 'message'],
    ['', 'event', 'event'],
    // One call of 60 seconds is not one second.
    ['C62', 'second', null],
    ['KGM', 'message', null],
    ['EA', null, null],
  ] as const)('a line in %j of records in %s is in %s', (written, ofRecords, unit) => {
    expect(unitOfLine(written, ofRecords)).toBe(unit);
  });

  it.each([
    ['0', 'second', '0:00:00'],
    ['59.5', 'second', '0:01:00'],
    ['9431', 'second', '2:37:11'],
    ['4444445', 'second', '<1234>:34:05'],
    ['1.5', 'minute', '0:01:30'],
    ['0.25', 'hour', '0:15:00'],
    ['-61', 'second', '−0:01:01'],
    ['-0.4', 'second', '0:00:00'],
    ['5', 'megabyte', undefined],
  ] as const)('%s in %s is %s', (quantity, unit, text) => {
    expect(
      durationText(parseRate(quantity), unit, (hours) => (hours.length > 3 ? `<${hours}>` : hours)),
    ).toBe(text);
  });
});
