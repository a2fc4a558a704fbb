import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, fromOklch, parseColour, toOklch } from './colour.ts';
import type { Roles } from './palette.ts';
import * as p from './palette.ts';

const themes = ['light', 'dark'] as const;
const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const seven = fc.array(hex, { minLength: 7, maxLength: 7 });

/** Every promise, in both themes, with and without more contrast. */
function expectPromises(colours: readonly string[]): void {
  for (const theme of themes) {
    for (const moreContrast of [false, true]) {
      const roles = p.brandRoles(colours, theme, { moreContrast });
      const short = p.checkRoles(roles, p.promisedPairsFor({ moreContrast }));
      expect({ colours, theme, moreContrast, short }).toEqual({ colours, theme, moreContrast, short: [] });
    }
  }
}

/** The drawn look of the default brand; a change here is a change of design. */
const light: Roles = {
  surface: '#ffffff',
  canvas: '#eef8fe',
  hover: '#eef8fe',
  selected: '#def1fe',
  line: '#e7ebef',
  ink: '#0e212a',
  header: '#005e80',
  'ink-muted': '#616d6f',
  accent: '#017bbc',
  'on-accent': '#ffffff',
  'accent-hover': '#0c6ca4',
  'accent-edge': '#017bbc',
  'accent-text': '#0070ac',
  'accent-ui': '#278dcf',
  'on-accent-ui': '#ffffff',
  'line-strong': '#888c90',
  'on-header': '#ffffff',
  'header-muted': '#ccdfe6',
  'header-raised': '#1a6e8d',
  'header-line': '#3d859e',
  'success-soft': '#e5f4eb',
  success: '#146c43',
  'danger-soft': '#fdecea',
  danger: '#b0251d',
  'warning-soft': '#fdf2dc',
  warning: '#805000',
  'info-soft': '#e9effa',
  info: '#2b579a',
};
const dark: Roles = {
  surface: '#111b20',
  canvas: '#081217',
  hover: '#192329',
  selected: '#153045',
  line: '#293339',
  ink: '#ebeff2',
  header: '#053042',
  'ink-muted': '#9aa7a9',
  accent: '#017bbc',
  'on-accent': '#ffffff',
  'accent-hover': '#0c6ca4',
  'accent-edge': '#017bbc',
  'accent-text': '#3c9ee2',
  'accent-ui': '#3598db',
  'on-accent-ui': '#ffffff',
  'line-strong': '#647078',
  'on-header': '#ffffff',
  'header-muted': '#cdd6d9',
  'header-raised': '#1e4555',
  'header-line': '#41626f',
  'success-soft': '#17301f',
  success: '#7fd6a4',
  'danger-soft': '#3d1d1a',
  danger: '#ff9d92',
  'warning-soft': '#352910',
  warning: '#f0bf6a',
  'info-soft': '#1d2a40',
  info: '#a9c4f5',
};

