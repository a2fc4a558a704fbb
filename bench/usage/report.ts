import { type Figure, printFigure } from '../support/figure.ts';

/** What it does, for who watches. */
export const say = (line: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
};

/** Prints a figure; the run ends with 1 when one is beyond its limit. */
export function print(figure: Omit<Figure, 'bench'>): void {
  printFigure({ bench: 'usage', ...figure, value: Math.max(figure.value, 1e-6) });
  const holds = figure.isMost === true ? figure.value <= figure.limit : figure.value >= figure.limit;
  if (!holds) process.exitCode = 1;
}

/** A number with its thousands apart, e.g. '10,000,000'. */
export const grouped = (value: number): string => value.toLocaleString('en');

/** Milliseconds with two digits, for tables that people read. */
export const ms = (value: number): string => String(Math.round(value * 100) / 100);
