type Pair = readonly [number, number];

/**
 * An elliptical arc of SVG as cubic curves (SVG 2, appendix B.2).
 * @returns control points and end of each curve
 */
export function arcToCurves(
  from: Pair,
  to: Pair,
  shape: {
    readonly rx: number;
    readonly ry: number;
    /** Degrees. */
    readonly rotation: number;
    readonly isLarge: boolean;
    readonly isSweep: boolean;
  },
): (readonly [Pair, Pair, Pair])[] {
  if (from[0] === to[0] && from[1] === to[1]) return [];
  if (shape.rx === 0 || shape.ry === 0) return [[from, to, to]];
  const phi = (shape.rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
  const [halfX, halfY] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const [x, y] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  let [rx, ry] = [Math.abs(shape.rx), Math.abs(shape.ry)];
  const enlarge = Math.sqrt(Math.max(1, (x / rx) ** 2 + (y / ry) ** 2));
  [rx, ry] = [rx * enlarge, ry * enlarge];
  const divisor = (rx * y) ** 2 + (ry * x) ** 2;
  const root =
    Math.sqrt(Math.max(0, (rx * ry) ** 2 - divisor) / divisor) * (shape.isLarge === shape.isSweep ? -1 : 1);
  const [cx, cy] = [(root * rx * y) / ry, (-root * ry * x) / rx];
  const start = Math.atan2((y - cy) / ry, (x - cx) / rx);
  let sweep = Math.atan2((-y - cy) / ry, (-x - cx) / rx) - start;
  if (shape.isSweep && sweep < 0) sweep += 2 * Math.PI;
  if (!shape.isSweep && sweep > 0) sweep -= 2 * Math.PI;
  const centre: Pair = [
    cos * cx - sin * cy + (from[0] + to[0]) / 2,
    sin * cx + cos * cy + (from[1] + to[1]) / 2,
  ];
  const place = (px: number, py: number): Pair => [
    centre[0] + cos * rx * px - sin * ry * py,
    centre[1] + sin * rx * px + cos * ry * py,
  ];
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2)));
  const step = sweep / count;
  const reach = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: count }, (_, index) => {
    const [a, b] = [start + index * step, start + (index + 1) * step];
    return [
      place(Math.cos(a) - reach * Math.sin(a), Math.sin(a) + reach * Math.cos(a)),
      place(Math.cos(b) + reach * Math.sin(b), Math.sin(b) - reach * Math.cos(b)),
      index === count - 1 ? to : place(Math.cos(b), Math.sin(b)),
    ];
  });
}
