/**
 * Undoes the row filters of PNG (section 9).
 * @param raw       inflated data: each row is preceded by the number of its filter
 * @param rowLength bytes of a row
 * @param distance  bytes from a pixel to the one on its left
 */
export function unfilter(raw: Uint8Array, rowLength: number, height: number, distance: number): Uint8Array {
  if (raw.length < (rowLength + 1) * height) throw new Error('PNG is incomplete');
  const out = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (rowLength + 1)] ?? 0;
    for (let x = 0; x < rowLength; x++) {
      const at = y * rowLength + x;
      const left = x >= distance ? (out[at - distance] ?? 0) : 0;
      const up = y > 0 ? (out[at - rowLength] ?? 0) : 0;
      const corner = x >= distance && y > 0 ? (out[at - rowLength - distance] ?? 0) : 0;
      out[at] = (raw[y * (rowLength + 1) + 1 + x] ?? 0) + predict(filter, left, up, corner);
    }
  }
  return out;
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) throw new Error('PNG with an unknown filter');
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
