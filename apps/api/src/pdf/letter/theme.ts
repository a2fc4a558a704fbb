import type { TextStyle } from '../text/set-text.ts';
import type { Paper } from './letter.ts';

export const text: TextStyle = { weight: 400, tabular: false };
export const bold: TextStyle = { weight: 600, tabular: false };
export const figures: TextStyle = { weight: 400, tabular: true };
export const boldFigures: TextStyle = { weight: 600, tabular: true };

/** One row of the grid that everything stands on, points: 4.233 mm. */
export const U = 12;
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4;

/** Fixed, because letters are read in black and white too; a brand's colour is only in its logo and in one bar. */
export const colours = {
  ink: '#0e212a',
  muted: '#56626a',
  fine: '#c9d0d4',
} as const;

/** A notice's fixed pair; status colours never come from the brand. */
export const warning = { ground: '#fdf6e3', edge: '#9a6700', ink: '#4d3800' } as const;

export interface PaperSize {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Left edge of the customer's address: of the window of DIN 5008 B, of a No. 10 envelope. */
  readonly window: number;
  /** From the upper edge. */
  readonly folds: readonly [number, number];
}

/** Points from the upper left corner. */
export const papers: Readonly<Record<Paper, PaperSize>> = {
  a4: {
    width: 595.28,
    height: 841.89,
    left: mm(18),
    right: 595.28 - mm(18),
    window: mm(20),
    folds: [mm(105), mm(210)],
  },
  usLetter: {
    width: 612,
    height: 792,
    left: mm(19.05),
    right: 612 - mm(19.05),
    window: mm(25.4),
    folds: [mm(93.1), mm(186.3)],
  },
};

/** Where the blocks stand, rows from the upper edge. */
export const rows = {
  logo: 3,
  amount: 9,
  returnLine: 13,
  window: 15,
  title: 21,
  body: 24,
  following: 6,
} as const;
/** Height of the payment slip at the lower edge, and of the foot of a page above it. */
export const slipRows = 16;
/** Width of the provider's address, and of amount and facts. */
export const besideWidth = mm(66);
/** Width of what stands beside the first table, and its distance. */
export const asideWidth = 128;
export const asideGap = 24;

/** How many rows of the grid the body of page 1 has. */
export const bodyRows = (paper: Paper, hasSlip: boolean): number =>
  Math.floor(papers[paper].height / U + 0.01 - rows.body - (hasSlip ? slipRows + 3 : 5));
