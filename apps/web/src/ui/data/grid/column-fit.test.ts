import { describe, expect, it } from 'vitest';
import { fitColumns } from './column-fit.ts';

const REM = 16;
const number = { width: '10rem' };
const name = { shortens: true };
const needs = [
  { least: 200, natural: 220 },
  { least: 100, natural: 400 },
  { least: 300, natural: 300 },
];
const columns = [number, name, {}];
const fitted = (place: number, over: readonly object[] = columns) => fitColumns(over, needs, place, REM);
const total = (widths: readonly number[]) => widths.reduce((all, width) => all + width, 0);

describe('the columns of a grid', () => {
  it('stand side by side from the width they need on, and are cards below it', () => {
    expect(fitted(600).isCards).toBe(false);
    expect(fitted(600).widths).toEqual([200, 100, 300]);
    expect(fitted(599).isCards).toBe(true);
    expect(fitColumns([number], [{ least: 40, natural: 40 }], 400, REM).isCards).toBe(true);
  });
  it('fill their place and never go below what they need', () => {
    for (let place = 600; place < 3000; place += 7) {
      const { widths, scrolls } = fitted(place);
      expect(scrolls).toBe(false);
      expect(total(widths)).toBeCloseTo(place, 5);
      for (const [at, { least }] of needs.entries()) expect(widths[at]).toBeGreaterThanOrEqual(least);
    }
  });
  it('that are hidden take nothing, and make room for the others', () => {
    const { isCards, widths } = fitted(560, [number, name, { hidden: true }]);
    expect(isCards).toBe(false);
    expect(widths[2]).toBe(0);
    expect(total(widths)).toBeCloseTo(560, 5);
  });
  it('of a width that somebody chose have it, but what must be read stays whole; the table scrolls in its box', () => {
    expect(fitted(1400, [{ ...number, chosenWidth: 30 }, name, {}]).widths[0]).toBe(480);
    expect(fitted(1400, [{ ...number, chosenWidth: 4 }, { ...name, chosenWidth: 4 }, {}]).widths).toEqual([
      200,
      64,
      1400 - 264,
    ]);
    const wide = fitted(700, [{ ...number, chosenWidth: 40 }, name, {}]);
    expect([wide.isCards, wide.scrolls, total(wide.widths)]).toEqual([false, true, 640 + 100 + 300]);
  });
});
