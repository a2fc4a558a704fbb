import { beforeEach, describe, expect, it, vi } from 'vitest';

/** The formats as a browser of these languages has them: the locale is read once for the life of the page. */
async function inBrowserOf(...languages: string[]) {
  vi.stubGlobal('navigator', { languages });
  return import('../../text/format.ts');
}

beforeEach(() => vi.resetModules());

describe('the browser’s language', () => {
  it.each([
    ['en-US', 'March 2026'],
    ['de-DE', 'März 2026'],
    ['fr-FR', 'mars 2026'],
    ['pl-PL', 'marzec 2026'],
  ])('%s names the months: %s [portal.format.language-month-names]', async (language, text) => {
    const { formatMonth } = await inBrowserOf(language, 'en');
    expect(formatMonth(2026, 3)).toBe(text);
  });

  it.each([
    ['en-US', '1,234.5', '$1,234.50'],
    ['de-DE', '1.234,5', '$1.234,50'],
    ['fr-FR', '1\u202f234,5', '$1\u202f234,50'],
    ['en-IN', '1,234.5', '$1,234.50'],
    // The digits of the page's language, which is English.
    ['fa-IR', '1,234.5', '$1,234.50'],
    ['bn-BD', '1,234.5', '$1,234.50'],
  ])(
    '%s sets the number format: %s, %s [portal.format.language-numbers]',
    async (language, number, money) => {
      const { formatMoney, formatNumber } = await inBrowserOf(language);
      expect([formatNumber(1234.5), formatMoney(1234.5)]).toEqual([number, money]);
    },
  );

  it.each([
    ['en-US', 7],
    ['de-DE', 1],
    ['en-GB', 1],
    ['ar-EG', 6],
  ])('%s sets the start of the week: day %i [portal.format.language-week-start]', async (language, day) => {
    vi.stubGlobal('navigator', { languages: [language] });
    const { firstWeekday } = await import('../values/week-start.ts');
    expect(firstWeekday()).toBe(day);
  });

  it('changes nothing about a date that stands alone', async () => {
    const { formatDay } = await inBrowserOf('de-DE');
    expect(formatDay('2026-12-05')).toBe('12.05.2026');
  });
});
