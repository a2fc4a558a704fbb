import { ByteWriter } from './byte-writer.ts';

/** A point of a quadratic outline, in font units. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly onCurve: boolean;
}

export type Contour = readonly Point[];

/** A drawing command as a layout engine reports it. */
export interface PathCommand {
  readonly command: string;
  readonly args: readonly number[];
}

/**
 * Turns drawing commands into TrueType contours, scaled to another em and then moved.
 * Cubic curves do not occur in the fonts used; should one appear, its chord is drawn.
 */
export function contoursOf(
  commands: readonly PathCommand[],
  scale: number,
  [dx, dy]: readonly [dx: number, dy: number] = [0, 0],
): Contour[] {
  const contours: Contour[] = [];
  let current: Point[] = [];
  const point = (x: number, y: number, onCurve: boolean): Point => ({
    x: Math.round(x * scale + dx),
    y: Math.round(y * scale + dy),
    onCurve,
  });
  const close = (): void => {
    const first = current[0];
    const last = current.at(-1);
    if (first && last && current.length > 1 && last.onCurve && last.x === first.x && last.y === first.y)
      current.pop();
    if (current.length > 1) contours.push(current);
    current = [];
  };
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
    if (command === 'moveTo') {
      close();
      current.push(point(a, b, true));
    } else if (command === 'lineTo') current.push(point(a, b, true));
    else if (command === 'quadraticCurveTo') current.push(point(a, b, false), point(c, d, true));
    else if (command === 'bezierCurveTo') current.push(point(e, f, true));
    else if (command === 'closePath') close();
  }
  close();
  return contours;
}

/**
 * Bytes of one simple glyph of a 'glyf' table, without instructions.
 * @returns an empty array for a glyph without contours (a space)
 */
export function encodeSimpleGlyph(contours: readonly Contour[]): Uint8Array {
  const points = contours.flat();
  if (points.length === 0) return new Uint8Array();
  const out = new ByteWriter(16 + points.length * 5);
  out.i16(contours.length);
  out.i16(Math.min(...points.map((p) => p.x)));
  out.i16(Math.min(...points.map((p) => p.y)));
  out.i16(Math.max(...points.map((p) => p.x)));
  out.i16(Math.max(...points.map((p) => p.y)));
  let end = -1;
  for (const contour of contours) {
    end += contour.length;
    out.u16(end);
  }
  out.u16(0);
  const xs = new ByteWriter(points.length * 2);
  const ys = new ByteWriter(points.length * 2);
  let x = 0;
  let y = 0;
  for (const point of points) {
    const flag =
      (point.onCurve ? 1 : 0) | difference(xs, point.x - x, 2, 16) | difference(ys, point.y - y, 4, 32);
    out.u8(flag);
    x = point.x;
    y = point.y;
  }
  out.bytes(xs.done());
  out.bytes(ys.done());
  return out.done();
}

/** Writes one coordinate difference and returns its flag bits: `short` for one byte, `same` for its sign or zero. */
function difference(out: ByteWriter, value: number, short: number, same: number): number {
  if (value === 0) return same;
  if (value >= -255 && value <= 255) {
    out.u8(Math.abs(value));
    return value > 0 ? short | same : short;
  }
  out.i16(value);
  return 0;
}
