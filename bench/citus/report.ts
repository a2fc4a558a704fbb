import { type Figure, printFigure } from '../support/figure.ts';

/** Prints a figure; the run ends with 1 when one is beyond its limit. */
export function print(figure: Omit<Figure, 'bench'>): void {
  printFigure({ bench: 'citus', ...figure, value: Math.max(figure.value, 1e-6) });
  const holds = figure.isMost === true ? figure.value <= figure.limit : figure.value >= figure.limit;
  if (!holds) process.exitCode = 1;
}
