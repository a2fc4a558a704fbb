/** Light modules around the code; readers need four (ISO/IEC 18004). */
const QUIET = 4;

export interface QrPath {
  /** Width and height of the drawing, in modules. */
  readonly size: number;
  /** One path of the dark modules, a run of them in a row drawn as one. */
  readonly path: string;
}

/** @param modules rows of a QR code without its quiet zone, true where dark */
export function qrPath(modules: readonly (readonly boolean[])[]): QrPath {
  const parts = modules.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`),
  );
  return { size: modules.length + 2 * QUIET, path: parts.join('') };
}

/** Start and length of each run of dark modules. */
function runsOf(row: readonly boolean[]): (readonly [number, number])[] {
  const starts = row.flatMap((dark, x) => (dark && row[x - 1] !== true ? [x] : []));
  return starts.map((start) => {
    const end = row.indexOf(false, start);
    return [start, (end < 0 ? row.length : end) - start];
  });
}