describe('default brand', () => {
  it('is as drawn, light and dark', () => {
    expect(p.brandRoles(p.defaultColours, 'light')).toEqual(light);
    expect(p.brandRoles(p.defaultColours, 'dark')).toEqual(dark);
  });

  it('has every role once', () => {
    expect(new Set(Object.keys(light))).toEqual(new Set(p.roleNames));
    expect(new Set(Object.keys(p.brandRoles([], 'dark')))).toEqual(new Set(p.roleNames));
  });

  it('becomes CSS', () => {
    const css = p.toCssCustomProperties(p.brandRoles(p.defaultColours, 'light'));
    expect(css).toContain('--surface:#ffffff;');
    expect(css).toContain('--accent-text:#0070ac;');
    expect(css).toMatch(/^(--[a-z-]+:#[0-9a-f]{6};){28}$/);
  });
});

describe('promises', () => {
  it('hold for 1,000 random brands', async () => {
    await fc.assert(fc.property(seven, expectPromises), { numRuns: 1000 });
  });

  it('hold when all seven colours are the same', async () => {
    await fc.assert(
      fc.property(hex, (colour) => expectPromises(Array.from({ length: 7 }, () => colour))),
      { numRuns: 150 },
    );
  });

  const neon = ['white', '#e6ff00', '#c4c9a6', '#f4ffa3', '#e6ff00', '#fbffe3', '#eef2cf'];
  it.each([
    ['white', Array(7).fill('#ffffff')],
    ['black', Array(7).fill('#000000')],
    ['grey', Array(7).fill('#777777')],
    ['middle grey', Array(7).fill('#767676')],
    ['neon', neon],
    ['pure', ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080']],
    ['inverted', ['#000000', '#ffffff', '#000000', '#ffffff', '#000000', '#ffffff', '#000000']],
    ['unreadable', ['', 'none', '#12', 'rgb(1,2,3)', '#gggggg', 'url(x)', '#1234567']],
    ['none', []],
  ])('hold for %s', (_name, colours) => {
    expectPromises(colours);
  });

  it('name every pair that falls short', () => {
    const roles = { ...p.brandRoles(p.defaultColours, 'light'), 'on-accent': '#3598db' };
    const short = p.checkRoles(roles);
    expect(short.map(({ foreground, ground }) => `${foreground} on ${ground}`)).toEqual([
      'on-accent on accent',
      'on-accent on accent-hover',
    ]);
    for (const { contrast: found, least } of short) expect(found).toBeLessThan(least);
  });

  it('ask for more where the person does', () => {
    const strong = p.promisedPairsFor({ moreContrast: true });
    expect(strong).toHaveLength(p.promisedPairs.length);
    expect(new Set(strong.map((pair) => pair.least))).toEqual(new Set([7, 4.5]));
    expect(new Set(p.promisedPairs.map((pair) => pair.least))).toEqual(new Set([7, 4.5, 3]));
  });
});

describe('rules of the look', () => {
  const accentOf = (colour: string) => p.brandRoles(['white', colour], 'light');

  it('sets white on a fill that carries it, as it is', () => {
    expect(accentOf('#005e80')).toMatchObject({ accent: '#005e80', 'on-accent': '#ffffff' });
  });

  it('deepens a middle tone and keeps its hue', () => {
    const { accent, 'on-accent': on } = accentOf('#3598db');
    expect([accent, on]).toEqual(['#017bbc', '#ffffff']);
    expect(toOklch(accent).hue).toBeCloseTo(toOklch('#3598db').hue, 1);
  });

  it('keeps a light fill, sets it in ink and gives it an edge', () => {
    const roles = accentOf('#e6ff00');
    expect(roles.accent).toBe('#e6ff00');
    expect(contrast(roles['on-accent'], '#e6ff00')).toBeGreaterThan(4.5);
    expect(roles['accent-edge']).not.toBe(roles.accent);
    expect(contrast(roles['accent-edge'], roles.surface)).toBeGreaterThan(3);
  });

  it('draws the line between deepening and keeping at 3:1', () => {
    expect(contrast('#ffffff', '#4db6e8')).toBeLessThan(3);
    expect(accentOf('#4db6e8')).toMatchObject({ accent: '#4db6e8', 'on-accent': '#0e212a' });
  });

  it('takes an unreadable colour for the default of its place', () => {
    expect(p.brandRoles(['nonsense', 'x', '', '#12345', ' ', '#ggg', '-'], 'light')).toEqual(light);
  });

  it('stays neutral in dark whatever the page colour is', () => {
    expect(p.brandRoles(['#ff00ff', ...p.defaultColours.slice(1)], 'dark')).toEqual(dark);
  });
});

describe('colour', () => {
  it.each([
    ['#ABC', '#aabbcc'],
    [' #A1b2C3 ', '#a1b2c3'],
    ['White', '#ffffff'],
    ['black', '#000000'],
    ['#abcd', null],
    ['constructor', null],
    ['', null],
  ])('reads %j as %s', (text, expected) => {
    expect(parseColour(text)).toBe(expected);
  });

  it('goes to OKLCH and back without loss', async () => {
    await fc.assert(
      fc.property(hex, (colour) => {
        expect(fromOklch(toOklch(colour))).toBe(colour);
      }),
    );
  });

  it('measures contrast as WCAG does', () => {
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
    expect(contrast('#ffffff', '#3598db')).toBeCloseTo(3.15, 1);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });
});
