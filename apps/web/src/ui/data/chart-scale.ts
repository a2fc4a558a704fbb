/** Gridlines of a chart, the one at zero among them (specification, portal §2). */
export const GRIDLINES = 5;

/** Leading figures of the steps people count in. */
const ROUND = [1, 2, 5, 10] as const;
const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

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

export interface ByteScale extends ChartScale {
  /** '200 GB', '0.5 TB': every line in the same unit. */
  readonly text: (bytes: number) => string;
}

/**
 * The same for bytes: steps of 1, 2 or 5 in the unit that all lines are shown in. 1 TB is 1,024 GB, so that no line is
 * a round number of two units: the larger unit begins where the lines would reach over it.
 */
export function byteScale(max: number): ByteScale {
  const last = BYTE_UNITS.length - 1;
  for (let power = 0; ; power += 1) {
    const unit = 1024 ** power;
    const step = Math.max(roundStep(max / unit), power === 0 ? 1 : 0);
    if (step * (GRIDLINES - 1) >= 1000 && power < last) continue;
    // Whole bytes, so that the text of a line is that of its step.
    const text = (bytes: number) => `${Number((bytes / unit).toPrecision(6))} ${BYTE_UNITS[power]}`;
    return { ...scaleOf(step * unit), text };
  }
}

/** Height of a bar in percent of the plot; what is below nothing has none. */
export const barShare = (value: number, { top }: ChartScale): number =>
  top > 0 ? Math.min(100, Math.max(0, (value / top) * 100)) : 0;
