/** Gridlines of a chart, the one at zero among them (specification, portal §2). */
export const GRIDLINES = 5;

/** Leading figures of a step that people read at a glance. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const;

export interface ChartScale {
  /** Value at the upper edge of the plot. */
  readonly top: number;
  /** Values of the gridlines, from zero up. */
  readonly lines: readonly number[];
}

const scaleOf = (step: number, lines = GRIDLINES): ChartScale => ({
  top: step * (lines - 1),
  // A step such as 0.3 times three is not 0.9 in floats.
  lines: Array.from({ length: lines }, (_, line) => Number((step * line).toPrecision(12))),
});

/** The smallest round step with which the gridlines reach over the value. */
function roundStep(max: number, lines = GRIDLINES): number {
  if (!(max > 0) || !Number.isFinite(max)) return 1;
  const least = max / (lines - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  // Some slack for floats: 300 / 3 must not ask for the step after 100.
  const lead = ROUND.find((figure) => figure * power >= least * (1 - 1e-9)) ?? 10;
  return lead * power;
}

/** A scale with rounded steps for values up to `max`. */
export const chartScale = (max: number): ChartScale => scaleOf(roundStep(max));

/** The same for things that are counted, on three lines, each of them a whole number. */
export const countScale = (max: number): ChartScale => scaleOf(Math.ceil(roundStep(max, 3)), 3);

/** The same for bytes, whose round numbers are those of the unit they are shown in (1 GB is 1,024 MB). */
export function byteScale(max: number): ChartScale {
  const power = max >= 1 ? Math.min(4, Math.floor(Math.log(max) / Math.log(1024))) : 0;
  const unit = 1024 ** power;
  const step = Math.max(roundStep(max / unit), power === 0 ? 1 : 0);
  // Above a quarter of the next unit, decimal steps would be shown as odd parts of that unit.
  return scaleOf((step > 250 && power < 4 ? 256 : step) * unit);
}

/** Height of a bar in percent of the plot; what is below nothing has none. */
export const barShare = (value: number, { top }: ChartScale): number =>
  top > 0 ? Math.min(100, Math.max(0, (value / top) * 100)) : 0;
