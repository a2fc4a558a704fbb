import type { TextStyle } from '../../../../pdf/text/set-text.ts';
import type { BrandColours } from '../document.ts';

export const text: TextStyle = { weight: 400, tabular: false };
export const bold: TextStyle = { weight: 600, tabular: false };
export const figures: TextStyle = { weight: 400, tabular: true };
export const boldFigures: TextStyle = { weight: 600, tabular: true };

/** Sizes and distances in points; the page is A4. */
export const size = { amount: 27, title: 17, name: 11, body: 9, cell: 8.5, small: 8, foot: 7.5 } as const;

export const page = {
  left: 48,
  right: 547.28,
  /** First line of content on the pages after the first. */
  top: 76,
  /** Nothing but the foot stands below. */
  bottom: 776,
  /** Left edge of the second column: supplier, facts, totals. */
  column: 330,
} as const;

/** A notice's fixed pair; status colours never come from the brand. */
export const warning = { ground: '#fdf6e3', edge: '#9a6700', ink: '#4d3800' } as const;

/** What a brand gets where one of its colours is not a colour. */
const fallback: BrandColours = {
  header: '#005e80',
  accent: '#017bbc',
  onAccent: '#ffffff',
  accentText: '#0070ab',
  ink: '#0f2129',
  inkMuted: '#5b6769',
  line: '#e1e6eb',
  lineStrong: '#868f97',
  ground: '#eef8fe',
};

export function usableColours(colours: BrandColours): BrandColours {
  const isColour = (value: unknown): boolean => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
  const given = Object.entries(colours).filter(([name, value]) => name in fallback && isColour(value));
  return { ...fallback, ...Object.fromEntries(given) };
}
