import { cpus } from 'node:os';

const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
const round = (value: number): number => Number(value.toPrecision(4));

/** One measured figure beside its limit. */
export interface Figure {
  readonly bench: string;
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
  /** The limit is the most allowed, not the least. */
  readonly isMost?: boolean;
}

/** Prints one JSON line; `ratio` is how far the value is on the good side of its limit (1 or more holds). */
export function printFigure({ bench, figure, value, unit, limit, isMost = false }: Figure): void {
  const ratio = value === limit ? 1 : isMost ? limit / value : value / limit;
  const line = {
    bench,
    figure,
    value: round(value),
    unit,
    limit: round(limit),
    ratio: round(ratio),
    machine,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Prints a figure; the run ends with 1 when it is beyond its limit. */
export function printHeld(figure: Figure): void {
  printFigure({ ...figure, value: Math.max(figure.value, 1e-6) });
  const holds = figure.isMost === true ? figure.value <= figure.limit : figure.value >= figure.limit;
  if (!holds) process.exitCode = 1;
}

/** The middle value. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The value that this share of all does not exceed, e.g. 0.95. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
